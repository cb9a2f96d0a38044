package dev.tidings.event;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A small notice that something of an account's changed and lists of it are stale; it carries no transcript.
 *
 * <p>Fired in the transaction that changed it. Recipients are the agent's members (its owner and its accepted
 * collaborators), or the accounts that are named.
 *
 * <p>Threads: immutable. Source: protocols A5, account hint.
 *
 * @param reason {@code agent-created}, {@code agent-invites-changed} and so on; a backend may add its own
 * @param agentId the agent that it concerns, if one
 * @param sessionId the session that it concerns, if one
 * @param accounts who gets it; empty means the members of the agent
 */
public record AccountHint(
        String reason, @Nullable String agentId, @Nullable String sessionId, Set<String> accounts) {

    /** Copies the accounts and checks that there is a recipient. */
    public AccountHint {
        accounts = Set.copyOf(accounts);
        if (agentId == null && accounts.isEmpty()) {
            throw new IllegalArgumentException("a hint names an agent or accounts");
        }
    }

    /** A hint to the members of an agent. */
    public static AccountHint toMembers(String reason, String agentId, @Nullable String sessionId) {
        return new AccountHint(reason, agentId, sessionId, Set.of());
    }

    /** A hint to one account. */
    public static AccountHint to(String accountId, String reason, @Nullable String agentId) {
        return new AccountHint(reason, agentId, null, Set.of(accountId));
    }
}
