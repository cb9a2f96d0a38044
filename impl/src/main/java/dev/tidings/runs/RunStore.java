package dev.tidings.runs;

import dev.tidings.Approval;
import dev.tidings.EntryKind;
import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.Versioned;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.RunFence;
import dev.tidings.spi.RunPlan;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of runs, each a new one. Those that begin or end a run lock the session's row first and the run's
 * after it, so that whoever looks whether a session has a live run sees no other answer until it has committed. Of
 * several sessions or runs, parents come before their children; approvals come behind all of them.
 *
 * <p>Threads: safe for use by many threads; every call blocks on a database. Errors: what the ports throw.
 */
final class RunStore {

    private final RunEngine.Ports ports;
    private final String nodeId;
    private final InstantSource clock;
    private final RunIds ids;
    private final StoredRuns reads;

    RunStore(RunEngine.Ports ports, String nodeId, InstantSource clock) {
        this.ports = ports;
        this.nodeId = nodeId;
        this.clock = clock;
        ids = new RunIds(clock);
        reads = new StoredRuns(ports, clock);
    }

    /** The same, for reading. */
    StoredRuns reads() {
        return reads;
    }

    /** A run that this node took, with all that a turn needs. */
    record Claim(RunInfo run, SessionInfo session, RunFence fence) {}

    /**
     * What a run's end stores besides its status.
     *
     * @param journalled whether the run may have written to its tree, and must be shut out there too
     */
    record Ending(
            Outcome outcome,
            TextLine.Pieces pieces,
            @Nullable NewEntry lastMessage,
            @Nullable RunUsage usage,
            @Nullable String openPartialId,
            boolean journalled) {}

    /**
     * Stores a user's message and a queued run for it.
     *
     * @param beforeCommit told of the run before anybody else can see it
     */
    RunInfo ask(UserMessage message, Consumer<String> beforeCommit) {
        StreamKey stream = StreamKey.session(message.sessionId());
        return ports.transactions().requiresNew(() -> {
            SessionInfo session =
                    lockSession(message.sessionId()).orElseThrow(() -> new UnknownStreamException(stream));
            // Stamped under the session's lock: the order of the turns is the order of their messages.
            RunIds.Stamp stamp = ids.next();
            RunInfo run = queued(message, session, stamp);
            ports.events()
                    .append(
                            stream,
                            new NewEntry(
                                    EntryIds.prompt(run.id()),
                                    EntryKind.EVENT,
                                    true,
                                    message.event(),
                                    null,
                                    stamp.millis()));
            ports.directoryWriter().create(run);
            beforeCommit.accept(run.id());
            return run;
        });
    }

    private static RunInfo queued(UserMessage message, SessionInfo session, RunIds.Stamp stamp) {
        return new RunInfo(
                stamp.id(),
                session.account(),
                stamp.id(),
                RunInfo.Lineage.ROOT,
                "agent",
                session.agentId(),
                session.id(),
                "user",
                message.title(),
                RunStatus.QUEUED,
                null,
                null,
                stamp.millis(),
                null,
                null,
                stamp.millis());
    }

    /**
     * Takes the oldest queued run of a session, unless it has a live one.
     *
     * @param beforeCommit told of the claim before anybody else can see it
     */
    Optional<Claim> claim(String sessionId, Consumer<Claim> beforeCommit) {
        return ports.transactions().requiresNew(() -> {
            Optional<RunInfo> next = lockSession(sessionId).flatMap(session -> nextQueued(sessionId));
            while (next.isPresent() && !parentStands(next.get())) {
                cancelLocked(next.get());
                next = nextQueued(sessionId);
            }
            Optional<Claim> claim = next.map(run -> claimLocked(sessionId, run));
            claim.ifPresent(beforeCommit);
            return claim;
        });
    }

    /** Whether the run that started this one lives or ended well; its row is locked, so that its end sees the claim. */
    private boolean parentStands(RunInfo run) {
        String parent = run.lineage().parentRunId();
        return parent == null
                || lockRun(parent)
                        .filter(p -> StoredRuns.isLive(p) || p.status() == RunStatus.SUCCEEDED)
                        .isPresent();
    }

    private Claim claimLocked(String sessionId, RunInfo queued) {
        long now = clock.millis();
        SessionInfo session = changeSession(sessionId, s -> s.withStatus(SessionStatus.STREAMING, now))
                .orElseThrow(() -> new UnknownStreamException(StreamKey.session(sessionId)));
        RunInfo run = ports.directoryWriter()
                .changeRun(queued.id(), r -> r.withStatus(RunStatus.RUNNING, now))
                .orElseThrow(() -> new IllegalStateException("a queued run is gone"))
                .value();
        RunFence fence = ports.ledger().take(run.id(), nodeId);
        StreamKey stream = StreamKey.session(sessionId);
        ports.events().openFence(stream, fence);
        ports.events()
                .append(
                        stream,
                        new NewEntry(
                                EntryIds.started(run.id(), fence.attempt()),
                                EntryKind.RUN_STARTED,
                                false,
                                RunJson.started(run.id()),
                                run.id(),
                                now));
        return new Claim(run, session, fence);
    }

