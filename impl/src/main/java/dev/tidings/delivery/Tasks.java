package dev.tidings.delivery;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The executor, as the engine uses it: never under a lock, since it may run a task at once.
 *
 * <p>Threads: any.
 */
final class Tasks {
    private static final Logger LOG = System.getLogger("dev.tidings.delivery");

    /** More are hardly worth their hand-over, and others need threads, too. */
    private static final int MOST_AT_ONCE = 8;

    private final Executor executor;
    private final Trouble trouble;
    private final int atOnce;

    Tasks(Executor executor, Trouble trouble) {
        this(executor, trouble, Runtime.getRuntime().availableProcessors());
    }

    Tasks(Executor executor, Trouble trouble, int processors) {
        this.executor = executor;
        this.trouble = trouble;
        this.atOnce = Math.min(processors, MOST_AT_ONCE);
    }

    /** Into how many tasks work may be split that waits for nothing. */
    int atOnce() {
        return atOnce;
    }

    /** Hands a task over; false if the executor refused it, and then whoever asked tries again at the next tick. */
    boolean run(Runnable task) {
        assert EngineLock.noneHeld() : "a task is handed over under a lock";
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException refused) {
            LOG.log(Level.DEBUG, "the executor refused a task of the delivery engine");
            return false;
        } catch (RuntimeException | Error broken) {
            // A pool that cannot start a thread says so with an error.
            trouble.survived(broken, "the executor failed to take a task");
            return false;
        }
    }
}
