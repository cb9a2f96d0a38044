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
 * row. Who waits is noted before the run's row can be seen, and looked after once the row is known to be stored.
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
    private final Map<String, Asked> asked = new ConcurrentHashMap<>();
    private final Map<String, Parent> parents = new ConcurrentHashMap<>();

    private record Asked(CompletableFuture<TurnResult> answer, boolean stored) {}

    private record Parent(Turn turn, Child child, boolean stored) {}

    Waiters(StoredRuns reads, LiveTurns turns) {
        this.reads = reads;
        this.turns = turns;
    }

    /** Somebody asks for a turn that is about to be stored. */
    void ask(String runId, CompletableFuture<TurnResult> answer) {
        asked.put(runId, new Asked(answer, false));
    }

    /** Somebody waits on for a turn that is stored and was not taken after all. */
    void askAgain(String runId, CompletableFuture<TurnResult> answer) {
        asked.put(runId, new Asked(answer, true));
    }

    /** The answer that is waited for, for whoever takes the run; a new one if nobody waits. */
    CompletableFuture<TurnResult> take(String runId) {
        Asked waiting = asked.remove(runId);
        return waiting == null ? new CompletableFuture<>() : waiting.answer();
    }

    /** Whether an answer still waited to be taken. */
    boolean withdraw(String runId, CompletableFuture<TurnResult> answer) {
        Asked waiting = asked.get(runId);
        return waiting != null && waiting.answer().equals(answer) && asked.remove(runId, waiting);
    }

    /** A parent waits for a child that is about to be stored. */
    void expect(Turn parent, Child child) {
        parents.put(child.runId(), new Parent(parent, child, false));
    }

    /** The child is stored. */
    void stored(Child child) {
        parents.computeIfPresent(child.runId(), (id, waiting) -> new Parent(waiting.turn(), waiting.child(), true));
    }

    /** A turn has ended: it waits for nobody any more. */
    void forget(Turn parent) {
        if (parent.hasChildren()) {
            parents.values().removeIf(waiting -> waiting.turn().equals(parent));
        }
    }

    /** A run has ended that nobody had taken. */
    void ended(String runId, TurnResult result) {
        answer(runId, result);
        childEnded(runId, new Child.End(result, ""));
    }

    private void answer(String runId, TurnResult result) {
        Asked waiting = asked.remove(runId);
        if (waiting != null) {
            waiting.answer().complete(result);
        }
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
        Set<String> stored = new HashSet<>();
        asked.forEach((runId, waiting) -> add(runId, waiting.stored(), stored));
        parents.forEach((runId, waiting) -> add(runId, waiting.stored(), stored));
        for (String runId : stored) {
            Optional<RunInfo> row = reads.look(runId);
            if (turns.of(runId).isPresent()) {
                continue;
            }
            row.ifPresentOrElse(this::tell, () -> ended(runId, new TurnResult.Ended(runId, "", true)));
        }
    }

    private static void add(String runId, boolean stored, Set<String> to) {
        if (stored) {
            to.add(runId);
        }
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
            answer(run.id(), new TurnResult.Waiting(run.id()));
        }
    }
}
