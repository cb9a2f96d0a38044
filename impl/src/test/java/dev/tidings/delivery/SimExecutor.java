package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * An executor run by hand, in random order, or at once.
 *
 * <p>Threads: one.
 */
final class SimExecutor implements Executor {
    private final Random random;
    private final boolean inline;
    private final List<Runnable> tasks = new ArrayList<>();
    boolean refusing;
    boolean refuseAll;

    SimExecutor(Random random, boolean inline) {
        this.random = random;
        this.inline = inline;
    }

    @Override
    public void execute(Runnable task) {
        assertTrue(EngineLock.noneHeld(), "law 8: the executor is called under a lock");
        if (refuseAll) {
            throw new RejectedExecutionException();
        }
        if (refusing && random.nextInt(3) == 0) {
            if (random.nextInt(4) == 0) {
                throw new MadeUp.OutOfMemory();
            }
            throw new RejectedExecutionException();
        }
        if (inline) {
            task.run();
        } else {
            tasks.add(task);
        }
    }

    /** Adds something that happens at some time, inline or not. */
    void later(Runnable task) {
        tasks.add(task);
    }

    /** Forgets what was to be done. */
    void clear() {
        tasks.clear();
    }

    /** How many tasks wait. */
    int size() {
        return tasks.size();
    }

    /** Runs one task; false if there was none. */
    boolean runOne() {
        if (tasks.isEmpty()) {
            return false;
        }
        tasks.remove(random.nextInt(tasks.size())).run();
        return true;
    }

    /** Runs tasks until there are none. */
    void runAll() {
        int left = 200_000;
        while (runOne()) {
            assertTrue(left-- > 0, "the engine does not come to rest");
        }
    }
}
