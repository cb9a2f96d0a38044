package dev.tidings.transport;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * An executor that runs tasks when the test says so.
 *
 * <p>Threads: one.
 */
final class HandExecutor implements Executor {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    boolean rejects;

    @Override
    public void execute(Runnable task) {
        if (rejects) {
            throw new RejectedExecutionException("stopping");
        }
        tasks.add(task);
    }

    /** Runs what waits, and what that adds. */
    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
