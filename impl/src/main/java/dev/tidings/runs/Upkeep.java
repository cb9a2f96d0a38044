package dev.tidings.runs;

import dev.tidings.Approval;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.event.Signal;
import dev.tidings.spi.RunLedger;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What is done from time to time: the leases, what other nodes ask of the runs of this one, and what is left of nodes that
 * have died.
 *
 * <p>Threads: any; calls block on the ports.
 */
final class Upkeep {
    private static final System.Logger LOG = System.getLogger(Upkeep.class.getName());

    private final RunEngine.Ports ports;
    private final RunEngine.Surroundings around;
    private final RunLimits limits;
    private final RunStore store;
    private final LiveTurns turns;
    private final Deciding deciding;
    private final Acts acts;

    /** What follows from what is found. */
    interface Acts {

        /** An approval was decided. */
        void tell(Approval approval);

        /** A session may have a turn to begin. */
        void startNext(String sessionId);
    }

    Upkeep(
            RunEngine.Ports ports,
            RunEngine.Surroundings around,
            RunLimits limits,
            RunStore store,
            LiveTurns turns,
            Deciding deciding,
            Acts acts) {
        this.ports = ports;
        this.around = around;
        this.limits = limits;
        this.store = store;
        this.turns = turns;
        this.deciding = deciding;
        this.acts = acts;
    }

    /** Ends what an earlier life of this node, or a node that has died, left behind; then begins what is queued. */
    void recover() {
        renewLease();
        List<RunLedger.Orphan> orphans =
                ports.transactions().requiresNew(() -> ports.ledger().orphans(around.nodeId()));
        orphans.forEach(orphan -> endOrphan(orphan, 0));
        queuedSessions().forEach(acts::startNext);
    }

    /** The same for what other nodes left since. */
    void look() {
        List<RunLedger.Orphan> orphans =
                ports.transactions().requiresNew(() -> ports.ledger().abandoned());
        for (RunLedger.Orphan orphan : orphans) {
            // A lease of this node's own that was over for a moment ends nothing that lives here.
            if (turns.of(orphan.run().id()).isEmpty()) {
                endOrphan(orphan, 0);
            }
        }
        for (String sessionId : queuedSessions()) {
            if (turns.in(sessionId).isEmpty() && store.reads().live(sessionId).isEmpty()) {
                acts.startNext(sessionId);
            }
        }
    }

    private List<String> queuedSessions() {
        return ports.transactions().requiresNew(() -> ports.ledger().queuedSessions());
    }

    private void endOrphan(RunLedger.Orphan orphan, int tries) {
        RunInfo run = orphan.run();
        String sessionId = run.sessionId();
        try {
            StoredRuns.Cut cut = sessionId == null ? null : store.reads().cut(sessionId, run.id());
            if (sessionId != null && cut != null) {
                around.signals().accept(Signal.Partial.done(sessionId, cut.partialId()));
            }
            store.end(
                    run,
                    orphan.fence(),
                    new RunStore.Ending(
                            Outcome.Failed.INTERRUPTED,
                            TextLine.Pieces.NONE,
                            cut == null ? null : cut.message(),
                            null,
                            cut == null ? null : cut.partialId(),
                            store.reads().treeHasEntries(run)));
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "run {0} is not yet recovered", run.id());
            around.later().after(limits.retryAfter(tries), () -> endOrphan(orphan, tries + 1));
            return;
        }
        if (tries > 0 && sessionId != null) {
            acts.startNext(sessionId);
        }
    }

    /** Says that this node lives; takes up what other nodes ask of it, and what was lost on its way within it. */
    void renewLease() {
        ports.transactions().requiresNew(() -> {
            ports.ledger().renewLease(around.nodeId(), limits.lease());
            return true;
        });
        if (turns.isEmpty()) {
            return;
        }
        List<String> asked =
                ports.transactions().requiresNew(() -> ports.ledger().cancelsAsked(around.nodeId()));
        asked.forEach(runId -> turns.of(runId).ifPresent(this::cancel));
        long now = around.clock().millis();
        for (Turn turn : turns.all()) {
            try {
                lookAfter(turn, now);
            } catch (RuntimeException e) {
                // The trouble of one run is not that of the others.
                LOG.log(System.Logger.Level.WARNING, "run {0} could not be looked after", turn.runId());
            }
        }
    }

    private void cancel(Turn turn) {
        List<Turn> below = turns.below(turn);
        if (turn.cancel()) {
            below.forEach(Turn::cancel);
        }
    }

    private void lookAfter(Turn turn, long now) {
        if (store.reads().isOver(turn.runId())) {
            // Deleted with its session, or ended by a node that took this one for dead: its runner, which may wait for
            // people, works for nobody.
            turn.end(Outcome.Failed.INTERRUPTED);
            return;
        }
        if (!hasParent(turn)) {
            // It ended on another node, which cannot tell.
            cancel(turn);
            return;
        }
        Consumer<Approval> tell = acts::tell;
        for (String approvalId : turn.openApprovals()) {
            Optional<Approval> approval = store.reads().approval(approvalId);
            approval.filter(a -> a.status() != Approval.Status.PENDING).ifPresent(tell);
            approval.filter(a -> a.status() == Approval.Status.PENDING && a.expiresAt() <= now)
                    .flatMap(deciding::expire)
                    .ifPresent(tell);
        }
    }

    /** Whether a run is a root, or the one that started it lives or has ended well. */
    private boolean hasParent(Turn turn) {
        String parent = turn.claim().run().lineage().parentRunId();
        return parent == null
                || store.reads()
                        .look(parent)
                        .filter(run -> !run.status().terminal() || run.status() == RunStatus.SUCCEEDED)
                        .isPresent();
    }
}
