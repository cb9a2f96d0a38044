package dev.tidings.standalone;

import dev.tidings.wiring.Threads;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads that Tidings works on, in place of a container's managed ones.
 *
 * <p>Daemon threads on Java 17 to 23. From Java 24 on, where a virtual thread no longer holds its carrier inside
 * {@code synchronized} (the database drivers block there), runners are virtual threads, found by reflection because the
 * code is compiled for 17.
 */
final class ServerThreads implements Threads, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ServerThreads.class.getName());

    /** Tasks at once; they wait for the database, whose pool is smaller. */
    private static final int WORKERS = 64;

    /** Tasks at once that wait for nothing. */
    private static final int PUMPS = 8;

    /** Closes and pings at once, which may wait for a peer. */
    private static final int SOCKETS = 16;

    private static final int FIRST_UNPINNED_JAVA = 24;
    private static final int STOP_SECONDS = 5;

    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor pumps;
    private final ThreadPoolExecutor sockets;
    private final ThreadFactory runners;
    private final ScheduledThreadPoolExecutor timers;

    ServerThreads() {
        workers = pool(WORKERS, "tidings");
        pumps = pool(PUMPS, "pump");
        sockets = pool(SOCKETS, "socket");
        runners = Runtime.version().feature() >= FIRST_UNPINNED_JAVA ? virtual("runner") : daemons("runner");
        timers = new ScheduledThreadPoolExecutor(1, daemons("timer"));
        timers.setRemoveOnCancelPolicy(true);
    }

    private static ThreadPoolExecutor pool(int threads, String name) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public Executor workers() {
        return workers;
    }

    @Override
    public Executor pumps() {
        return pumps;
    }

    @Override
    public Executor sockets() {
        return sockets;
    }

    @Override
    public Executor runners() {
        return task -> runners.newThread(task).start();
    }

    @Override
    public ScheduledExecutorService timers() {
        return timers;
    }

    /** Lets what is under way end: an interrupt in the middle of H2's file access would close the database. */
    @Override
    public void close() {
        timers.shutdownNow();
        workers.shutdown();
        try {
            if (!workers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(System.Logger.Level.WARNING, "some work did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Last: workers hand it what they found.
        pumps.shutdown();
        sockets.shutdown();
    }

    static ThreadFactory daemons(String name) {
        AtomicLong number = new AtomicLong();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            // Not the default handler: it prints what reaches no log.
            thread.setUncaughtExceptionHandler(
                    (failed, unexpected) -> LOG.log(System.Logger.Level.ERROR, "a task failed unexpectedly"));
            return thread;
        };
    }

    private static ThreadFactory virtual(String name) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class, long.class).invoke(builder, name + "-", 1L);
            return (ThreadFactory) type.getMethod("factory").invoke(named);
        } catch (ReflectiveOperationException e) {
            return daemons(name);
        }
    }
}
