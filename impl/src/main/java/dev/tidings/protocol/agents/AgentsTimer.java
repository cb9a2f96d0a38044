package dev.tidings.protocol.agents;

import java.time.Duration;

/**
 * Does something later, once.
 *
 * <p>Threads: any. The task is short and does not block; it runs on any thread, or never when the server stops.
 */
@FunctionalInterface
public interface AgentsTimer {

    /** Runs the task when at least this time has passed. */
    void after(Duration delay, Runnable task);
}
