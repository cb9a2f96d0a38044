package dev.tidings.protocol.agents;

import java.time.Duration;

/**
 * What is remembered of actions, so that one sent again has no second effect.
 *
 * <p>Threads: immutable.
 *
 * @param maxInProgress {@code tidings.agents.max-actions-in-progress}: actions that write and have no answer yet, on this
 *     node, from 1, 10,000; beyond that 503
 * @param maxAnswerBytes {@code tidings.agents.receipts.max-answer-bytes}: the largest answer that is kept, from 0, 1 MiB; of a
 *     larger one only the fact remains
 * @param clientIdRetention {@code tidings.agents.receipts.client-id-retention}: how long a client's id is remembered, not
 *     negative, PT24H; at least for as long as the clock window lets a signature in, which is how long those are remembered
 */
public record ReceiptLimits(int maxInProgress, int maxAnswerBytes, Duration clientIdRetention) {
    /** The defaults. */
    public static final ReceiptLimits DEFAULT = new ReceiptLimits(10_000, 1 << 20, Duration.ofHours(24));

    /** @throws IllegalArgumentException if a limit is outside its range */
    public ReceiptLimits {
        if (maxInProgress < 1 || maxAnswerBytes < 0 || clientIdRetention.isNegative()) {
            throw new IllegalArgumentException(
                    "maxInProgress is at least 1, maxAnswerBytes and clientIdRetention are not negative");
        }
    }
}
