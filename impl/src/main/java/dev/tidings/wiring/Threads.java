package dev.tidings.wiring;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The threads that Tidings works on. A bean of this type replaces the container's managed ones; the runnable server
 * brings its own.
 *
 * <p>Threads: any.
 */
public interface Threads {

    /** Runs short tasks, any number at once; they may wait for a database, never for a socket. */
    Executor workers();

    /**
     * Runs short tasks that wait for nothing: what is shown live. Apart from the workers, since those may all be waiting
     * for a database or for a lock in it (law 5); the workers, where nobody gives others.
     */
    default Executor pumps() {
        return workers();
    }

    /**
     * Runs what a container may block in: closing sockets and pinging them. Apart from the workers, so that sockets that
     * are stuck cost no database work, and a database that is stuck costs no socket (law 5); the workers, where nobody
     * gives others.
     */
    default Executor sockets() {
        return workers();
    }

    /** Runs agents: each task may take as long as a turn, and has a thread of its own. */
    Executor runners();

    /** Timers; a task only starts work on the others. */
    ScheduledExecutorService timers();

    /** Tidings has stopped and starts no timer any more; what it started is forgotten. Nothing, where the host does it. */
    default void stop() {}
}
