package dev.tidings.protocol.agents;

import java.time.Duration;

/**
 * What is remembered of actions, so that one sent again has no second effect.
 *
 * <p>Threads: immutable.
 *
 * @param maxEntries {@code tidings.agents.receipts.max-entries}: actions remembered, signatures and client ids each, from
 *     1, 200,000; beyond that a signed action that writes gets 503, and the oldest client id is forgotten
 * @param maxBytes {@code tidings.agents.receipts.max-bytes}: the answers kept, signatures and client ids each, from 0, 8
 *     MiB; beyond that the oldest answer is dropped and only the fact remains
 * @param clientIdRetention {@code tidings.agents.receipts.client-id-retention}: how long a client's id is remembered, not
 *     negative, PT1H; signatures are remembered for as long as the clock window lets them in
 */
public record ReceiptLimits(int maxEntries, long maxBytes, Duration clientIdRetention) {
    /** The defaults. */
    public static final ReceiptLimits DEFAULT = new ReceiptLimits(200_000, 8L << 20, Duration.ofHours(1));

    /** @throws IllegalArgumentException if a limit is outside its range */
    public ReceiptLimits {
        if (maxEntries < 1 || maxBytes < 0 || clientIdRetention.isNegative()) {
            throw new IllegalArgumentException(
                    "maxEntries is at least 1, maxBytes and clientIdRetention are not negative");
        }
    }
}
