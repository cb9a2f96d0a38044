package dev.tidings.delivery;

import java.time.Duration;

/**
 * The bounds of the engine; docs/configuration.md has their keys and ranges.
 *
 * <p>Threads: immutable.
 *
 * @param outboxMaxBytes answers that may wait for one socket; beyond it the socket is closed as {@code SLOW}
 * @param batchMaxBytes one send, at most, unless a single frame is larger
 * @param windowMaxFrames frames a stream keeps encoded
 * @param windowMaxBytes bytes a stream keeps encoded
 * @param windowLinger how long a stream is kept after its last subscriber left
 * @param replayMaxReads page reads at once in the node
 * @param pageMaxEntries entries of one page read
 * @param pageMaxBytes payload bytes of one page read
 * @param readRetry how long after a failed page read it is tried again
 * @param sendTimeout a send in flight for longer closes the socket
 * @param heartbeatInterval the time between two pings to a socket, whatever else is sent
 * @param heartbeatTimeout nothing heard for so long closes the socket
 * @param maxBytes what all streams and sockets may hold together; beyond it windows shrink, those that are watched least
 *     first, then the slowest sockets are closed as {@code SLOW}
 */
public record DeliveryLimits(
        int outboxMaxBytes,
        int batchMaxBytes,
        int windowMaxFrames,
        int windowMaxBytes,
        Duration windowLinger,
        int replayMaxReads,
        int pageMaxEntries,
        int pageMaxBytes,
        Duration readRetry,
        Duration sendTimeout,
        Duration heartbeatInterval,
        Duration heartbeatTimeout,
        long maxBytes) {

    /** The defaults. */
    public static final DeliveryLimits DEFAULTS = new DeliveryLimits(
            1 << 20,
            64 << 10,
            2_000,
            4 << 20,
            Duration.ofSeconds(30),
            4,
            256,
            256 << 10,
            Duration.ofMillis(500),
            Duration.ofSeconds(20),
            Duration.ofSeconds(15),
            Duration.ofSeconds(45),
            256L << 20);

    /** @throws IllegalArgumentException if a socket would be given up before it was asked for a sign of life */
    public DeliveryLimits {
        if (heartbeatTimeout.compareTo(heartbeatInterval) <= 0) {
            throw new IllegalArgumentException("tidings.heartbeat.timeout is longer than tidings.heartbeat.interval");
        }
    }
}
