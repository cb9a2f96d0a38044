package dev.tidings.wiring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Work that comes round on a worker, never two rounds of one kind at once; a round that fails does not stop the next. */
final class Rounds {
    private static final System.Logger LOG = System.getLogger(Rounds.class.getName());

    private final Threads threads;
    private final List<Future<?>> timers = new CopyOnWriteArrayList<>();
    // Volatile: set once by stop().
    private volatile boolean stopped;

    Rounds(Threads threads) {
        this.threads = threads;
    }

    /** Work that may block. */
    void every(Duration interval, String name, Runnable work) {
        every(interval, name, threads.workers(), work);
    }

    /** Work that waits for nothing, and must not wait for what does (law 5). */
    void everyLive(Duration interval, String name, Runnable work) {
        every(interval, name, threads.pumps(), work);
    }

    private void every(Duration interval, String name, Executor executor, Runnable work) {
        AtomicBoolean running = new AtomicBoolean();
        timers.add(threads.timers()
                .scheduleWithFixedDelay(
                        () -> start(name, executor, work, running),
                        interval.toNanos(),
                        interval.toNanos(),
                        TimeUnit.NANOSECONDS));
    }

    private void start(String name, Executor executor, Runnable work, AtomicBoolean running) {
        if (stopped || !running.compareAndSet(false, true)) {
            return;
        }
        try {
            executor.execute(() -> {
                try {
                    if (!stopped) {
                        work.run();
                    }
                } catch (RuntimeException e) {
                    LOG.log(System.Logger.Level.WARNING, "the round of {0} failed and comes again", name);
                } finally {
                    running.set(false);
                }
            });
        } catch (RejectedExecutionException busyOrStopping) {
            running.set(false);
        } catch (RuntimeException | Error noThread) {
            // A pool that cannot start a thread says so with an error; a timer whose task throws never fires again.
            running.set(false);
            LOG.log(System.Logger.Level.WARNING, "the round of {0} found no thread and comes again", name);
        }
    }

    void stop() {
        stopped = true;
        timers.forEach(timer -> timer.cancel(false));
    }
}
