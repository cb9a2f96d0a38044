package dev.tidings.protocol.http;

import jakarta.servlet.AsyncContext;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * Gives requests that are answered later back to their container, and not before the container's thread has left them.
 *
 * <p>Payara (6 and 7, GlassFish likewise) puts a request that is given back earlier into its pool while its thread still has
 * a mark to leave in it. With that mark, the next client's socket that is closed as soon as it is open frees its request
 * below the thread that serves it, and from then on two connections may have the same request. That the thread has left can
 * be asked: the servlet specification lets a timeout be set until then. Other containers see to this by themselves.
 *
 * <p>Threads: any.
 */
final class Departure {
    private static final System.Logger LOG = System.getLogger(Departure.class.getName());

    private static final String OF_PAYARA = "org.apache.catalina.connector.";

    private static final Duration ONE_LOOK = Duration.ofMillis(1);

    /** A thread that takes longer is not what makes a container slow to forbid the timeout: this version never does. */
    private static final int LOOKS = 2_000;

    private final Executor executor;
    private final BiConsumer<Duration, Runnable> timer;

    /**
     * A way back.
     *
     * @param executor runs what may block
     * @param timer runs something after a while
     */
    Departure(Executor executor, BiConsumer<Duration, Runnable> timer) {
        this.executor = executor;
        this.timer = timer;
    }

    /** Completes it, now or when its thread has left. */
    void complete(AsyncContext context) {
        if (context.getClass().getName().startsWith(OF_PAYARA)) {
            look(context, LOOKS);
        } else {
            end(context);
        }
    }

    void look(AsyncContext context, int looks) {
        if (looks == 0 || hasLeft(context)) {
            // By another thread in any case: this one may be the container's, in one of its callbacks.
            executor.execute(() -> end(context));
        } else {
            timer.accept(ONE_LOOK, () -> look(context, looks - 1));
        }
    }

    private static boolean hasLeft(AsyncContext context) {
        try {
            context.setTimeout(context.getTimeout());
            return false;
        } catch (IllegalStateException left) {
            return true;
        }
    }

    private static void end(AsyncContext context) {
        try {
            context.complete();
        } catch (RuntimeException already) {
            LOG.log(System.Logger.Level.TRACE, "the container completed a request before its answer");
        }
    }
}
