package dev.tidings.protocol.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Runs tasks on another executor, so many at once and no more; others wait, first come first served. No thread waits.
 *
 * <p>Its queue is as long as its users make it: a socket has one task here at a time.
 *
 * <p>Threads: any.
 */
public final class BoundedExecutor implements Executor {
    private final Executor executor;
    private final int most;
    private final Consumer<Runnable> dropped;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int running;

    /**
     * So many at once.
     *
     * @param dropped gets each task that waited here and will never run, because the other executor takes no more
     */
    public BoundedExecutor(Executor executor, int most, Consumer<Runnable> dropped) {
        this.executor = executor;
        this.most = most;
        this.dropped = dropped;
    }

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            if (running == most) {
                waiting.add(task);
                return;
            }
            running++;
        } finally {
            lock.unlock();
        }
        try {
            start(task);
        } catch (RejectedExecutionException full) {
            throw full;
        } catch (RuntimeException | Error noThread) {
            // A pool that cannot start a thread says so with an error, once; the place must not be lost for ever.
            lock.lock();
            try {
                running--;
            } finally {
                lock.unlock();
            }
            throw noThread;
        }
    }

    private void start(Runnable task) {
        try {
            executor.execute(() -> runAndGoOn(task));
        } catch (RejectedExecutionException full) {
            List<Runnable> never;
            lock.lock();
            try {
                running--;
                never = List.copyOf(waiting);
                waiting.clear();
            } finally {
                lock.unlock();
            }
            never.forEach(dropped);
            throw full;
        }
    }

    private void goOn(Runnable next) {
        try {
            start(next);
        } catch (RejectedExecutionException full) {
            dropped.accept(next);
        } catch (RuntimeException | Error noThread) {
            // This one is at hand.
            runAndGoOn(next);
        }
    }

    private void runAndGoOn(Runnable task) {
        try {
            task.run();
        } finally {
            Runnable next;
            lock.lock();
            try {
                next = waiting.poll();
                if (next == null) {
                    running--;
                }
            } finally {
                lock.unlock();
            }
            if (next != null) {
                goOn(next);
            }
        }
    }
}
