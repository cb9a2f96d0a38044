package dev.tidings.runs;

import java.util.concurrent.CompletionStage;

/**
 * The door of the run engine: turns are asked for, stopped and recovered here.
 *
 * <p>Threads: any. Source: law 10.
 */
public interface Runs {

    /**
     * Stores a user's message and a queued run for it, in one transaction, and starts the run if the session has no
     * other. Throws what the ports throw if nothing was stored.
     *
     * @return done when the turn has ended; at once, with {@link TurnResult.Queued}, if it waits behind a live run
     */
    CompletionStage<TurnResult> message(UserMessage message);

    /** Cancels the active run of a session; false if there is none. Returns when the cancel is stored. */
    boolean stop(String sessionId);

    /** Ends what a stopped node left behind, then starts the turns that are queued. Called once, before anything else. */
    void recover();

    /** Says that this node lives; called well within its lease. */
    void renewLease();

    /** Cancels nothing: stops taking new runs and lets go of the threads. */
    void close();
}
