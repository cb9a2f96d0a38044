package dev.tidings.runs;

import dev.tidings.spi.ChildRun;

/**
 * A run that another one starts: its ids, which are made before it is stored, and what its parent waits for.
 *
 * <p>Threads: immutable; the answers are given and awaited through the parent's {@link Mailbox}.
 *
 * @param asked what was asked for
 * @param runId its id
 * @param sessionId its session's id
 * @param createdAt epoch milliseconds
 * @param started given when it is stored
 * @param ended given when it has ended
 */
record Child(
        ChildRun asked, String runId, String sessionId, long createdAt, Answer<Boolean> started, Answer<End> ended) {

    /**
     * How a child ended.
     *
     * @param result its result
     * @param text its last message
     */
    record End(TurnResult result, String text) {}
}
