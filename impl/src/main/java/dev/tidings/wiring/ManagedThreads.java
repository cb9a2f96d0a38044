package dev.tidings.wiring;

import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** The managed threads of the container that the application is deployed in. */
final class ManagedThreads implements Threads {
    private final ManagedExecutorService workers;
    private final ManagedThreadFactory factory;
    private final ManagedScheduledExecutorService timers;

    private ManagedThreads(
            ManagedExecutorService workers, ManagedThreadFactory factory, ManagedScheduledExecutorService timers) {
        this.workers = workers;
        this.factory = factory;
        this.timers = timers;
    }

    @SuppressWarnings("BanJNDI") // the names are constants
    static ManagedThreads ofTheContainer() {
        try {
            InitialContext names = new InitialContext();
            return new ManagedThreads(
                    (ManagedExecutorService) names.lookup("java:comp/DefaultManagedExecutorService"),
                    (ManagedThreadFactory) names.lookup("java:comp/DefaultManagedThreadFactory"),
                    (ManagedScheduledExecutorService) names.lookup("java:comp/DefaultManagedScheduledExecutorService"));
        } catch (NamingException e) {
            throw new IllegalStateException(
                    "this container has no managed executors; provide a bean of " + Threads.class);
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
