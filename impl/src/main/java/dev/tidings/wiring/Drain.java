package dev.tidings.wiring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Tells sockets to go away one after the other, so that their peers do not all come back in the same second.
 *
 * <p>With few sockets it takes less than its period: what spreads a thousand over it would only keep a stop waiting.
 *
 * <p>Threads: any; blocks.
 */
final class Drain {
    private static final long LONGEST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Lets time pass. */
    interface Pause {
        void nanos(long nanos) throws InterruptedException;
    }

    private final long periodNanos;
    private final LongSupplier nanoTime;
    private final Pause pause;

    Drain(Duration period, LongSupplier nanoTime, Pause pause) {
        this.periodNanos = period.toNanos();
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    static Drain over(Duration period) {
        return new Drain(period, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }

    /**
     * Runs the stops, spread over the period, and waits a moment for the last sockets to be gone. Stops that take longer than
     * their part of it, or a machine that wakes this thread late, shorten the pauses: the period is kept as long as it can be.
     *
     * @param open how many sockets there are
     */
    void run(List<Runnable> stops, IntSupplier open) {
        long gap = stops.isEmpty() ? 0 : Math.min(periodNanos / stops.size(), LONGEST_GAP_NANOS);
        long start = nanoTime.getAsLong();
        try {
            for (int i = 0; i < stops.size(); i++) {
                long early = i * gap - (nanoTime.getAsLong() - start);
                if (early > 0) {
                    pause.nanos(early);
                }
                stops.get(i).run();
            }
            for (long waited = 0; open.getAsInt() > 0 && waited < LAST_WORDS_NANOS; waited += LOOK_NANOS) {
                pause.nanos(LOOK_NANOS);
            }
        } catch (InterruptedException hurry) {
            stops.forEach(Runnable::run);
            Thread.currentThread().interrupt();
        }
    }
}
