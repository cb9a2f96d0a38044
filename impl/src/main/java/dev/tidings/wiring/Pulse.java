package dev.tidings.wiring;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Whether the work that comes round each second still does.
 *
 * <p>Threads: any.
 */
final class Pulse {
    /** Long enough for a machine that is busy, or was asleep for a moment. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    // Volatile: written by the round, read by whoever asks.
    private volatile OptionalLong last = OptionalLong.empty();

    Pulse(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The work came round. */
    void beat() {
        last = OptionalLong.of(nanoTime.getAsLong());
    }

    /** Whether it has lately; also before the first time. */
    boolean alive() {
        OptionalLong beat = last;
        return beat.isEmpty() || nanoTime.getAsLong() - beat.getAsLong() < LONGEST.toNanos();
    }
}
