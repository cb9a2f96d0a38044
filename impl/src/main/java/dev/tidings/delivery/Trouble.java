package dev.tidings.delivery;

import dev.tidings.spi.Counters.Counter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/**
 * What the loops of the engine do with a throwable that nobody expected, errors included: the server's log says in words
 * what happened, neither class nor text is shown (law 9), and the loop goes on. One bad event, one bad sink or a moment without memory must not leave a stream
 * or a socket waiting for ever.
 *
 * <p>Threads: any.
 */
final class Trouble {
    private static final Logger LOG = System.getLogger("dev.tidings.delivery");

    // Volatile: set by tests alone, which must not lose the failed assertions of their fakes.
    private static volatile Consumer<Throwable> watcher = trouble -> {};

    private final Tally tally;

    Trouble(Tally tally) {
        this.tally = tally;
    }

    /** Shows a test every throwable that is survived. */
    static void watch(Consumer<Throwable> test) {
        watcher = test;
    }

    /** Survives a throwable. */
    void survived(Throwable trouble, String what) {
        tally.add(Counter.FAULTS, 1);
        watcher.accept(trouble);
        try {
            LOG.log(Level.ERROR, "{0}: {1}", what, FaultWords.of(trouble));
        } catch (RuntimeException | Error logging) {
            // There is nothing more to say it with.
            watcher.accept(logging);
        }
    }

    /** Runs a step that must not keep the next one from being done; false if it failed. */
    boolean guarded(Runnable step, String what) {
        try {
            step.run();
            return true;
        } catch (RuntimeException | Error trouble) {
            survived(trouble, what);
            return false;
        }
    }
}
