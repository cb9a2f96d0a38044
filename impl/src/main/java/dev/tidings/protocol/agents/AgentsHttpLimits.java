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
 * @param maxAnswerBytes {@code tidings.agents.max-http-answer-bytes}: the large answers (above 16 KiB) that are on their way
 *     to clients, in all, at least 1 MiB, 128 MiB; beyond that 503
 * @param maxTranscriptBytes {@code tidings.agents.max-transcript-bytes}: the events, entries or agents of one answer, at
 *     least 1 KiB, 16 MiB; a longer list is cut and says so
 * @param maxDefinitionBytes {@code tidings.agents.max-definition-bytes}: the definition of an agent as JSON, at least 1 KiB,
 *     64 KiB; a larger one is refused
 * @param maxTitleLength {@code tidings.agents.max-title-length}: the title of a session in UTF-16 units, from 1, 500; a
 *     longer one is refused
 * @param maxVerifications {@code tidings.agents.max-http-verifications}: signatures verified at once, from 1, 2; other messages
 *     wait
 * @param maxTools {@code tidings.agents.max-tools}: tools that people use by hand at once, each on a thread of its own, from
 *     1, 32; one more is refused with 503
 * @param messageTimeout {@code tidings.agents.message-timeout}: how long {@code MessageSession} waits for its turn to end,
 *     PT1S to PT24H, PT10M; then it answers as if the turn were queued, and the turn goes on; and how long a tool that is used
 *     by hand is waited for
 * @param receipts what is remembered of actions that were done
 */
public record AgentsHttpLimits(
        int maxMessageBytes,
        long maxPendingBytes,
        long maxAnswerBytes,
        int maxTranscriptBytes,
        int maxDefinitionBytes,
        int maxTitleLength,
        int maxVerifications,
        int maxTools,
        Duration messageTimeout,
        ReceiptLimits receipts) {

    /** The defaults. */
    public static final AgentsHttpLimits DEFAULT = new AgentsHttpLimits(
            1 << 20,
            64L << 20,
            128L << 20,
            16 << 20,
            64 << 10,
            500,
            2,
            32,
            Duration.ofMinutes(10),
            ReceiptLimits.DEFAULT);

    /** @throws IllegalArgumentException if a limit is outside its range */
    public AgentsHttpLimits {
        require(
                maxMessageBytes >= 1 << 10 && maxMessageBytes <= 64 << 20,
                "tidings.agents.max-http-message-bytes is 1 KiB to 64 MiB");
        require(
                maxPendingBytes >= maxMessageBytes,
                "tidings.agents.max-http-pending-bytes is at least tidings.agents.max-http-message-bytes");
        require(maxAnswerBytes >= 1 << 20, "tidings.agents.max-http-answer-bytes is at least 1 MiB");
        require(maxTranscriptBytes >= 1 << 10, "tidings.agents.max-transcript-bytes is at least 1 KiB");
        require(maxDefinitionBytes >= 1 << 10, "tidings.agents.max-definition-bytes is at least 1 KiB");
        require(maxTitleLength >= 1, "tidings.agents.max-title-length is at least 1");
        require(maxVerifications >= 1, "tidings.agents.max-http-verifications is at least 1");
        require(maxTools >= 1, "tidings.agents.max-tools is at least 1");
        require(
                messageTimeout.compareTo(Duration.ofSeconds(1)) >= 0
                        && messageTimeout.compareTo(Duration.ofDays(1)) <= 0,
                "tidings.agents.message-timeout is PT1S to PT24H");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
