package dev.tidings.runs;

import dev.tidings.Approval;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.UnknownStreamException;
import dev.tidings.event.Signal;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.Approvals;
import dev.tidings.spi.Directory;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.RunLedger;
import dev.tidings.spi.Transactions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Trees. A run starts others through its writer, so that a child is stored behind what its parent reported before it, and
 * is claimed there at once. When a run has ended badly, its children of this node are cancelled, behind the transaction
 * of the end: a claim locks the parent's row, and so either sees that end or has registered its turn before it. A child
 * tells its parent of its end through `parents`, which holds nothing that a restart would miss: the parent ends with it.
 *
 * A turn in transactions. (1) The user's message and a queued run. (2) The claim: session streaming, run running, the
 * run's start. (3) Each message that the runner ends. (4) The end: the text so far, the run's end, the states. Between
 * any two the node may die: after (1) the run is still queued and is taken by the next claim or at the start, after (2)
 * it is an orphan and is ended at the start.
 *
 * Who is live. A claim looks, under the lock of the session's row, whether the session has a live run, and takes the
 * oldest queued one if it has not; it is tried after every message and after every end. So there is one live run a
 * session, and turns run in the order of their messages, whoever tries.
 *
 * Who is told. The future of a message is put into `asked` before its run can be seen; the turn that takes the run takes
 * the future. If it is still there when the message's own try is over, the turn waits behind another.
 *
 * Claims whose commit failed. A claim registers its turn before it commits, so that a stop never finds a running run
 * without a turn; if the commit throws, the run's row tells whether it happened.
 */
/**
 * The run engine.
 *
 * <p>Threads: any. Source: law 10, protocols A6.
 */
public final class RunEngine implements Runs {

    /** The ports that runs are stored through. */
    public record Ports(
            Transactions transactions,
            Directory directory,
            DirectoryWriter directoryWriter,
            RunLedger ledger,
            EventLog log,
            EventWriter events,
            Approvals approvals) {}

    /** Does something later, on a thread that may block. */
    @FunctionalInterface
    public interface Later {

        /** Does it when the time is over, or somewhat later. */
        void after(Duration time, Runnable task);
    }

    /**
     * What the engine runs in.
     *
     * @param nodeId {@code tidings.node.id}: who owns the runs that are taken here
     * @param clock wall time
     * @param runners gives each runner a thread for as long as it takes
     * @param writers runs the writers, which block on the database; at most one task a live run at a time. With fewer
     *     threads than live runs, sessions whose head is locked delay others (law 5)
     * @param later tries failed writes again
     * @param signals gets what is shown live, in the order of each run; only enqueues
     */
    public record Surroundings(
            String nodeId,
            InstantSource clock,
            Executor runners,
            Executor writers,
            Later later,
            Consumer<Signal> signals) {}

    private static final System.Logger LOG = System.getLogger(RunEngine.class.getName());
    private static final int STOP_TRIES = 3;

    private final Ports ports;
    private final Surroundings around;
    private final RunLimits limits;
    private final AgentRunner runner;
    private final RunStore store;
    private final Deciding deciding;
    private final DeltaBatches batches;
    private final Prompts prompts = new Prompts();
    private final Map<String, CompletableFuture<TurnResult>> asked = new ConcurrentHashMap<>();
    private final Map<String, Turn> turns = new ConcurrentHashMap<>();
    private final Map<String, Consumer<Child.End>> parents = new ConcurrentHashMap<>();
    private final Set<String> tryingLater = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean recovered = new AtomicBoolean();
    // Volatile: set once by close(), read by everybody.
    private volatile boolean closed;

    /** An engine; {@link #recover} begins its work. */
    public RunEngine(Ports ports, Surroundings around, RunLimits limits, AgentRunner runner) {
        this.ports = ports;
        this.around = around;
        this.limits = limits;
        this.runner = runner;
        store = new RunStore(ports, around.nodeId(), around.clock());
        deciding = new Deciding(ports, around.clock());
        batches = new DeltaBatches(ports.transactions(), ports.events(), around.writers(), around.later());
    }

