package dev.tidings.protocol.agents;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An executor, a timer and two clocks that stand still until a test moves them.
 *
 * <p>Threads: one.
 */
final class HandRun implements Executor, AgentsTimer {
    private record Due(long atNanos, long order, Runnable task) {}

    private final List<Runnable> tasks = new ArrayList<>();
    private @Nullable Random random;
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

    /** From now on takes any task that waits, as a pool of many threads would. */
    void shuffle(Random with) {
        random = with;
    }

    /** Runs one task; false if there is none. */
    boolean runOne() {
        if (tasks.isEmpty()) {
            return false;
        }
        tasks.remove(random == null ? 0 : random.nextInt(tasks.size())).run();
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
