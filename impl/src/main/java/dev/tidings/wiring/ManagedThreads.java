package dev.tidings.wiring;

import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The managed threads of the container that the application is deployed in.
 *
 * <p>Workers are a pool over the container's thread factory and not its default executor: that one has a single thread
 * on Payara (no core threads before an endless queue) and a few on WildFly, where one task that waits for the database
 * would hold up all others (law 5). A pool without work has no threads, so that it need not be shut down.
 */
final class ManagedThreads implements Threads {
    /** Blocking tasks at once. */
    private static final int WORKERS = 64;

    private static final int IDLE_SECONDS = 5;

    private final ExecutorService workers;
    private final ManagedThreadFactory factory;
    private final ManagedScheduledExecutorService timers;

    private ManagedThreads(ManagedThreadFactory factory, ManagedScheduledExecutorService timers) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                WORKERS, WORKERS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
        this.workers = pool;
        this.factory = factory;
        this.timers = timers;
    }

    @SuppressWarnings("BanJNDI") // the names are constants
    static ManagedThreads ofTheContainer() {
        try {
            InitialContext names = new InitialContext();
            return new ManagedThreads(
                    (ManagedThreadFactory) names.lookup("java:comp/DefaultManagedThreadFactory"),
                    (ManagedScheduledExecutorService) names.lookup("java:comp/DefaultManagedScheduledExecutorService"));
        } catch (NamingException e) {
            throw new IllegalStateException(
                    "this container has no managed threads; provide a bean of " + Threads.class);
        }
    }

    @Override
    public Executor workers() {
        return workers;
    }

    @Override
    public Executor runners() {
        return task -> factory.newThread(task).start();
    }

    @Override
    public ScheduledExecutorService timers() {
        return timers;
    }
}
