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

    private final Executor executor;
    private final Trouble trouble;

    Tasks(Executor executor, Trouble trouble) {
        this.executor = executor;
        this.trouble = trouble;
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
