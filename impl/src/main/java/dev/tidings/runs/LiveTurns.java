package dev.tidings.runs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The live runs of this node, one a session; among them those whose claim is still to be settled.
 *
 * <p>Threads: any.
 */
final class LiveTurns {
    private final Map<String, Turn> turns = new ConcurrentHashMap<>();

    void put(Turn turn) {
        turns.put(turn.sessionId(), turn);
    }

    /** Takes a turn out, if it is that session's. */
    void remove(Turn turn) {
        turns.remove(turn.sessionId(), turn);
    }

    boolean isEmpty() {
        return turns.isEmpty();
    }

    Collection<Turn> all() {
        return turns.values();
    }

    Optional<Turn> in(String sessionId) {
        return Optional.ofNullable(turns.get(sessionId));
    }

    Optional<Turn> of(String runId) {
        return turns.values().stream()
                .filter(turn -> turn.runId().equals(runId))
                .findFirst();
    }

    /** The children of a run that live here. */
    List<Turn> childrenOf(String runId) {
        return turns.values().stream()
                .filter(turn -> runId.equals(turn.claim().run().lineage().parentRunId()))
                .toList();
    }

    /** Everything below a turn that lives here, parents before their children. */
    List<Turn> below(Turn top) {
        List<Turn> below = new ArrayList<>(childrenOf(top.runId()));
        for (int i = 0; i < below.size(); i++) {
            below.addAll(childrenOf(below.get(i).runId()));
        }
        return below;
    }
}
