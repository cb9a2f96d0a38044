package dev.tidings.standalone;

import org.glassfish.grizzly.nio.NIOConnection;

/**
 * How much of an answer waits in a connection, beyond what the kernel takes, before a writer is told that it is not ready.
 *
 * <p>Threads: any; one request of a connection at a time.
 */
final class AnswerQueue {
    /** The writer comes back as soon as something of it has left. */
    static final int SHORT_BYTES = 32 * 1024;

    /** Where threads write and wait, this much may be on its way instead. */
    private static final int USUAL_BYTES = 8 * 1024 * 1024;

    private final NIOConnection connection;

    private AnswerQueue(NIOConnection connection) {
        this.connection = connection;
    }

    /** The queue for the answer to a request that begins: the usual one, whatever the last answer had. */
    static AnswerQueue of(NIOConnection connection) {
        connection.setMaxAsyncWriteQueueSize(USUAL_BYTES);
        return new AnswerQueue(connection);
    }

    /** The answer is written by somebody who asks before each write, so little has to wait. */
    void keepShort() {
        connection.setMaxAsyncWriteQueueSize(SHORT_BYTES);
    }
}
