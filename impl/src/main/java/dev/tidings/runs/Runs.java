package dev.tidings.runs;

import dev.tidings.Approval;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The door of the run engine: turns are asked for, stopped and recovered here.
 *
 * <p>Threads: any. Source: law 10.
 */
public interface Runs {

    /**
     * Stores a user's message and a queued run for it, in one transaction, and starts the run if the session has no
     * other. Turns of a session run one at a time, in the order of their messages. Blocks for two transactions of its
     * own; called without one. Throws what the ports throw if the message is not known to be stored.
     *
     * @return done when the turn has ended; with {@link TurnResult.Waiting} as soon as it waits for people or for other
     *     runs; at once, with {@link TurnResult.Queued}, if it stands behind a live run; what depends on it runs on the
     *     writer's thread and must not block
     */
    default CompletionStage<TurnResult> message(UserMessage message) {
        return message(message, runId -> {});
    }

    /**
     * The same, with something more in the transaction that stores the message.
     *
     * @param alongside given the run's id inside the transaction; what it throws rolls it back and is thrown on
     */
    CompletionStage<TurnResult> message(UserMessage message, Consumer<String> alongside);

    /**
     * Cancels the live run of a session and all runs below it, else the queued one that is next. Queued turns behind it
     * run. Blocks for short transactions of its own only, whatever the run does; throws what the ports throw.
     *
     * @return done when the end is stored: false if there was no run, or if its end was decided before. True at once for a
     *     run that another node works on: that node ends it within a third of its lease. Fails if the end is not stored
     *     within {@link RunLimits#stopWait}; it is stored later all the same. What depends on it must not block
     */
    CompletionStage<Boolean> stop(String sessionId);

    /**
     * Cancels a run and all runs below it, whether it works, waits or is queued; otherwise as {@link #stop}.
     *
     * @return as that of {@link #stop}
     */
    CompletionStage<Boolean> cancel(String runId);

    /**
     * Decides an approval. Of any number that try, one decides; the others are told what was decided. Blocks for a
     * transaction of its own; called without one. Throws what the ports throw if the outcome is not known: ask again.
     * That the caller may decide is the caller's to check. A run that another node works on hears of it at that node's
     * next round.
     *
     * @param decision {@link Approval.Status#GRANTED} or {@link Approval.Status#DENIED}
     */
    ApprovalResult decide(String sessionId, String approvalId, Approval.Status decision);

    /**
     * Ends what a stopped node left behind, once, as failed with {@code interrupted_by_restart}; then starts the turns
     * that are queued. Of a message that was not ended the text that was stored is kept, as an interrupted one;
     * without {@code tidings.log.store-deltas} that is none. Called once, before anything else.
     */
    void recover();

    /**
     * Says that this node lives, and takes up what other nodes ask of its runs: cancels and decisions. Called well within
     * its lease.
     */
    void renewLease();

    /**
     * Looks for what nobody told of: ends the runs of nodes that have died, begins turns that wait and whose node did not
     * begin them, and tells whoever waits here for a run of the ends that came about elsewhere. Called every {@code
     * tidings.runs.recheck}, by one thread at a time.
     */
    void look();

    /**
     * Ends nothing: stops taking runs and lets go of the runners' threads; the next start ends what was live. Messages are
     * still stored, and their turns queued.
     */
    void close();
}