    @Override
    public CompletionStage<TurnResult> message(UserMessage message, Consumer<String> alongside) {
        CompletableFuture<TurnResult> answer = new CompletableFuture<>();
        // More than one only if the container ran the transaction again.
        List<String> tried = new ArrayList<>();
        String runId;
        try {
            runId = store.ask(message, id -> {
                        tried.forEach(asked::remove);
                        tried.add(id);
                        asked.put(id, answer);
                        prompts.put(id, message.prompt());
                        alongside.accept(id);
                    })
                    .id();
        } catch (RuntimeException e) {
            tried.forEach(asked::remove);
            tried.forEach(prompts::takeOrNull);
            if (!(e instanceof UnknownStreamException)) {
                // The commit may have happened all the same, and then a run waits.
                startNextLater(message.sessionId(), 0);
            }
            throw e;
        }
        startNext(message.sessionId(), 0);
        boolean waits = asked.remove(runId, answer);
        return waits ? CompletableFuture.completedStage(new TurnResult.Queued(runId)) : answer.minimalCompletionStage();
    }

    @Override
    public boolean stop(String sessionId) {
        for (int i = 0; i < STOP_TRIES; i++) {
            Turn turn = turns.get(sessionId);
            if (turn != null) {
                Optional<Boolean> cancelled = cancel(turn);
                if (cancelled.isPresent()) {
                    return cancelled.get();
                }
            }
            Optional<String> cancelled = store.cancelQueued(sessionId);
            if (cancelled.isPresent()) {
                cancelledInQueue(sessionId, cancelled.get());
                return true;
            }
            if (!turns.containsKey(sessionId)) {
                return store.live(sessionId)
                        .filter(run -> !turns.containsKey(sessionId))
                        .map(run -> store.askCancel(run.id()))
                        .orElse(false);
            }
            // A claim came in between, and its turn is there now.
        }
        return false;
    }

    @Override
    public boolean cancel(String runId) {
        for (int i = 0; i < STOP_TRIES; i++) {
            Optional<Turn> turn = turnOf(runId);
            if (turn.isPresent()) {
                Optional<Boolean> cancelled = cancel(turn.get());
                if (cancelled.isPresent()) {
                    return cancelled.get();
                }
            }
            Optional<RunInfo> found = store.look(runId).filter(r -> !r.status().terminal());
            if (found.isEmpty()) {
                return false;
            }
            RunInfo run = found.get();
            if (run.status() == RunStatus.QUEUED) {
                if (store.cancelQueued(run)) {
                    cancelledInQueue(run.sessionId(), runId);
                    return true;
                }
            } else if (turnOf(runId).isEmpty()) {
                return store.askCancel(runId);
            }
            // A claim came in between, and its turn is there now.
        }
        return false;
    }

    private Optional<Turn> turnOf(String runId) {
        return turns.values().stream()
                .filter(turn -> turn.runId().equals(runId))
                .findFirst();
    }

    /**
     * Cancels a turn of this node and those below it.
     *
     * @return whether it was this that ended it; empty if its claim did not commit
     */
    private Optional<Boolean> cancel(Turn turn) {
        List<Turn> below = descendants(turn);
        boolean first = turn.cancel();
        if (first) {
            below.forEach(Turn::cancel);
        }
        Optional<TurnResult> result = turn.await(limits.stopWait());
        if (first) {
            below.forEach(child -> child.await(limits.stopWait()));
        }
        return result.map(end -> first && end instanceof TurnResult.Ended ended && ended.canceled());
    }

    private List<Turn> descendants(Turn top) {
        List<Turn> below = new ArrayList<>(childrenOf(top.runId()));
        for (int i = 0; i < below.size(); i++) {
            below.addAll(childrenOf(below.get(i).runId()));
        }
        return below;
    }

    private List<Turn> childrenOf(String runId) {
        return turns.values().stream()
                .filter(turn -> runId.equals(turn.claim().run().lineage().parentRunId()))
                .toList();
    }

    @Override
    public ApprovalResult decide(String sessionId, String approvalId, Approval.Status decision) {
        ApprovalResult result = deciding.decide(sessionId, approvalId, decision);
        if (result instanceof ApprovalResult.Decided decided) {
            tell(decided.approval());
        } else if (result instanceof ApprovalResult.Repeated repeated) {
            // The first answer may have been lost on its way to the runner, with its node or its thread.
            tell(repeated.approval());
        }
        return result;
    }

