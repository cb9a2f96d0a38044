package dev.tidings.wiring;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Does something later. When the threads are stopping, nothing is done any more, and nobody minds. */
final class Later {
    private static final Duration FULL_WAIT = Duration.ofSeconds(1);

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

    /** A task that may block; later still, while no worker takes it. */
    void onAWorker(Duration delay, Runnable task) {
        shortly(delay, () -> {
            try {
                threads.workers().execute(task);
            } catch (RejectedExecutionException | OutOfMemoryError fullOrStopping) {
                // A host's pool that is full, or a system without a thread left, has room again; and a run may wait for
                // just this task. Once all threads are stopping, the timers take nothing either.
                onAWorker(FULL_WAIT, task);
            }
        });
    }
}
