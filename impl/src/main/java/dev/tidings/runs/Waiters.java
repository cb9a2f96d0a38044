package dev.tidings.runs;

import dev.tidings.RunInfo;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/*
 * A run may end, be taken by another node or vanish without an event that reaches this one; then look() finds it by its
 * row. Who waits is noted before the run's row can be seen, so a row that is missing counts only the second time.
 */
/**
 * Who waits on this node for runs that are not live here: whoever asked for a turn, until it is taken; and the parents of
 * children, until those end.
 *
 * <p>Threads: any; {@link #look} one at a time.
 */
final class Waiters {
    private final StoredRuns reads;
    private final LiveTurns turns;
    private final Map<String, CompletableFuture<TurnResult>> asked = new ConcurrentHashMap<>();
    private final Map<String, Parent> parents = new ConcurrentHashMap<>();

    // Confined: the thread of look().
    private Set<String> missing = Set.of();

    private record Parent(Turn turn, Child child) {}

    Waiters(StoredRuns reads, LiveTurns turns) {
        this.reads = reads;
        this.turns = turns;
    }

    void ask(String runId, CompletableFuture<TurnResult> answer) {
        asked.put(runId, answer);
    }

    /** The answer that is waited for, for whoever takes the run; a new one if nobody waits. */
    CompletableFuture<TurnResult> take(String runId) {
        CompletableFuture<TurnResult> waiting = asked.remove(runId);
        return waiting == null ? new CompletableFuture<>() : waiting;
    }

    /** Whether an answer still waited to be taken. */
    boolean withdraw(String runId, CompletableFuture<TurnResult> answer) {
        return asked.remove(runId, answer);
    }

    void expect(Turn parent, Child child) {
        parents.put(child.runId(), new Parent(parent, child));
    }

    /** A turn has ended: it waits for nobody any more. */
    void forget(Turn parent) {
        if (parent.hasChildren()) {
            parents.values().removeIf(waiting -> waiting.turn() == parent);
        }
    }

    /** A run has ended that nobody had taken. */
    void ended(String runId, TurnResult result) {
        CompletableFuture<TurnResult> answer = asked.remove(runId);
        if (answer != null) {
            answer.complete(result);
        }
        childEnded(runId, new Child.End(result, ""));
    }

    void childEnded(String runId, Child.End end) {
        Parent parent = parents.remove(runId);
        if (parent != null) {
            parent.turn().ended(parent.child(), end);
        }
    }

    void clear() {
        parents.clear();
    }

    /** How many wait. */
    int size() {
        return asked.size() + parents.size();
    }

    /** Tells what came about elsewhere. */
    void look() {
        Set<String> seenMissing = new HashSet<>();
        Set<String> all = new HashSet<>(asked.keySet());
        all.addAll(parents.keySet());
        for (String runId : all) {
            Optional<RunInfo> row = reads.look(runId);
            if (turns.of(runId).isPresent()) {
                continue;
            }
            if (row.isPresent()) {
                tell(row.get());
            } else if (missing.contains(runId)) {
                ended(runId, new TurnResult.Ended(runId, "", true));
            } else {
                seenMissing.add(runId);
            }
        }
        missing = seenMissing;
    }

    /** Tells what a run's row says, if it is not live here. */
    void tell(RunInfo run) {
        if (run.status().terminal()) {
            TurnResult result = reads.result(run);
            String text = parents.containsKey(run.id()) ? reads.lastText(run) : "";
            childEnded(run.id(), new Child.End(result, text));
            ended(run.id(), result);
        } else if (StoredRuns.isLive(run)) {
            // Whoever takes a run here takes the answer with it: this one was taken by another node.
            CompletableFuture<TurnResult> answer = asked.remove(run.id());
            if (answer != null) {
                answer.complete(new TurnResult.Waiting(run.id()));
            }
        }
    }
}
