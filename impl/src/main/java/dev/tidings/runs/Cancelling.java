package dev.tidings.runs;

import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Where a run is when it is cancelled, and what happens: a turn of this node is told and answers when its end is stored; a
 * queued run is ended in its row; a run of another node is asked for. Between any two looks a claim may come; its turn is
 * registered before it commits, so that whoever found the run live and no turn looks once more.
 *
 * A turn whose claim did not commit is no answer: the cancel is given again, by whoever settled the claim. That also
 * happens when the caller has given up waiting, so that a cancel is never lost with a claim.
 */
/**
 * Cancels runs. No thread waits for an end to be stored.
 *
 * <p>Threads: any; calls block on the ports for short transactions.
 */
final class Cancelling {
    private static final int TRIES = 8;

    private final RunStore store;
    private final LiveTurns turns;
    private final Executor writers;
    private final Deadlines deadlines;
    private final Duration longestWait;
    private final BiConsumer<@Nullable String, String> cancelledInQueue;

    /**
     * A canceller.
     *
     * @param writers where a cancel is given again
     * @param cancelledInQueue told of a queued run that was ended: its session and its id
     */
    Cancelling(
            RunStore store,
            LiveTurns turns,
            Executor writers,
            Deadlines deadlines,
            Duration longestWait,
            BiConsumer<@Nullable String, String> cancelledInQueue) {
        this.store = store;
        this.turns = turns;
        this.writers = writers;
        this.deadlines = deadlines;
        this.longestWait = longestWait;
        this.cancelledInQueue = cancelledInQueue;
    }

    /** {@link Runs#stop}. */
    CompletionStage<Boolean> stop(String sessionId) {
        return inTime(stop(sessionId, TRIES));
    }

    /** {@link Runs#cancel}. */
    CompletionStage<Boolean> cancel(String runId) {
        return inTime(cancel(runId, TRIES));
    }

    private CompletionStage<Boolean> inTime(CompletableFuture<Boolean> cancelled) {
        // A copy: what is left to be done goes on when nobody waits for it any more.
        return cancelled.isDone()
                ? cancelled
                : deadlines.fail(cancelled.copy(), longestWait).minimalCompletionStage();
    }

    private CompletableFuture<Boolean> stop(String sessionId, int tries) {
        Optional<Turn> turn = turns.in(sessionId);
        if (turn.isPresent()) {
            return cancel(turn.get(), () -> stop(sessionId, tries - 1));
        }
        Optional<String> queued = store.cancelQueued(sessionId);
        if (queued.isPresent()) {
            cancelledInQueue.accept(sessionId, queued.get());
            return CompletableFuture.completedFuture(true);
        }
        Optional<RunInfo> live = store.reads().live(sessionId);
        return live.isPresent() && turns.in(sessionId).isPresent()
                ? again(tries, () -> stop(sessionId, tries - 1))
                : CompletableFuture.completedFuture(
                        live.map(run -> store.askCancel(run.id())).orElse(false));
    }

    private CompletableFuture<Boolean> cancel(String runId, int tries) {
        Optional<Turn> turn = turns.of(runId);
        if (turn.isPresent()) {
            return cancel(turn.get(), () -> cancel(runId, tries - 1));
        }
        Optional<RunInfo> found =
                store.reads().look(runId).filter(r -> !r.status().terminal());
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(false);
        }
        RunInfo run = found.get();
        if (run.status() == RunStatus.QUEUED) {
            if (store.cancelQueued(run)) {
                cancelledInQueue.accept(run.sessionId(), runId);
                return CompletableFuture.completedFuture(true);
            }
            return again(tries, () -> cancel(runId, tries - 1));
        }
        return turns.of(runId).isPresent()
                ? again(tries, () -> cancel(runId, tries - 1))
                : CompletableFuture.completedFuture(store.askCancel(runId));
    }

    private static CompletableFuture<Boolean> again(int tries, Supplier<CompletableFuture<Boolean>> next) {
        return tries > 0
                ? next.get()
                : CompletableFuture.failedFuture(new IllegalStateException("a run is taken again and again"));
    }

    /**
     * Cancels a turn of this node and those below it.
     *
     * @param again for a turn whose claim did not commit
     * @return whether it was this that ended it
     */
    private CompletableFuture<Boolean> cancel(Turn turn, Supplier<CompletableFuture<Boolean>> again) {
        List<Turn> below = turns.below(turn);
        boolean first = turn.cancel();
        if (first) {
            below.forEach(Turn::cancel);
        }
        CompletableFuture<?> ended = first
                ? CompletableFuture.allOf(below.stream().map(Turn::settled).toArray(CompletableFuture<?>[]::new))
                : CompletableFuture.completedFuture(true);
        return turn.settled().thenCompose(result -> {
            if (result.isEmpty()) {
                return CompletableFuture.supplyAsync(again, writers).thenCompose(Function.identity());
            }
            boolean canceled = result.get() instanceof TurnResult.Ended end && end.canceled();
            return ended.thenApply(all -> first && canceled);
        });
    }
}
