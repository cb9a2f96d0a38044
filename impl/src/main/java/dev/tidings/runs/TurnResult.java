package dev.tidings.runs;

/**
 * How a turn ended, for whoever asked for it.
 *
 * <p>Threads: immutable.
 */
public sealed interface TurnResult {

    /** It waits behind a live run. */
    record Queued(String runId) implements TurnResult {}

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
