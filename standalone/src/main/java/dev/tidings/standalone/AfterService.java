package dev.tidings.standalone;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.glassfish.grizzly.threadpool.AbstractThreadPool;
import org.glassfish.grizzly.threadpool.ThreadPoolProbe;
import org.jspecify.annotations.Nullable;

/**
 * What one request's work must wait with until the container's thread has left the servlet.
 *
 * <p>Grizzly recycles a request as soon as it is completed, also while the thread that called the servlet is still
 * using it; then an answer could land in another client's response. So the end of an asynchronous request, and the
 * first call of its listeners, wait here until that thread's task is over.
 *
 * <p>Threads: safe for use by many threads.
 */
final class AfterService {
    /** Of the request that this worker is in. */
    private static final ThreadLocal<@Nullable AfterService> CURRENT = new ThreadLocal<>();

    private static final ThreadLocal<@Nullable Boolean> IN_TASK = new ThreadLocal<>();

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean over;

    /** Tells of the end of a worker's task; to be added to the pool that calls the servlets. */
    static ThreadPoolProbe probe() {
        return new ThreadPoolProbe.Adapter() {
            @Override
            public void onTaskDequeueEvent(AbstractThreadPool pool, Runnable task) {
                releaseCurrent(); // a task that threw did not tell of its end
                IN_TASK.set(true);
            }

            @Override
            public void onTaskCompleteEvent(AbstractThreadPool pool, Runnable task) {
                IN_TASK.remove();
                releaseCurrent();
            }
        };
    }

    /** In a loop: the end of one request can be where Grizzly begins with the connection's next, on this thread. */
    private static void releaseCurrent() {
        for (AfterService current = CURRENT.get(); current != null; current = CURRENT.get()) {
            CURRENT.remove();
            current.release();
        }
    }

    /**
     * Runs the end of a request like a worker's task. On whatever thread that is, Grizzly may go on with the connection's
     * next request before the call returns, and that one must wait until it has.
     */
    private static void asTask(Runnable end) {
        if (IN_TASK.get() != null) {
            end.run();
            return;
        }
        IN_TASK.set(true);
        try {
            end.run();
        } finally {
            IN_TASK.remove();
        }
    }

    /** The servlet has returned. On a thread without a probe (a second request in one packet) this is the best moment. */
    void serviceReturned() {
        if (IN_TASK.get() == null) {
            release();
            return;
        }
        releaseCurrent(); // an earlier request of the same task
        CURRENT.set(this);
    }

    /** Runs on the container's thread when that is out; if it is out already, {@code late} decides where. */
    void run(Runnable work, java.util.function.Consumer<Runnable> late) {
        boolean now;
        lock.lock();
        try {
            now = over;
            if (!now) {
                waiting.add(work);
            }
        } finally {
            lock.unlock();
        }
        if (now) {
            late.accept(() -> {
                asTask(work);
                if (IN_TASK.get() == null) {
                    releaseCurrent();
                }
            });
        }
    }

    private void release() {
        while (true) {
            Runnable next;
            lock.lock();
            try {
                next = waiting.poll();
                if (next == null) {
                    over = true;
                    return;
                }
            } finally {
                lock.unlock();
            }
            asTask(next);
        }
    }
}
