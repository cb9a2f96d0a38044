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
 * of the end: a claim locks the parent's row, and so either sees that end or has registered its turn before it. One that
 * lives on another node is cancelled there, at that node's next round. A child tells its parent of its end through the
 * waiters, which hold nothing that a restart would miss: the parent ends with it.
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
 * Who is told. The answer to a message is given to the waiters before its run can be seen; the turn that takes the run
 * takes the answer. If it is still there when the message's own try is over, the turn waits behind another.
 *
 * Claims whose commit failed. A claim registers its turn before it commits, so that a stop never finds a running run
 * without a turn; if the commit throws, the run's row tells whether it happened. If it did not, the answer goes back to
 * the waiters or to whoever has taken the run since, and stops that were given to the turn are given again.
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
     * @param deadlines keep waiting callers to the limits
     * @param signals gets what is shown live, in the order of each run; only enqueues
     */
    public record Surroundings(
            String nodeId,
            InstantSource clock,
            Executor runners,
            Executor writers,
            Later later,
            Deadlines deadlines,
            Consumer<Signal> signals) {}

    private static final System.Logger LOG = System.getLogger(RunEngine.class.getName());

    private final Ports ports;
    private final Surroundings around;
    private final RunLimits limits;
    private final AgentRunner runner;
    private final RunStore store;
    private final Deciding deciding;
    private final DeltaBatches batches;
    private final Prompts prompts = new Prompts();
    private final LiveTurns turns = new LiveTurns();
    private final Waiters waiters;
    private final Cancelling cancelling;
    private final Upkeep upkeep;
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
        waiters = new Waiters(store.reads(), turns);
        cancelling = new Cancelling(
                store, turns, around.writers(), around.deadlines(), limits.stopWait(), this::cancelledInQueue);
        upkeep = new Upkeep(ports, around, limits, store, turns, deciding, new Upkeep.Acts() {
            @Override
            public void tell(Approval approval) {
                RunEngine.this.tell(approval);
            }

            @Override
            public void startNext(String sessionId) {
                RunEngine.this.startNext(sessionId, 0);
            }
        });
    }

    @Override
    public CompletionStage<TurnResult> message(UserMessage message, Consumer<String> alongside) {
        CompletableFuture<TurnResult> answer = new CompletableFuture<>();
        // More than one only if the container ran the transaction again.
        List<String> tried = new ArrayList<>();
        String runId;
        try {
            runId = store.ask(message, id -> {
                        tried.forEach(before -> waiters.withdraw(before, answer));
                        tried.add(id);
                        waiters.ask(id, answer);
                        prompts.put(id, message.prompt());
                        alongside.accept(id);
                    })
                    .id();
        } catch (RuntimeException e) {
            tried.forEach(before -> waiters.withdraw(before, answer));
            tried.forEach(prompts::takeOrNull);
            if (!(e instanceof UnknownStreamException)) {
                // The commit may have happened all the same, and then a run waits.
                startNextLater(message.sessionId(), 0);
            }
            throw e;
        }
        startNext(message.sessionId(), 0);
        boolean waits = waiters.withdraw(runId, answer);
        return waits ? CompletableFuture.completedStage(new TurnResult.Queued(runId)) : answer.minimalCompletionStage();
    }

    @Override
    public CompletionStage<Boolean> stop(String sessionId) {
        return cancelling.stop(sessionId);
    }

    @Override
    public CompletionStage<Boolean> cancel(String runId) {
        return cancelling.cancel(runId);
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
        turns.of(approval.runId()).ifPresent(turn -> turn.decided(approval.id(), approval.status()));
    }

    private void expireLater(Approval approval, Duration wait, int tries) {
        around.later().after(wait, () -> {
            if (closed) {
                return;
            }
            try {
                deciding.expire(approval).ifPresent(this::tell);
            } catch (RuntimeException | Error e) {
                if (turns.of(approval.runId()).isPresent()) {
                    expireLater(approval, limits.retryAfter(tries), tries + 1);
                }
            }
        });
    }

    private void cancelledInQueue(@Nullable String sessionId, String runId) {
        prompts.takeOrNull(runId);
        waiters.ended(runId, new TurnResult.Ended(runId, "", true));
        if (sessionId != null) {
            startNext(sessionId, 0);
        }
    }

    @Override
    public void recover() {
        if (!recovered.compareAndSet(false, true)) {
            throw new IllegalStateException("runs are recovered once");
        }
        upkeep.recover();
    }

    @Override
    public void renewLease() {
        upkeep.renewLease();
    }

    @Override
    public void look() {
        upkeep.look();
        waiters.look();
    }

    @Override
    public void close() {
        closed = true;
        turns.all().forEach(Turn::letGo);
        waiters.clear();
    }

    /** How many wait on this node for runs that are not live here. */
    int waiting() {
        return waiters.size();
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
            claimed = store.claim(sessionId, claim -> {
                        made.forEach(this::withdraw);
                        made.push(make(claim));
                    })
                    .isPresent();
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
        Turn turn = new Turn(
                claim,
                ports,
                store,
                runner,
                new Mailbox(limits.maxPendingBytes(), around.writers(), around.later()),
                limits.maxMessageBytes(),
                prompts.takeOrNull(runId),
                waiters.take(runId));
        turns.put(turn);
        return turn;
    }

    /** Takes back a turn whose transaction is run again: who waits for it waits for the next. */
    private void withdraw(Turn turn) {
        if (turns.in(turn.sessionId()).filter(turn::equals).isPresent()) {
            turns.remove(turn);
            waiters.askAgain(turn.runId(), turn.answer());
            turn.unmake();
        }
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
            turns.remove(turn);
            waiters.forget(turn);
            boolean well = result instanceof TurnResult.Ended ended && !ended.canceled();
            if (!well) {
                // Behind the end that was stored: a child whose claim came before it is registered, one whose claim
                // comes later sees it.
                turns.childrenOf(turn.runId()).forEach(Turn::cancel);
            }
            turn.ended(result);
            waiters.childEnded(turn.runId(), new Child.End(result, lastText));
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
            waiters.expect(turn, child);
            prompts.put(child.runId(), child.asked().prompt());
        }

        @Override
        public void started(Child child) {
            waiters.stored(child);
            startNext(child.sessionId(), 0);
            turn.started(child);
        }
    }

    /** Finds out whether a claim committed whose commit threw. */
    private void settle(Turn turn, int tries) {
        RunStore.Fate fate;
        try {
            fate = store.fate(turn.claim());
        } catch (RuntimeException | Error e) {
            around.later().after(limits.retryAfter(tries), () -> settle(turn, tries + 1));
            return;
        }
        // Looked at after the row: whoever took the run instead had registered its turn before it committed.
        boolean registered = turns.in(turn.sessionId()).filter(turn::equals).isPresent();
        if (fate.ours() && registered) {
            begin(turn);
            return;
        }
        turns.remove(turn);
        if (turn.cancelled() && fate.row().filter(this::cancelledInItsQueue).isPresent()) {
            turn.cancelledInQueue();
            cancelledInQueue(turn.sessionId(), turn.runId());
            return;
        }
        handBack(turn, fate.row());
        // Behind the answer: a stop that is given again may end the run in its queue.
        turn.unmake();
        startNextLater(turn.sessionId(), tries);
    }

    /** Gives the run what was given to its turn, before it can begin again. */
    private boolean cancelledInItsQueue(RunInfo run) {
        try {
            return run.status() == RunStatus.QUEUED && store.cancelQueued(run);
        } catch (RuntimeException e) {
            // Then the cancel is given again, by whoever gave it.
            return false;
        }
    }

    /** Gives the answer of a turn that was none to whoever has its run. */
    private void handBack(Turn turn, Optional<RunInfo> row) {
        CompletableFuture<TurnResult> answer = turn.answer();
        if (row.isEmpty()) {
            waiters.ended(turn.runId(), new TurnResult.Ended(turn.runId(), "", true));
            answer.complete(new TurnResult.Ended(turn.runId(), "", true));
            return;
        }
        waiters.askAgain(turn.runId(), answer);
        turns.of(turn.runId())
                .filter(other -> waiters.withdraw(turn.runId(), answer))
                .ifPresent(other -> other.answer().thenAccept(answer::complete));
        try {
            waiters.tell(row.get());
        } catch (RuntimeException e) {
            // Then the next look tells.
            LOG.log(System.Logger.Level.DEBUG, "the end of run {0} is not told yet", turn.runId());
        }
    }
}
