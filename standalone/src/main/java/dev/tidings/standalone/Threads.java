package dev.tidings.standalone;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads the application's own work runs on, in place of a container's managed executor.
 *
 * <p>Daemon threads on Java 17 to 23. From Java 24 on, where a virtual thread no longer holds its carrier inside
 * {@code synchronized} (the database drivers block there), virtual threads, found by reflection because the code is
 * compiled for 17.
 */
final class Threads {
    /** Blocking tasks at once. A platform thread costs a stack, so they end after a while without work. */
    private static final int PLATFORM_THREADS = 64;

    private static final int VIRTUAL_THREADS = 1024;
    private static final int FIRST_UNPINNED_JAVA = 24;

    private Threads() {}

    /** A scheduler whose tasks may block; cancelled tasks leave its queue at once. The caller shuts it down. */
    static ScheduledExecutorService scheduler(String name) {
        boolean virtual = Runtime.version().feature() >= FIRST_UNPINNED_JAVA;
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(
                virtual ? VIRTUAL_THREADS : PLATFORM_THREADS, virtual ? virtualThreads(name) : daemons(name));
        scheduler.setRemoveOnCancelPolicy(true);
        scheduler.setKeepAliveTime(30, TimeUnit.SECONDS);
        scheduler.allowCoreThreadTimeOut(true);
        return scheduler;
    }

    static ThreadFactory daemons(String name) {
        AtomicLong number = new AtomicLong();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static ThreadFactory virtualThreads(String name) {
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
