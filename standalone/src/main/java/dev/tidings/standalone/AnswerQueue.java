package dev.tidings.standalone;

import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.nio.NIOConnection;

/**
 * How much of an answer waits in a connection, beyond what the kernel takes, before a writer is told that it is not ready.
 *
 * <p>Threads: the request's; one request of a connection at a time.
 */
final class AnswerQueue {
    /** The writer comes back as soon as something of it has left. */
    static final int SHORT_BYTES = 32 * 1024;

    private static final Attribute<Integer> USUAL =
            Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute("dev.tidings.usual-queue");

    private final NIOConnection connection;

    private AnswerQueue(NIOConnection connection) {
        this.connection = connection;
    }

    /** The queue for the answer to a request that begins: the usual one, whatever the last answer had. */
    static AnswerQueue of(NIOConnection connection) {
        Integer usual = USUAL.get(connection);
        if (usual != null) {
            connection.setMaxAsyncWriteQueueSize(usual);
        }
        return new AnswerQueue(connection);
    }

    /** The answer is written by somebody who asks before each write, so little has to wait. */
    void keepShort() {
        if (USUAL.get(connection) == null) {
            USUAL.set(connection, connection.getMaxAsyncWriteQueueSize());
        }
        connection.setMaxAsyncWriteQueueSize(SHORT_BYTES);
    }
}
