package dev.tidings.event;

import dev.tidings.Role;
import org.jspecify.annotations.Nullable;

/**
 * What an account may do with an agent may have changed: invited, accepted, removed, made or unmade a public reader.
 *
 * <p>Fired in the transaction that changed it. The thread that commits it takes access away before it returns (law 6):
 * whoever is left without a role by it falls silent, until a look at the grants says otherwise.
 *
 * <p>Threads: immutable.
 *
 * @param agentId the agent
 * @param accountId the account; null if it may concern any account (public read, a new owner, a deleted agent)
 * @param role what the account may do from now on, as far as the writer knows; null for nothing, or not known
 * @param membersKeep that the owner and the accepted collaborators surely keep what they had: only public read changed
 */
public record GrantChanged(
        String agentId,
        @Nullable String accountId,
        @Nullable Role role,
        boolean membersKeep) {

    /** A change that may concern members. */
    public GrantChanged(String agentId, @Nullable String accountId, @Nullable Role role) {
        this(agentId, accountId, role, false);
    }

    /** The agent's public read was switched, and nothing else. */
    public static GrantChanged publicRead(String agentId, boolean on) {
        return new GrantChanged(agentId, null, on ? Role.READER : null, true);
    }
}
