package dev.tidings.wiring;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Does something later. When the threads are stopping, nothing is done any more, and nobody minds. */
final class Later {
    private final Threads threads;

    Later(Threads threads) {
        this.threads = threads;
    }

    /** A short task, on the timer's thread. */
    void shortly(Duration delay, Runnable task) {
        try {
            var unused = threads.timers().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            // See above.
        }
    }

    /** A task that may block. */
    void onAWorker(Duration delay, Runnable task) {
        shortly(delay, () -> {
            try {
                threads.workers().execute(task);
            } catch (RejectedExecutionException stopping) {
                // See above.
            }
        });
    }
}
