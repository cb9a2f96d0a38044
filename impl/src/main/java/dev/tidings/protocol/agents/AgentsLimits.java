package dev.tidings.protocol.agents;

import java.time.Duration;

/**
 * The bounds of the Agents socket; docs/configuration.md has their keys.
 *
 * <p>Threads: immutable.
 *
 * @param maxMessageBytes {@code tidings.agents.max-message-bytes}: the largest inbound message, 1 KiB to 1 MiB; a larger
 *     one closes the socket with 1009
 * @param unboundTimeout {@code tidings.agents.unbound-timeout}: a socket without a subscription for so long is closed
 * @param hintInterval {@code tidings.agents.hint-interval}: at most one {@code session-event} hint a session in this time
 * @param maxSubscriptions {@code tidings.agents.max-subscriptions}: keys that a socket may hold; one more is refused
 * @param maxVerifications {@code tidings.agents.max-verifications}: signatures that are verified at once in the node;
 *     others wait their turn
 * @param maxPendingMessages {@code tidings.agents.max-pending-messages}: messages of one socket that may wait; one more
 *     closes it as overloaded
 * @param maxPendingBytes {@code tidings.agents.max-pending-bytes}: likewise in bytes, not less than maxMessageBytes
 * @param maxRunningTextBytes {@code tidings.agents.max-running-text-bytes}: what the texts in progress of all sessions may
 *     take, for whoever joins a running turn; whoever joins one beyond it gets no text so far
 */
public record AgentsLimits(
        int maxMessageBytes,
        Duration unboundTimeout,
        Duration hintInterval,
        int maxSubscriptions,
        int maxVerifications,
        int maxPendingMessages,
        int maxPendingBytes,
        int maxRunningTextBytes) {

    /** No configuration may allow larger messages; what is larger is not even decoded. */
    static final int LARGEST_MESSAGE = 1 << 20;

    private static final int SMALLEST_MESSAGE = 1 << 10;

    /** The defaults. */
    public static final AgentsLimits DEFAULTS = new AgentsLimits(
            256 << 10, Duration.ofMinutes(5), Duration.ofMillis(1_500), 256, 2, 256, 1 << 20, 16 << 20);

    /** Checks the ranges; throws IllegalArgumentException with the key. */
    public AgentsLimits {
        check("max-message-bytes", maxMessageBytes >= SMALLEST_MESSAGE && maxMessageBytes <= LARGEST_MESSAGE);
        check("unbound-timeout", unboundTimeout.compareTo(Duration.ZERO) > 0);
        check("hint-interval", !hintInterval.isNegative());
        check("max-subscriptions", maxSubscriptions > 0);
        check("max-verifications", maxVerifications > 0);
        check("max-pending-messages", maxPendingMessages > 0);
        check("max-running-text-bytes", maxRunningTextBytes >= 0);
        if (maxPendingBytes < maxMessageBytes) {
            throw new IllegalArgumentException(
                    "tidings.agents.max-pending-bytes is at least tidings.agents.max-message-bytes");
        }
    }

    private static void check(String key, boolean inRange) {
        if (!inRange) {
            throw new IllegalArgumentException("tidings.agents." + key + " is out of range");
        }
    }
}