    private void tell(Approval approval) {
        turnOf(approval.runId()).ifPresent(turn -> turn.decided(approval.id(), approval.status()));
    }

    private void expireLater(Approval approval, Duration wait, int tries) {
        around.later().after(wait, () -> {
            if (closed) {
                return;
            }
            try {
                deciding.expire(approval).ifPresent(this::tell);
            } catch (RuntimeException | Error e) {
                if (turnOf(approval.runId()).isPresent()) {
                    expireLater(approval, limits.retryAfter(tries), tries + 1);
                }
            }
        });
    }

    private void cancelledInQueue(@Nullable String sessionId, String runId) {
        prompts.takeOrNull(runId);
        CompletableFuture<TurnResult> answer = asked.remove(runId);
        if (answer != null) {
            answer.complete(new TurnResult.Ended(runId, "", true));
        }
        tellParent(runId, new Child.End(new TurnResult.Ended(runId, "", true), ""));
        if (sessionId != null) {
            startNext(sessionId, 0);
        }
    }

    @Override
    public void recover() {
        if (!recovered.compareAndSet(false, true)) {
            throw new IllegalStateException("runs are recovered once");
        }
        renewLease();
        List<RunLedger.Orphan> orphans =
                ports.transactions().requiresNew(() -> ports.ledger().orphans(around.nodeId()));
        orphans.forEach(orphan -> endOrphan(orphan, 0));
        List<String> sessions =
                ports.transactions().requiresNew(() -> ports.ledger().queuedSessions());
        sessions.forEach(sessionId -> startNext(sessionId, 0));
    }

