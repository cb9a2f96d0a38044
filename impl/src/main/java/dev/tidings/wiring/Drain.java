package dev.tidings.wiring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

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
    private final Pause pause;

    Drain(Duration period, Pause pause) {
        this.periodNanos = period.toNanos();
        this.pause = pause;
    }

    static Drain over(Duration period) {
        return new Drain(period, TimeUnit.NANOSECONDS::sleep);
    }

    /**
     * Runs the stops, spread over the period, and waits a moment for the last sockets to be gone.
     *
     * @param open how many sockets there are
     */
    void run(List<Runnable> stops, IntSupplier open) {
        long gap = stops.isEmpty() ? 0 : Math.min(periodNanos / stops.size(), LONGEST_GAP_NANOS);
        try {
            for (int i = 0; i < stops.size(); i++) {
                stops.get(i).run();
                if (i + 1 < stops.size() && gap > 0) {
                    pause.nanos(gap);
                }
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
