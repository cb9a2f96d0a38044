package dev.tidings.runs;

/**
 * The ids of what a turn stores, derived from its run's id.
 *
 * <p>A partial has the id that its message gets, so that whoever recovers a run knows which partial was open, a write
 * whose outcome is unknown can be looked for, and the pieces of a message can be told from their id.
 */
final class EntryIds {

    private EntryIds() {}

    /** The user's message. */
    static String prompt(String runId) {
        return runId + "-0";
    }

    /** The partial, and the message, of an assistant's segment; the first is 1. */
    static String segment(String runId, int segment) {
        return runId + "-" + segment;
    }

    /** A piece of a message's text; counted from 1. */
    static String delta(String segmentId, int count) {
        return segmentId + "-delta-" + count;
    }

    /** A tool call, a tool's result or a journal entry; counted together, from 1. */
    static String item(String runId, int count) {
        return runId + "-item-" + count;
    }

    /** An approval, and the entry that asks for it; counted from 1. */
    static String approval(String runId, int count) {
        return runId + "-approval-" + count;
    }

    /** The entry that says how an approval was decided, or that it expired. */
    static String decision(String approvalId) {
        return approvalId + "-decision";
    }

    /** What shows the progress of a run in its tree. */
    static String progress(String runId) {
        return runId + "-progress";
    }

    static String started(String runId, long attempt) {
        return runId + "-started-" + attempt;
    }

    static String finished(String runId) {
        return runId + "-finished";
    }
}