    private void endOrphan(RunLedger.Orphan orphan, int tries) {
        RunInfo run = orphan.run();
        String sessionId = run.sessionId();
        try {
            RunStore.Cut cut = sessionId == null ? null : store.cut(sessionId, run.id());
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
                            store.treeHasEntries(run)));
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "run {0} is not yet recovered", run.id());
            around.later().after(limits.retryAfter(tries), () -> endOrphan(orphan, tries + 1));
            return;
        }
        if (tries > 0 && sessionId != null) {
            startNext(sessionId, 0);
        }
    }

    @Override
    public void renewLease() {
        ports.transactions().requiresNew(() -> {
            ports.ledger().renewLease(around.nodeId(), limits.lease());
            return true;
        });
        if (!turns.isEmpty()) {
            takeUp();
        }
    }

    /** What other nodes ask of the runs of this one; also what was lost on its way within this one. */
    private void takeUp() {
        List<String> asked =
                ports.transactions().requiresNew(() -> ports.ledger().cancelsAsked(around.nodeId()));
        asked.forEach(runId -> turnOf(runId).ifPresent(turn -> {
            List<Turn> below = descendants(turn);
            if (turn.cancel()) {
                below.forEach(Turn::cancel);
            }
        }));
        long now = around.clock().millis();
        for (Turn turn : turns.values()) {
            try {
                lookAfter(turn, now);
            } catch (RuntimeException e) {
                // The trouble of one run is not that of the others.
                LOG.log(System.Logger.Level.WARNING, "run {0} could not be looked after", turn.runId());
            }
        }
    }

    private void lookAfter(Turn turn, long now) {
        if (store.isOver(turn.runId())) {
            // Deleted with its session, or ended by a node that took this one for dead: its runner, which may wait for
            // people, works for nobody.
            turn.end(Outcome.Failed.INTERRUPTED);
            return;
        }
        for (String approvalId : turn.openApprovals()) {
            Optional<Approval> approval = store.approval(approvalId);
            approval.filter(a -> a.status() != Approval.Status.PENDING).ifPresent(this::tell);
            approval.filter(a -> a.status() == Approval.Status.PENDING && a.expiresAt() <= now)
                    .flatMap(deciding::expire)
                    .ifPresent(this::tell);
        }
    }

    @Override
    public void close() {
        closed = true;
        turns.values().forEach(Turn::letGo);
        parents.clear();
    }

    /** Begins the turn that is next in a session, if none is live. */
    private void startNext(String sessionId, int tries) {
        if (closed) {
            return;
        }
        // The last one counts, if the container ran the transaction again.
        Deque<Turn> made = new ArrayDeque<>();
        boolean claimed;
        try {
            claimed = store.claim(sessionId, claim -> made.push(make(claim))).isPresent();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "the next turn of session {0} did not begin yet", sessionId);
            if (made.isEmpty()) {
                startNextLater(sessionId, tries);
            } else {
                settle(made.pop(), tries);
            }
            return;
        }
        if (claimed) {
            begin(made.pop());
        }
    }

    private void startNextLater(String sessionId, int tries) {
        if (tryingLater.add(sessionId)) {
            around.later().after(limits.retryAfter(tries), () -> {
                tryingLater.remove(sessionId);
                startNext(sessionId, tries + 1);
            });
        }
    }

    private Turn make(RunStore.Claim claim) {
        String runId = claim.run().id();
        CompletableFuture<TurnResult> waiting = asked.remove(runId);
        Turn turn = new Turn(
                claim,
                ports,
                store,
                runner,
                new Mailbox(limits.maxPendingBytes(), around.writers(), around.later()),
                limits.maxMessageBytes(),
                prompts.takeOrNull(runId),
                waiting == null ? new CompletableFuture<>() : waiting);
        turns.put(turn.sessionId(), turn);
        return turn;
    }

    private void begin(Turn turn) {
        TurnWriter writer = new TurnWriter(
                store,
                turn.claim(),
                limits,
                around.clock(),
                around.signals(),
                limits.storeDeltas() ? line(turn) : null,
                new WriterOwner(turn));
        turn.begin(writer, around.runners()::execute);
        if (closed) {
            turn.letGo();
        }
    }

    private TextLine line(Turn turn) {
        return new TextLine(
                new TextLine.Way(
                        turn.sessionId(),
                        turn.runId(),
                        turn.claim().fence(),
                        batches,
                        limits.deltaDelay(),
                        around.later(),
                        around.clock(),
                        System::nanoTime),
                turn);
    }

    /** What follows from what a turn's writer has done. */
    private final class WriterOwner implements TurnWriter.Owner {
        private final Turn turn;

        WriterOwner(Turn turn) {
            this.turn = turn;
        }

        @Override
        public void ended(TurnResult result, String lastText) {
            turns.remove(turn.sessionId(), turn);
            boolean well = result instanceof TurnResult.Ended ended && !ended.canceled();
            if (!well) {
                // Behind the end that was stored: a child whose claim came before it is registered, one whose claim
                // comes later sees it.
                childrenOf(turn.runId()).forEach(Turn::cancel);
            }
            turn.ended(result);
            tellParent(turn.runId(), new Child.End(result, lastText));
            startNext(turn.sessionId(), 0);
        }

        @Override
        public void fail(Outcome.Failed outcome) {
            turn.end(outcome);
        }

        @Override
        public void waiting() {
            turn.waiting();
        }

        @Override
        public void asked(Approval approval) {
            expireLater(approval, limits.approvalTimeout(), 0);
        }

        @Override
        public void starting(Child child) {
            // Before anybody else can see the child.
            parents.put(child.runId(), end -> turn.ended(child, end));
            prompts.put(child.runId(), child.asked().prompt());
        }

        @Override
        public void started(Child child) {
            startNext(child.sessionId(), 0);
            turn.started(child);
        }
    }

    private void tellParent(String runId, Child.End end) {
        Consumer<Child.End> parent = parents.remove(runId);
        if (parent != null) {
            parent.accept(end);
        }
    }

    /** Finds out whether a claim committed whose commit threw. */
    private void settle(Turn turn, int tries) {
        boolean live;
        try {
            live = store.look(turn.runId()).filter(RunStore::isLive).isPresent();
        } catch (RuntimeException | Error e) {
            around.later().after(limits.retryAfter(tries), () -> settle(turn, tries + 1));
            return;
        }
        // Looked at after the row: whoever took the run instead had registered its turn before it committed.
        if (live && turns.get(turn.sessionId()) == turn) {
            begin(turn);
            return;
        }
        asked.putIfAbsent(turn.runId(), turn.answer());
        turns.remove(turn.sessionId(), turn);
        turn.unmake();
        startNextLater(turn.sessionId(), tries);
    }
}
