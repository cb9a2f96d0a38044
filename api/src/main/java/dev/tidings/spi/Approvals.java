package dev.tidings.spi;

import dev.tidings.Approval;
import java.util.List;
import java.util.Optional;

/**
 * The approvals that runs asked for, in the caller's transaction. What people see of them are entries of the session,
 * which the caller appends in the same transaction; here is who won.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction. Errors: writing throws if there is no
 * transaction. Source: law 11.
 */
public interface Approvals {

    /** Stores an approval that was asked for; its id is new. */
    void ask(Approval approval);

    /** An approval, as it is now. */
    Optional<Approval> find(String approvalId);

    /**
     * Decides an approval if it is pending, and only then: of any number that try, one is told {@code true}, when the
     * others' transactions have ended. Locks the approval until the transaction ends.
     *
     * @param decision not {@link Approval.Status#PENDING}
     * @param at epoch milliseconds
     */
    boolean decide(String approvalId, Approval.Status decision, long at);

    /** The pending approvals of a run, by (createdAt, id), each locked until the transaction ends. */
    List<Approval> lockPending(String runId);
}
