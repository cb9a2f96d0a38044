package dev.tidings.wiring;

import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
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
 *
 * <p>Where the factory makes virtual threads, they are pooled all the same: the pools are bounds, and save no
 * threads.
 *
 * <p>Timers are ours for another reason: the container's scheduler serves all applications, and keeps what was cancelled
 * until its time comes, with the class loader of an application that is long gone. That of an approval comes after days.
 */
final class ManagedThreads implements Threads {
    private static final System.Logger LOG = System.getLogger(ManagedThreads.class.getName());

    /** Blocking tasks at once. */
    private static final int WORKERS = 64;

    /** Tasks at once that wait for nothing; more than processors, should a container's send wait after all. */
    private static final int PUMPS = 16;

    /** Closes and pings at once, which may wait for a peer. */
    private static final int SOCKETS = 16;

    private static final int IDLE_SECONDS = 5;

    private final ExecutorService workers;
    private final ExecutorService pumps;
    private final ExecutorService sockets;
    private final ManagedThreadFactory factory;
    private final ScheduledThreadPoolExecutor timers;

    ManagedThreads(ManagedThreadFactory factory) {
        this.workers = pool(WORKERS, factory);
        this.pumps = pool(PUMPS, factory);
        this.sockets = pool(SOCKETS, factory);
        this.factory = factory;
        this.timers = new ScheduledThreadPoolExecutor(1, task -> quiet(factory.newThread(task)));
        timers.setRemoveOnCancelPolicy(true);
    }

    private static ExecutorService pool(int threads, ManagedThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> quiet(factory.newThread(task)));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** What no task caught is logged without its words: they may hold what reaches no log. */
    private static Thread quiet(Thread thread) {
        thread.setUncaughtExceptionHandler(
                (failed, unexpected) -> LOG.log(System.Logger.Level.ERROR, "a task failed unexpectedly"));
        return thread;
    }

    /** Those of the factory with that name; threads may be virtual, if the factory makes such. */
    @SuppressWarnings("BanJNDI") // the name is one of java:, so it leads to no other directory
    static ManagedThreads ofTheContainer(String name) {
        try {
            InitialContext names = new InitialContext();
            return new ManagedThreads((ManagedThreadFactory) names.lookup(name));
        } catch (NamingException | ClassCastException none) {
            throw new IllegalStateException(
                    "this container has no managed threads of the name that " + TidingsConfig.THREAD_FACTORY.name()
                            + " gives; define such a factory, or provide a bean of " + Threads.class,
                    none);
        }
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
        return task -> quiet(factory.newThread(task)).start();
    }

    @Override
    public ScheduledExecutorService timers() {
        return timers;
    }

    @Override
    public void stop() {
        timers.shutdownNow();
    }
}
