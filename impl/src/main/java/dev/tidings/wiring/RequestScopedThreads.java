package dev.tidings.wiring;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Threads on which ports and runners find a request context: one for each task of the workers and of the runners. Pumps,
 * sockets and timers call no bean of the application, and get none.
 *
 * <p>Threads: any.
 */
final class RequestScopedThreads implements Threads {
    private final Threads threads;
    private final Executor workers;
    private final Executor runners;

    RequestScopedThreads(Threads threads, RequestScope scope) {
        this.threads = threads;
        Executor plainWorkers = threads.workers();
        Executor plainRunners = threads.runners();
        this.workers = task -> plainWorkers.execute(() -> scope.around(task));
        this.runners = task -> plainRunners.execute(() -> scope.around(task));
    }

    @Override
    public Executor workers() {
        return workers;
    }

    @Override
    public Executor pumps() {
        return threads.pumps();
    }

    @Override
    public Executor sockets() {
        return threads.sockets();
    }

    @Override
    public Executor runners() {
        return runners;
    }

    @Override
    public ScheduledExecutorService timers() {
        return threads.timers();
    }

    @Override
    public void stop() {
        threads.stop();
    }
}
