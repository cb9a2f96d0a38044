package dev.tidings.spi;

import dev.tidings.Collaborator;
import dev.tidings.Role;
import java.util.Optional;

/**
 * Invitations and grants, for writing in the caller's transaction. Each change fires {@code GrantChanged} in it. Who may
 * do it is checked by the caller.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction. Errors: throws if there is no transaction.
 */
public interface GrantsWriter {

    /**
     * Invites an account, or changes the role of an invitation or a collaborator; one who had accepted stays accepted.
     *
     * @param now epoch milliseconds
     */
    Collaborator invite(String agentId, String accountId, Role role, long now);

    /** Accepts a pending invitation (again: no change); empty if there is none. */
    Optional<Collaborator> accept(String agentId, String accountId, long now);

    /** Takes back a pending invitation for the account that declines it; false if there is none that is pending. */
    boolean decline(String agentId, String accountId);

    /** Removes an invitation or a collaborator; false if there was none. */
    boolean remove(String agentId, String accountId);
}