    /**
     * What became of a claim whose commit threw.
     *
     * @param row the run; empty if it is gone
     * @param ours whether the claim committed
     */
    record Fate(Optional<RunInfo> row, boolean ours) {}

    Fate fate(Claim claim) {
        return ports.transactions().requiresNew(() -> {
            Optional<RunInfo> row = reads.look(claim.run().id());
            // Another node that took the run instead has the same attempt: the number of one that rolled back is free.
            boolean ours =
                    row.filter(StoredRuns::isLive).isPresent() && ports.ledger().owns(nodeId, claim.fence());
            return new Fate(row, ours);
        });
    }

    /** Stores entries of a live run, all of them or none. */
    void append(String sessionId, TextLine.Pieces entries, RunFence fence) {
        ports.transactions().requiresNew(() -> {
            appendMissing(sessionId, entries, fence.runId(), fence);
            return true;
        });
    }

    private void appendMissing(String sessionId, TextLine.Pieces entries, String runId, @Nullable RunFence fence) {
        String doubtful = entries.doubtful();
        String there = doubtful != null && reads.stored(sessionId, runId, doubtful) ? doubtful : "";
        for (NewEntry entry : entries.entries()) {
            if (!entry.id().equals(there)) {
                ports.events().append(StreamKey.session(sessionId), entry, fence);
            }
        }
    }

    /**
     * Whether the rows and the head that a run writes to can be had now. If not, a write that failed failed for want of
     * them, and not for what it holds.
     */
    boolean isFree(Claim claim) {
        StreamKey session = StreamKey.session(claim.session().id());
        return ports.transactions()
                .requiresNew(() -> lockSession(session.id()).isPresent()
                        && lockRun(claim.run().id()).isPresent()
                        && ports.events().holdFree(Set.of(session)).contains(session));
    }

    /**
     * Stores an entry of a live run's journal. Its right to write to the tree is opened with the first one: most runs
     * write nothing there, and need not take the tree's head.
     */
    void journal(RunInfo run, NewEntry entry, RunFence fence, boolean first) {
        StreamKey tree = StreamKey.run(run.rootRunId());
        ports.transactions().requiresNew(() -> {
            if (first) {
                changeLive(fence, r -> r);
                ports.events().openFence(tree, fence);
            }
            ports.events().append(tree, entry, fence);
            return true;
        });
    }

    /** Stores a run's plan in its row and its session's. */
    void plan(Claim claim, RunPlan plan) {
        ports.transactions().requiresNew(() -> {
            long now = clock.millis();
            Payload json = RunJson.plan(plan, claim.run().id(), now);
            changeSession(claim.session().id(), s -> s.withPlan(json, now));
            return changeLive(
                    claim.fence(),
                    r -> r.withStatus(r.status(), now).withDetails(RunJson.with(r.details(), "plan", json), r.usage()));
        });
    }

    /** A live run waits. */
    void waiting(RunFence fence, Payload wait) {
        ports.transactions().requiresNew(() -> waitLocked(fence, wait));
    }

    private RunInfo waitLocked(RunFence fence, Payload wait) {
        return changeLive(
                fence,
                r -> r.withStatus(RunStatus.WAITING, clock.millis())
                        .withDetails(RunJson.with(r.details(), "wait", wait), r.usage()));
    }

    /** A live run goes on. */
    void resume(RunFence fence) {
        ports.transactions()
                .requiresNew(() -> changeLive(
                        fence,
                        r -> r.withStatus(RunStatus.RUNNING, clock.millis()).withDetails(withoutWait(r), r.usage())));
    }

    /** Stores that a live run asks for an approval, and waits for it. */
    void ask(Approval approval, Payload input, RunFence fence) {
        ports.transactions().requiresNew(() -> {
            waitLocked(fence, RunJson.waitForApproval(approval));
            ports.approvals().ask(approval);
            ports.events()
                    .append(
                            StreamKey.session(approval.sessionId()),
                            new NewEntry(
                                    approval.id(),
                                    EntryKind.APPROVAL,
                                    true,
                                    RunJson.approvalRequested(approval, input),
                                    approval.runId(),
                                    approval.createdAt()),
                            fence);
            return true;
        });
    }

    /** Changes a live run of this attempt; whoever has ended it or taken it over shuts this attempt out. */
    private RunInfo changeLive(RunFence fence, UnaryOperator<RunInfo> change) {
        if (!ports.ledger().holds(fence)) {
            throw new FencedException(fence.runId());
        }
        return ports.directoryWriter()
                .changeRun(fence.runId(), r -> {
                    if (!StoredRuns.isLive(r)) {
                        throw new FencedException(fence.runId());
                    }
                    return change.apply(r);
                })
                .orElseThrow(() -> new FencedException(fence.runId()))
                .value();
    }

