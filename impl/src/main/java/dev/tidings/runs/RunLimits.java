package dev.tidings.runs;

import java.time.Duration;

/**
 * The limits of the run engine.
 *
 * <p>Threads: immutable.
 *
 * @param maxPendingBytes {@code tidings.runs.max-pending-bytes}: how much of what a runner reported may wait to be
 *     written, in bytes of memory; beyond it the runner waits. 1 KiB to 64 MiB
 * @param maxMessageBytes {@code tidings.runs.max-message-bytes}: how long one message of a runner may be, in bytes of
 *     UTF-8. 1 KiB to 64 MiB
 * @param approvalTimeout {@code tidings.approvals.timeout}: how long people have to decide. PT1S to P7D
 * @param storeDeltas {@code tidings.log.store-deltas}: whether the pieces of a message are stored as they come
 * @param deltaDelay {@code tidings.commands.delta-delay}: how long pieces may be joined before they are stored, but for the
 *     first of a message
 * @param lease {@code tidings.node.lease}: how long the runs of a node that went silent stay its own
 * @param firstRetry how long a failed write waits before it is tried again; doubled each time
 * @param longestRetry the longest such wait
 * @param stopWait how long a stop waits for the end of the run to be stored
 */
public record RunLimits(
        int maxPendingBytes,
        int maxMessageBytes,
        Duration approvalTimeout,
        boolean storeDeltas,
        Duration deltaDelay,
        Duration lease,
        Duration firstRetry,
        Duration longestRetry,
        Duration stopWait) {

    /** 256 KiB, 8 MiB, PT10M, nothing stored, PT0.04S, PT30S, PT0.1S, PT5S, PT10S. */
    public static final RunLimits DEFAULTS = new RunLimits(
            256 * 1024,
            8 * 1024 * 1024,
            Duration.ofMinutes(10),
            false,
            Duration.ofMillis(40),
            Duration.ofSeconds(30),
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10));

    /** Checks the ranges. */
    public RunLimits {
        if (maxPendingBytes < 1024 || maxPendingBytes > 64 * 1024 * 1024) {
            throw new IllegalArgumentException("tidings.runs.max-pending-bytes: 1024 to 67108864");
        }
        if (maxMessageBytes < 1024 || maxMessageBytes > 64 * 1024 * 1024) {
            throw new IllegalArgumentException("tidings.runs.max-message-bytes: 1024 to 67108864");
        }
        if (approvalTimeout.isNegative() || approvalTimeout.isZero()) {
            throw new IllegalArgumentException("tidings.approvals.timeout is positive");
        }
        if (deltaDelay.isNegative()) {
            throw new IllegalArgumentException("tidings.commands.delta-delay is not negative");
        }
        if (lease.isNegative() || lease.isZero() || firstRetry.isNegative() || firstRetry.isZero()) {
            throw new IllegalArgumentException("durations of the run engine are positive");
        }
        if (longestRetry.compareTo(firstRetry) < 0 || stopWait.isNegative()) {
            throw new IllegalArgumentException("the longest retry is not shorter than the first");
        }
    }

    /** How long the write that has failed so often in a row waits. */
    Duration retryAfter(int failures) {
        Duration wait = firstRetry.multipliedBy(1L << Math.min(failures, 20));
        return wait.compareTo(longestRetry) < 0 ? wait : longestRetry;
    }
}
