package dev.tidings.wiring;

import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;

/**
 * A request context around what calls the application's beans on a thread that has none: one of ours, or the one that
 * starts the application.
 *
 * <p>Threads: any.
 */
final class RequestScope {
    private final Instance<RequestContextController> contexts;

    RequestScope(Instance<RequestContextController> contexts) {
        this.contexts = contexts;
    }

    /** Runs a task in a context of its own, or in the one that the thread has already. */
    void around(Runnable task) {
        RequestContextController context;
        try {
            context = contexts.get();
        } catch (RuntimeException | Error none) {
            // The container stops, or memory is short. A task that never runs is one that somebody waits for for ever.
            task.run();
            return;
        }
        try {
            runWithin(context, task);
        } finally {
            // A dependent bean lives as long as what it was got from, which is as long as the application.
            contexts.destroy(context);
        }
    }

    private static void runWithin(RequestContextController context, Runnable task) {
        boolean mine = context.activate();
        try {
            task.run();
        } finally {
            if (mine) {
                context.deactivate();
            }
        }
    }
}
