package dev.tidings.protocol.agents;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The places of tools that people use by hand: so many at once, each on a thread of its own, so that tools which take long
 * keep nobody else from anything (law 5).
 *
 * <p>Threads: any.
 */
final class ToolPlaces {
    private final Executor threads;
    private final int most;
    private final AtomicInteger taken = new AtomicInteger();

    /** @param threads gives each task a thread for as long as it takes */
    ToolPlaces(Executor threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    /** Takes a place; false if there is none. */
    boolean take() {
        if (taken.incrementAndGet() <= most) {
            return true;
        }
        taken.decrementAndGet();
        return false;
    }

    /** Gives back a place that was not used. */
    void free() {
        taken.decrementAndGet();
    }

    /** Uses a place that was taken; it is free again when the tool returns, or if no thread is to be had, which is thrown. */
    void use(Runnable tool) {
        boolean started = false;
        try {
            threads.execute(() -> {
                try {
                    tool.run();
                } finally {
                    free();
                }
            });
            started = true;
        } finally {
            if (!started) {
                free();
            }
        }
    }

    /** How many are taken. */
    int taken() {
        return taken.get();
    }
}
