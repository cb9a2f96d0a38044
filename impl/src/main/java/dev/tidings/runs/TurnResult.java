package dev.tidings.runs;

/**
 * How a turn ended, or why the answer does not wait for its end, for whoever asked for it.
 *
 * <p>Threads: immutable.
 */
public sealed interface TurnResult {

    /** It waits behind a live run. */
    record Queued(String runId) implements TurnResult {}

    /** It began, and waits: for people to decide, or for other runs. It goes on by itself. */
    record Waiting(String runId) implements TurnResult {}

    /**
     * It ended well, or was stopped.
     *
     * @param assistantEventId the id of its last assistant message; empty if it stored none
     * @param canceled whether it was stopped
     */
    record Ended(String runId, String assistantEventId, boolean canceled) implements TurnResult {}

    /**
     * It failed.
     *
     * @param code a stable word
     * @param publicText what people may read
     */
    record Failed(String runId, String code, String publicText) implements TurnResult {}
}