    /** The ids of a child that is not stored yet. */
    Child newChild(ChildRun asked) {
        RunIds.Stamp stamp = ids.next();
        return new Child(asked, stamp.id(), ids.next().id(), stamp.millis(), new Answer<>(), new Answer<>());
    }

    /** Stores a child of a live run: its session, what it is told, and the run, queued. Both parents tell their count. */
    void start(Claim parent, Child child) {
        ports.transactions().requiresNew(() -> {
            String parentSession = parent.session().id();
            SessionInfo session = lockSession(parentSession)
                    .orElseThrow(() -> new UnknownStreamException(StreamKey.session(parentSession)));
            ports.directoryWriter().create(childSession(session, child));
            changeSession(parentSession, s -> s.withStatus(s.status(), child.createdAt()));
            changeLive(parent.fence(), r -> r);
            ports.directoryWriter().create(childRun(parent, child));
            changeLive(parent.fence(), r -> r.withStatus(r.status(), child.createdAt()));
            ports.events()
                    .append(
                            StreamKey.session(child.sessionId()),
                            new NewEntry(
                                    EntryIds.prompt(child.runId()),
                                    EntryKind.EVENT,
                                    true,
                                    RunJson.prompt(child.asked().prompt()),
                                    null,
                                    child.createdAt()));
            return true;
        });
    }

    private static SessionInfo childSession(SessionInfo parent, Child child) {
        return new SessionInfo(
                child.sessionId(),
                parent.account(),
                parent.agentId(),
                child.asked().title(),
                SessionStatus.IDLE,
                child.createdAt(),
                child.createdAt(),
                null,
                parent.id(),
                child.runId(),
                null,
                0,
                parent.modelOverride(),
                null);
    }

    private static RunInfo childRun(Claim parent, Child child) {
        RunInfo run = parent.run();
        return new RunInfo(
                child.runId(),
                run.account(),
                run.rootRunId(),
                new RunInfo.Lineage(
                        run.id(), child.asked().toolCallId(), run.lineage().depth() + 1, 0),
                child.asked().kind(),
                run.agentId(),
                child.sessionId(),
                run.kind(),
                child.asked().title(),
                RunStatus.QUEUED,
                null,
                null,
                child.createdAt(),
                null,
                null,
                child.createdAt());
    }

    /** Ends a run, once: false if it has ended already, or is gone. */
    boolean end(RunInfo run, RunFence fence, Ending ending) {
        String sessionId = run.sessionId();
        return ports.transactions().requiresNew(() -> {
            boolean sessionThere = sessionId != null && lockSession(sessionId).isPresent();
            Optional<RunInfo> row = lockRun(run.id());
            if (row.filter(StoredRuns::isLive).isEmpty()) {
                if (sessionId != null && sessionThere && row.isEmpty()) {
                    endDeleted(run.id(), sessionId, ending);
                }
                return false;
            }
            if (sessionId != null && sessionThere) {
                StreamKey stream = StreamKey.session(sessionId);
                appendLast(sessionId, run.id(), ending, fence);
                expirePending(run.id(), fence);
                ports.events().append(stream, finished(run.id(), ending), fence);
                ports.events().closeFence(stream, fence);
            }
            if (ending.journalled()) {
                ports.events().closeFence(StreamKey.run(run.rootRunId()), fence);
            }
            changeRows(run.id(), sessionId, ending);
            return true;
        });
    }

    private void appendLast(String sessionId, String runId, Ending ending, @Nullable RunFence fence) {
        appendMissing(sessionId, ending.pieces(), runId, fence);
        NewEntry last = ending.lastMessage();
        if (last != null) {
            ports.events().append(StreamKey.session(sessionId), last, fence);
        }
    }

    /**
     * Ends, in a session that stays, a run that was deleted with its tree. The deletion has closed its right, so that
     * nobody else writes for it, and there is no row that another end could be seen in but the log.
     */
    private void endDeleted(String runId, String sessionId, Ending ending) {
        if (reads.stored(sessionId, runId, EntryIds.finished(runId))) {
            return;
        }
        appendLast(sessionId, runId, ending, null);
        ports.events().append(StreamKey.session(sessionId), finished(runId, ending));
        if (reads.live(sessionId).isEmpty()) {
            releaseSession(sessionId, ending.outcome());
        }
    }

    /** A session that was stopped for good meanwhile stays stopped. */
    private void releaseSession(String sessionId, Outcome outcome) {
        long now = clock.millis();
        changeSession(sessionId, s -> s.status() == SessionStatus.STREAMING ? s.withStatus(outcome.session(), now) : s);
    }

