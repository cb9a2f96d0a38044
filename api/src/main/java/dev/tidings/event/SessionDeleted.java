package dev.tidings.event;

import java.util.Set;

/**
 * A session was deleted, with its entries.
 *
 * <p>Fired in the transaction that deleted it; nothing of the session is shown after its commit.
 *
 * <p>Threads: immutable.
 *
 * @param sessionId the session
 * @param agentId its agent
 * @param members the accounts that could read it as members until then: the owner and the accepted collaborators
 */
public record SessionDeleted(String sessionId, String agentId, Set<String> members) {

    /** Copies the set. */
    public SessionDeleted {
        members = Set.copyOf(members);
    }
}
