package dev.tidings.protocol.agents;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * An executor, a timer and two clocks that stand still until a test moves them.
 *
 * <p>Threads: one.
 */
final class HandRun implements Executor, AgentsTimer {
    private record Due(long atNanos, long order, Runnable task) {}

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final PriorityQueue<Due> timers =
            new PriorityQueue<>(Comparator.comparing(Due::atNanos).thenComparing(Due::order));
    private long nanos;
    private long order;

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public void after(Duration delay, Runnable task) {
        timers.add(new Due(nanos + delay.toNanos(), order++, task));
    }

    long nanos() {
        return nanos;
    }

    long timersRunning() {
        return timers.size();
    }

    int waiting() {
        return tasks.size();
    }

    /** Runs one task; false if there is none. */
    boolean runOne() {
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    /** Runs tasks until none is left. */
    void runAll() {
        for (int run = 0; runOne(); run++) {
            if (run > 100_000) {
                throw new AssertionError("tasks without end");
            }
        }
    }

    /** Lets time pass, firing timers and running tasks when they are due. */
    void pass(Duration time) {
        long until = nanos + time.toNanos();
        while (!timers.isEmpty() && timers.peek().atNanos() <= until) {
            Due due = timers.remove();
            nanos = Math.max(nanos, due.atNanos());
            due.task().run();
            runAll();
        }
        nanos = until;
        runAll();
    }
}