    private void expirePending(String runId, RunFence fence) {
        long now = clock.millis();
        for (Approval pending : ports.approvals().lockPending(runId)) {
            ports.approvals().decide(pending.id(), Approval.Status.EXPIRED, now);
            ports.events()
                    .append(
                            StreamKey.session(pending.sessionId()),
                            Deciding.entry(pending, Approval.Status.EXPIRED, "run_finished", now),
                            fence);
        }
    }

    /** Protocols A6: after a success the run's change comes before the session's, else behind it. */
    private void changeRows(String runId, @Nullable String sessionId, Ending ending) {
        Outcome outcome = ending.outcome();
        long now = clock.millis();
        boolean runFirst = outcome.run() == RunStatus.SUCCEEDED;
        if (runFirst) {
            changeRun(runId, ending, now);
        }
        if (sessionId != null) {
            releaseSession(sessionId, outcome);
        }
        if (!runFirst) {
            changeRun(runId, ending, now);
        }
    }

    private NewEntry finished(String runId, Ending ending) {
        boolean failed = ending.outcome() instanceof Outcome.Failed;
        return new NewEntry(
                EntryIds.finished(runId),
                EntryKind.RUN_FINISHED,
                failed,
                RunJson.finished(runId, ending.outcome(), ending.openPartialId()),
                runId,
                clock.millis());
    }

    private void changeRun(String runId, Ending ending, long now) {
        ports.directoryWriter().changeRun(runId, run -> {
            RunUsage usage = ending.usage() == null ? run.usage() : ending.usage();
            return run.withStatus(ending.outcome().run(), now)
                    .withDetails(
                            ending.outcome() instanceof Outcome.Failed failed
                                    ? RunJson.withError(withoutWait(run), failed)
                                    : withoutWait(run),
                            usage);
        });
    }

    private static @Nullable Payload withoutWait(RunInfo run) {
        return RunJson.with(run.details(), "wait", null);
    }

    private Optional<SessionInfo> changeSession(String sessionId, UnaryOperator<SessionInfo> change) {
        return ports.directoryWriter().changeSession(sessionId, change).map(Versioned::value);
    }

    /** Cancels the oldest queued run of a session that has no live one, and gives its id. */
    Optional<String> cancelQueued(String sessionId) {
        return ports.transactions().requiresNew(() -> {
            Optional<RunInfo> next = lockSession(sessionId).flatMap(session -> nextQueued(sessionId));
            next.ifPresent(this::cancelLocked);
            return next.map(RunInfo::id);
        });
    }

    /** Cancels a run if it is queued. */
    boolean cancelQueued(RunInfo run) {
        String sessionId = run.sessionId();
        return ports.transactions().requiresNew(() -> {
            if (sessionId != null) {
                lockSession(sessionId);
            }
            Optional<RunInfo> queued = lockRun(run.id()).filter(r -> r.status() == RunStatus.QUEUED);
            queued.ifPresent(this::cancelLocked);
            return queued.isPresent();
        });
    }

    private void cancelLocked(RunInfo run) {
        Ending ending = new Ending(new Outcome.Canceled(), TextLine.Pieces.NONE, null, null, null, false);
        if (run.sessionId() != null
                && ports.directory().session(run.sessionId()).isPresent()) {
            ports.events().append(StreamKey.session(run.sessionId()), finished(run.id(), ending));
        }
        changeRun(run.id(), ending, clock.millis());
    }

    /** Asks the node that works on a run to cancel it; false if the run has ended or is queued. */
    boolean askCancel(String runId) {
        return ports.transactions().requiresNew(() -> {
            boolean live = lockRun(runId).filter(StoredRuns::isLive).isPresent();
            // Who asked before is asked once: the answer is the same.
            if (live) {
                ports.ledger().askCancel(runId);
            }
            return live;
        });
    }

    /** The queued run whose turn it is; none while another is live. Under the session's lock a firm answer. */
    private Optional<RunInfo> nextQueued(String sessionId) {
        return ports.directory()
                .activeRun(sessionId)
                .filter(run -> run.status() == RunStatus.QUEUED)
                .flatMap(this::lockBehindParent)
                .filter(run -> run.status() == RunStatus.QUEUED);
    }

    /** A deletion takes the runs of a tree from the root on: whoever takes two of them does it in that order. */
    private Optional<RunInfo> lockBehindParent(RunInfo run) {
        String parent = run.lineage().parentRunId();
        if (parent != null) {
            lockRun(parent);
        }
        return lockRun(run.id());
    }

    private Optional<SessionInfo> lockSession(String sessionId) {
        return changeSession(sessionId, s -> s);
    }

    private Optional<RunInfo> lockRun(String runId) {
        return ports.directoryWriter().changeRun(runId, r -> r).map(Versioned::value);
    }
}
