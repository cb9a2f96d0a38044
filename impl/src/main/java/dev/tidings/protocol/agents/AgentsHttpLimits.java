package dev.tidings.protocol.agents;

import java.time.Duration;

/**
 * The limits of the signed HTTP API.
 *
 * <p>Threads: immutable.
 *
 * @param maxMessageBytes {@code tidings.agents.max-http-message-bytes}: the largest body, 1 KiB to 64 MiB, 1 MiB; a larger
 *     one is refused with 413
 * @param maxPendingBytes {@code tidings.agents.max-http-pending-bytes}: the bodies that have come in or are coming in and
 *     are not yet handled, in all, at least one largest body, 64 MiB; beyond that 503
 * @param maxTranscriptBytes {@code tidings.agents.max-transcript-bytes}: the events of one {@code GetSession}, at least
 *     1 KiB, 16 MiB; a longer transcript is cut and says so
 * @param messageTimeout {@code tidings.agents.message-timeout}: how long {@code MessageSession} waits for its turn to end,
 *     PT1S to PT24H, PT10M; then it answers as if the turn were queued, and the turn goes on
 * @param receipts what is remembered of actions that were done
 */
public record AgentsHttpLimits(
        int maxMessageBytes,
        long maxPendingBytes,
        int maxTranscriptBytes,
        Duration messageTimeout,
        ReceiptLimits receipts) {

    /** The defaults. */
    public static final AgentsHttpLimits DEFAULT =
            new AgentsHttpLimits(1 << 20, 64L << 20, 16 << 20, Duration.ofMinutes(10), ReceiptLimits.DEFAULT);

    /** @throws IllegalArgumentException if a limit is outside its range */
    public AgentsHttpLimits {
        require(maxMessageBytes >= 1 << 10 && maxMessageBytes <= 64 << 20, "maxMessageBytes is 1 KiB to 64 MiB");
        require(maxPendingBytes >= maxMessageBytes, "maxPendingBytes holds at least one message");
        require(maxTranscriptBytes >= 1 << 10, "maxTranscriptBytes is at least 1 KiB");
        require(
                messageTimeout.compareTo(Duration.ofSeconds(1)) >= 0
                        && messageTimeout.compareTo(Duration.ofDays(1)) <= 0,
                "messageTimeout is PT1S to PT24H");
    }

    /**
     * What is remembered of actions, so that one sent again has no second effect.
     *
     * @param maxEntries {@code tidings.agents.receipts.max-entries}: actions remembered, signatures and client ids each,
     *     200,000; beyond that a signed action that writes gets 503, and the oldest client id is forgotten
     * @param maxBytes {@code tidings.agents.receipts.max-bytes}: the answers kept, signatures and client ids each, 8 MiB;
     *     beyond that the oldest answer is dropped and only the fact remains
     * @param clientIdRetention {@code tidings.agents.receipts.client-id-retention}: how long a client's id is remembered,
     *     PT1H; signatures are remembered for as long as the clock window lets them in
     */
    public record ReceiptLimits(int maxEntries, long maxBytes, Duration clientIdRetention) {
        /** The defaults. */
        public static final ReceiptLimits DEFAULT = new ReceiptLimits(200_000, 8L << 20, Duration.ofHours(1));

        /** @throws IllegalArgumentException if a limit is outside its range */
        public ReceiptLimits {
            require(maxEntries >= 1, "maxEntries is at least 1");
            require(maxBytes >= 0, "maxBytes is not negative");
            require(!clientIdRetention.isNegative(), "clientIdRetention is not negative");
        }
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
