package dev.tidings.event;

import java.util.Set;

/**
 * An agent was deleted, with its sessions and runs.
 *
 * <p>Fired in the transaction that deleted it; nothing of the agent is shown after its commit. Whoever fires it also fires
 * a {@link GrantChanged} for any account.
 *
 * <p>Threads: immutable.
 *
 * @param agentId the agent
 * @param members the accounts that could read it as members until then: the owner and the accepted collaborators
 * @param sessionIds all sessions that went with it: nothing is fired for each of them, and nobody can ask any more
 */
public record AgentDeleted(String agentId, Set<String> members, Set<String> sessionIds) {

    /** Copies the sets. */
    public AgentDeleted {
        members = Set.copyOf(members);
        sessionIds = Set.copyOf(sessionIds);
    }
}
