package dev.tidings.spi;

import dev.tidings.Role;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may do what with an agent, now.
 *
 * <p>Threads: safe for use by many threads; calls may block on a database. Errors: any exception means that nothing is
 * known, and then nobody has access (law 6). Source: protocols A3.
 */
public interface Grants {

    /**
     * The role of an account: owner, accepted collaborator, or reader while the agent's public read is on; empty for
     * everybody else and for an agent that does not exist.
     */
    Optional<Role> role(String agentId, String accountId);

    /** The roles of several pairs, in one query or a few; pairs without access are left out. */
    Map<Pair, Role> roles(Collection<Pair> pairs);

    /** The owner and the accepted collaborators of an agent; empty if it does not exist. */
    Set<String> members(String agentId);

    /**
     * Those of some accounts that are the owner or accepted collaborators of an agent. Asked for every hint with the
     * accounts that have a socket open: it should cost as much as these, not as all members.
     */
    default Set<String> membersAmong(String agentId, Collection<String> accounts) {
        Set<String> among = new HashSet<>(members(agentId));
        among.retainAll(Set.copyOf(accounts));
        return among;
    }

    /** An agent and an account. */
    record Pair(String agentId, String accountId) {}
}
