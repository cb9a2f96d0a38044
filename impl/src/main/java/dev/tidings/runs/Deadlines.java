package dev.tidings.runs;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Ends waiting that takes too long.
 *
 * <p>The JDK's {@link CompletableFuture#orTimeout} and its like have one thread for the whole process: the first application
 * that needs it starts it, and its class loader stays with the thread for ever.
 *
 * <p>Threads: any. What depends on a future that ends here goes on, on the timer's thread, and is to be short. Once the timers
 * are stopping, nothing ends here any more.
 */
public final class Deadlines {
    private final ScheduledExecutorService timers;

    /** Deadlines that these timers keep. */
    public Deadlines(ScheduledExecutorService timers) {
        this.timers = timers;
    }

    /** Completes a future with a value, unless it ends in time; returns that future. */
    public <T> CompletableFuture<T> complete(CompletableFuture<T> waiting, T value, Duration longest) {
        return at(longest, waiting, () -> waiting.complete(value));
    }

    /** Fails a future with a {@link TimeoutException}, unless it ends in time; returns that future. */
    public <T> CompletableFuture<T> fail(CompletableFuture<T> waiting, Duration longest) {
        return at(longest, waiting, () -> waiting.completeExceptionally(new TimeoutException()));
    }

    /** Does something short, later; false if it will not be done, since the timers are stopping. */
    public boolean after(Duration time, Runnable task) {
        return startOrNull(time, task) != null;
    }

    private <T> CompletableFuture<T> at(Duration time, CompletableFuture<T> waiting, Runnable end) {
        if (!waiting.isDone()) {
            Future<?> timer = startOrNull(time, end);
            if (timer != null) {
                waiting.whenComplete((result, failure) -> timer.cancel(false));
            }
        }
        return waiting;
    }

    private @Nullable Future<?> startOrNull(Duration time, Runnable task) {
        try {
            return timers.schedule(task, time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopping) {
            // See above.
            return null;
        }
    }
}
