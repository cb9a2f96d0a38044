package dev.tidings.protocol.http;

import jakarta.servlet.AsyncContext;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How one request that is answered later goes back to its container: once, and not before the container's thread has left it.
 *
 * <p>Payara (6 and 7, GlassFish likewise) puts a request that is given back earlier into its pool while its thread still has
 * a mark to leave in it. With that mark, the next client's socket that is closed as soon as it is open frees its request
 * below the thread that serves it, and from then on two connections may have the same request. That the thread leaves can
 * be asked: the servlet specification lets a timeout be set until then. Other containers see to this by themselves.
 *
 * <p>Threads: any.
 */
public final class Departure {
    private static final System.Logger LOG = System.getLogger(Departure.class.getName());

    private static final String OF_PAYARA = "org.apache.catalina.connector.";

    private static final Duration ONE_LOOK = Duration.ofMillis(1);

    /** A thread that takes longer is not what makes a container slow to forbid the timeout: this version never does. */
    private static final int LOOKS = 2_000;

    private final AsyncContext context;
    private final Executor executor;
    private final Timer timer;
    private final AtomicBoolean over = new AtomicBoolean();

    /** Runs something after a while. */
    @FunctionalInterface
    interface Timer {

        /** False if it will not. */
        boolean after(Duration time, Runnable task);
    }

    /**
     * The way back of one request.
     *
     * @param executor runs what a container may block in
     */
    Departure(AsyncContext context, Executor executor, Timer timer) {
        this.context = context;
        this.executor = executor;
        this.timer = timer;
    }

    /** Gives it back: now, or when its thread has left. */
    public void complete() {
        if (context.getClass().getName().startsWith(OF_PAYARA)) {
            look(LOOKS);
        } else {
            completeNow();
        }
    }

    /** The same where the container calls because the request fails or takes too long, and would answer it itself behind that. */
    public void completeNow() {
        if (over.compareAndSet(false, true)) {
            try {
                context.complete();
            } catch (RuntimeException already) {
                LOG.log(System.Logger.Level.TRACE, "the container completed a request before its answer");
            }
        }
    }

    /** The container has it back; from now on nothing is done with it. */
    public void completed() {
        over.set(true);
    }

    private void look(int looks) {
        if (over.get()) {
            return;
        }
        // One look more than needed: the mark is left a moment behind the last timeout that could be set.
        // And by another thread in any case: this one may be the container's, in one of its callbacks.
        boolean leaves = looks == 0 || isLeaving();
        Runnable next = leaves ? () -> executor.execute(this::completeNow) : () -> look(looks - 1);
        if (!timer.after(ONE_LOOK, next)) {
            // The application stops, and so do its timers.
            executor.execute(this::completeNow);
        }
    }

    private boolean isLeaving() {
        try {
            context.setTimeout(context.getTimeout());
            return false;
        } catch (IllegalStateException leaves) {
            return true;
        }
    }
}
