package dev.tidings.runs;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Deadlines of a daemon thread that all tests share. */
public final class TestDeadlines {
    private static final ScheduledExecutorService TIMERS = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "deadlines of tests");
        thread.setDaemon(true);
        return thread;
    });

    private TestDeadlines() {}

    /** The deadlines. */
    public static Deadlines shared() {
        return new Deadlines(TIMERS);
    }
}
