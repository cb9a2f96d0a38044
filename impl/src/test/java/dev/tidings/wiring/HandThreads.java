package dev.tidings.wiring;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do something only when the test says so.
 *
 * <p>Threads: one.
 */
final class HandThreads implements Threads {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    final List<Timer> timers = new ArrayList<>();
    boolean rejects;
    // A pool that cannot start a thread.
    boolean noThread;

    // Confined: the test's thread. What waits for a pump.
    final ArrayDeque<Runnable> pumping = new ArrayDeque<>();
    boolean workersFull;

    /** What was given to the timers. */
    static final class Timer {
        final Runnable task;
        final Duration delay;
        final boolean repeats;
        boolean cancelled;

        Timer(Runnable task, Duration delay, boolean repeats) {
            this.task = task;
            this.delay = delay;
            this.repeats = repeats;
        }

        /** The time has come. */
        void fire() {
            if (!cancelled) {
                task.run();
            }
        }
    }

    /** Runs what waits for a worker, and what that adds. */
    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    int waiting() {
        return tasks.size();
    }

    @Override
    public Executor workers() {
        return task -> {
            refuse();
            if (noThread) {
                throw new OutOfMemoryError("as the test wants");
            }
            if (workersFull) {
                throw new RejectedExecutionException("full");
            }
            tasks.add(task);
        };
    }

    @Override
    public Executor pumps() {
        return pumping::add;
    }

    @Override
    public Executor runners() {
        return workers();
    }

    @Override
    public ScheduledExecutorService timers() {
        return proxy(ScheduledExecutorService.class, (name, arguments) -> switch (name) {
            case "schedule" -> timer(arguments, 1, false);
            case "scheduleWithFixedDelay" -> timer(arguments, 2, true);
            default -> throw new UnsupportedOperationException(name);
        });
    }

    private Object timer(Object[] arguments, int delayAt, boolean repeats) {
        refuse();
        TimeUnit unit = (TimeUnit) arguments[delayAt + 1];
        Timer timer = new Timer(
                (Runnable) arguments[0], Duration.of((Long) arguments[delayAt], unit.toChronoUnit()), repeats);
        timers.add(timer);
        return proxy(ScheduledFuture.class, (name, unused) -> {
            if (name.equals("cancel")) {
                timer.cancelled = true;
                return true;
            }
            throw new UnsupportedOperationException(name);
        });
    }

    private void refuse() {
        if (rejects) {
            throw new RejectedExecutionException("stopping");
        }
    }

    /** What a stand-in answers. */
    interface Answering {
        @Nullable
        Object answer(String name, Object[] arguments) throws Throwable;
    }

    /** A stand-in for an interface of which a test needs few methods. */
    static <T> T proxy(Class<T> type, Answering answering) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    return switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(self);
                        case "equals" -> self == arguments[0];
                        case "toString" -> type.getSimpleName();
                        default -> answering.answer(method.getName(), arguments == null ? new Object[0] : arguments);
                    };
                }));
    }
}
