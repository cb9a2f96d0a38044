package dev.tidings.runs;

import dev.tidings.Approval;
import dev.tidings.StoredEntry;

/**
 * What came of deciding an approval (law 11).
 *
 * <p>Threads: immutable.
 */
public sealed interface ApprovalResult {

    /**
     * It was decided now; the entry that says so is in the session.
     *
     * @param approval as it is now
     * @param entryId the entry's id
     */
    record Decided(Approval approval, String entryId) implements ApprovalResult {}

    /**
     * It was decided in the same way before; nothing was stored.
     *
     * @param approval as it is
     * @param entry what was stored then
     */
    record Repeated(Approval approval, StoredEntry entry) implements ApprovalResult {}

    /** It was decided in another way, or has expired; nothing was stored. */
    record Refused(Approval approval) implements ApprovalResult {}

    /** There is no such approval in the session. */
    record Unknown() implements ApprovalResult {}
}
