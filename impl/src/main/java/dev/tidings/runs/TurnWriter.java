package dev.tidings.runs;

import dev.tidings.Approval;
import dev.tidings.EntryKind;
import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.event.Signal;
import dev.tidings.spi.RunPlan;
import dev.tidings.spi.ToolCall;
import dev.tidings.spi.ToolResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * A write that failed is tried again until it is done, or until the run's row says that the run has ended. Three cases
 * are told apart by a look at that row:
 *   - it cannot be read, or a lock that the write needs cannot be had: the database is away, and the write waits for it,
 *     however long;
 *   - the run has ended: whoever ended it has the last word, and this writer writes nothing more;
 *   - the run lives: the write may have been stored before its commit failed, and is looked for by its id. If it was not
 *     stored, it was refused. What is refused MOST_REFUSALS times is given up: the run ends as failed, without it.
 * The end itself, once nothing is left to leave out, is never given up.
 */
/**
 * The one writer of a run: shows what is live and stores what lasts, in the order in which it was reported.
 *
 * <p>Threads: the mailbox's draining thread, one at a time.
 */
final class TurnWriter {

    /** What the writer tells its turn. */
    interface Owner {

        /** The run has ended; its last message, if somebody waits for it, else empty. */
        void ended(TurnResult result, String lastText);

        /** The run cannot go on: nothing more is taken from its runner. */
        void fail(Outcome.Failed outcome);

        /** The run waits, for people or for other runs. */
        void waiting();

        /** An approval is asked for. */
        void asked(Approval approval);

        /** A child is about to be stored. */
        void starting(Child child);

        /** A child is stored. */
        void started(Child child);
    }

    private enum Verdict {
        AWAY,
        ENDED,
        STORED,
        REFUSED
    }

    /**
     * A write that is tried until it is stored or given up.
     *
     * @param store does it, in a transaction of its own
     * @param stored whether an earlier try was stored after all
     * @param done what to do when it is stored
     */
    private record Write(Runnable store, BooleanSupplier stored, Runnable done) {}

    private static final System.Logger LOG = System.getLogger(TurnWriter.class.getName());
    private static final int MOST_REFUSALS = 5;

    // Longer than a piece is on its way, whose end wakes the mailbox.
    private static final Duration ON_ITS_WAY = Duration.ofMillis(20);

    private final RunStore store;
    private final StoredRuns reads;
    private final RunStore.Claim claim;
    private final RunLimits limits;
    private final InstantSource clock;
    private final Owner owner;

    // Confined: the draining thread, as everything below; the mailbox's lock hands it on.
    private final LiveText live;
    private @Nullable Write unstored;
    private RunStore.@Nullable Ending ending;
    private Outcome.@Nullable Failed spoiled;
    private int failures;
    private int refusals;
    private boolean journalOpened;
    private long journalled;
    private boolean broken;
    private boolean finished;
    private String lastMessageId = "";
    private String lastText = "";

    TurnWriter(
            RunStore store,
            RunStore.Claim claim,
            RunLimits limits,
            InstantSource clock,
            Consumer<Signal> signals,
            @Nullable TextLine line,
            Owner owner) {
        this.store = store;
        this.reads = store.reads();
        this.claim = claim;
        this.limits = limits;
        this.clock = clock;
        this.owner = owner;
        live = new LiveText(claim.run(), claim.session().id(), clock, signals, line);
    }

    /** Does what was reported; nothing more of it once the run has ended, and only the end behind a fault of ours. */
    Optional<Duration> take(Report report) {
        if (finished || (broken && !(report instanceof Report.End))) {
            return Optional.empty();
        }
        boolean done = false;
        try {
            Optional<Duration> wait = report.giveTo(this);
            done = true;
            return wait;
        } finally {
            broken |= !done;
        }
    }

    void begin() {
        live.begin();
    }

    Optional<Duration> text(String delta) {
        if (unstored != null || live.full()) {
            Optional<Duration> wait = flush();
            if (wait.isPresent() || finished) {
                return wait;
            }
        }
        live.text(delta);
        return Optional.empty();
    }

    /** Stores the pieces of text that are not stored yet, so that what follows stands behind them. */
    Optional<Duration> flush() {
        if (unstored == null) {
            Optional<TextLine.Pieces> pieces = live.pieces();
            if (pieces.isEmpty()) {
                return Optional.of(ON_ITS_WAY);
            }
            if (pieces.get().entries().isEmpty()) {
                return Optional.empty();
            }
            unstored = write(pieces.get(), () -> {});
        }
        return go(unstored);
    }

    void activity(RunActivity activity) {
        live.activity(activity);
    }

    void usage(RunUsage used) {
        live.usage(used);
    }

    void progress(String label, @Nullable Double fraction) {
        live.progress(label, fraction, null);
    }

    /** Stores the message in progress, if it has text, and begins the next. */
    Optional<Duration> endMessage(@Nullable Payload meta) {
        if (unstored == null) {
            live.finishText();
            Optional<TextLine.Pieces> pieces = live.pieces();
            if (pieces.isEmpty()) {
                return Optional.of(ON_ITS_WAY);
            }
            NewEntry message = live.take(meta, false);
            if (message == null) {
                return Optional.empty();
            }
            live.close(true);
            live.next();
            unstored = write(with(pieces.get(), message), () -> said(message));
        }
        return go(unstored);
    }

    private static TextLine.Pieces with(TextLine.Pieces pieces, NewEntry last) {
        List<NewEntry> all = new ArrayList<>(pieces.entries());
        all.add(last);
        return new TextLine.Pieces(all, pieces.doubtful());
    }

    private void said(NewEntry message) {
        lastMessageId = message.id();
        if (claim.run().lineage().parentRunId() != null) {
            lastText = message.payload().textMembers(Set.of("content")).getOrDefault("content", "");
        }
    }

    Optional<Duration> toolCall(ToolCall call, String entryId) {
        if (unstored == null) {
            live.activity(new RunActivity(RunActivity.Phase.TOOL, call.name(), call.id(), call.detail(), null));
            unstored = write(event(entryId, RunJson.toolCall(call)), () -> {});
        }
        return go(unstored);
    }

    Optional<Duration> toolResult(ToolResult result, String entryId) {
        if (unstored == null) {
            live.activity(RunActivity.of(RunActivity.Phase.THINKING));
            unstored = write(event(entryId, RunJson.toolResult(result)), () -> {});
        }
        return go(unstored);
    }

    private NewEntry event(String entryId, Payload payload) {
        return new NewEntry(entryId, EntryKind.EVENT, true, payload, claim.run().id(), clock.millis());
    }

    private Write write(NewEntry entry, Runnable done) {
        return write(new TextLine.Pieces(List.of(entry), null), done);
    }

    /** All of them or none. */
    private Write write(TextLine.Pieces pieces, Runnable done) {
        String last = pieces.entries().get(pieces.entries().size() - 1).id();
        return new Write(
                () -> store.append(claim.session().id(), pieces, claim.fence()),
                () -> reads.stored(claim.session().id(), claim.run().id(), last),
                done);
    }

    Optional<Duration> journal(Payload payload, String entryId) {
        if (unstored == null) {
            NewEntry entry = new NewEntry(
                    entryId, EntryKind.JOURNAL, true, payload, claim.run().id(), clock.millis());
            boolean first = !journalOpened;
            journalOpened = true;
            unstored = new Write(
                    () -> store.journal(claim.run(), entry, claim.fence(), first),
                    () -> reads.journalled(claim.run(), entryId, journalled),
                    () -> journalled++);
        }
        return go(unstored);
    }

    Optional<Duration> plan(RunPlan plan) {
        return change(() -> store.plan(claim, plan), () -> {});
    }

    Optional<Duration> waiting(Payload wait) {
        return change(() -> store.waiting(claim.fence(), wait), owner::waiting);
    }

    Optional<Duration> resume() {
        return change(() -> store.resume(claim.fence()), () -> {});
    }

    /** A change of rows, which may be made again. */
    private Optional<Duration> change(Runnable change, Runnable done) {
        if (unstored == null) {
            unstored = new Write(change, () -> false, done);
        }
        return go(unstored);
    }

    Optional<Duration> ask(Report.Ask ask) {
        if (unstored == null) {
            long now = clock.millis();
            Approval approval = new Approval(
                    ask.approvalId(),
                    claim.session().id(),
                    claim.run().id(),
                    ask.toolCallId(),
                    ask.name(),
                    Approval.Status.PENDING,
                    now,
                    now + limits.approvalTimeout().toMillis(),
                    null);
            unstored = new Write(
                    () -> store.ask(approval, ask.input(), claim.fence()),
                    () -> reads.approval(approval.id()).isPresent(),
                    () -> {
                        owner.asked(approval);
                        owner.waiting();
                    });
        }
        return go(unstored);
    }

    Optional<Duration> start(Child child) {
        if (unstored == null) {
            owner.starting(child);
            unstored = new Write(
                    () -> store.start(claim, child),
                    () -> reads.look(child.runId()).isPresent(),
                    () -> owner.started(child));
        }
        return go(unstored);
    }

    private Optional<Duration> go(Write write) {
        try {
            write.store().run();
        } catch (RuntimeException e) {
            switch (judge(e, write.stored())) {
                case AWAY -> {
                    return retry();
                }
                case ENDED -> {
                    unstored = null;
                    endedElsewhere();
                    return Optional.empty();
                }
                case REFUSED -> {
                    if (++refusals < MOST_REFUSALS) {
                        return retry();
                    }
                    settled();
                    spoiled = Outcome.Failed.NOT_STORED;
                    owner.fail(spoiled);
                    return Optional.empty();
                }
                case STORED -> {}
            }
        }
        settled();
        write.done().run();
        return Optional.empty();
    }

    private void settled() {
        unstored = null;
        failures = 0;
        refusals = 0;
    }

    /** Ends the run: closes its partial, then stores the text so far, the end and the states, all or nothing. */
    Optional<Duration> end(Outcome asked) {
        if (ending == null) {
            live.finishText();
            Optional<TextLine.Pieces> pieces = live.pieces();
            if (pieces.isEmpty()) {
                return Optional.of(ON_ITS_WAY);
            }
            Outcome outcome = spoiled != null && asked instanceof Outcome.Succeeded ? spoiled : asked;
            NewEntry last = live.take(null, !(outcome instanceof Outcome.Succeeded));
            ending = new RunStore.Ending(
                    outcome,
                    last == null ? TextLine.Pieces.NONE : pieces.get(),
                    last,
                    live.usage(),
                    null,
                    journalOpened);
            live.close(last != null);
            failures = 0;
            refusals = 0;
        }
        return storeEnd(ending);
    }

    private Optional<Duration> storeEnd(RunStore.Ending now) {
        boolean done;
        try {
            done = store.end(claim.run(), claim.fence(), now);
        } catch (RuntimeException e) {
            if (judge(e, () -> false) != Verdict.REFUSED || ++refusals < MOST_REFUSALS) {
                return retry();
            }
            if (now.lastMessage() == null) {
                // There is nothing left to leave out. A run that was given up here would keep its session busy until a
                // restart; what refuses an end, a lock held for long or a database that only reads, passes.
                if (refusals == MOST_REFUSALS) {
                    LOG.log(
                            System.Logger.Level.ERROR,
                            "the end of run {0} is refused; it is tried again until it is stored",
                            claim.run().id());
                }
                return retry();
            }
            refusals = 0;
            Outcome without = now.outcome() instanceof Outcome.Canceled ? now.outcome() : Outcome.Failed.NOT_STORED;
            ending = new RunStore.Ending(without, TextLine.Pieces.NONE, null, live.usage(), null, journalOpened);
            return retry();
        }
        if (!done) {
            return endedAlready(now);
        }
        said(now);
        finish(result(now.outcome()));
        return Optional.empty();
    }

    private void said(RunStore.Ending stored) {
        if (stored.lastMessage() != null) {
            said(stored.lastMessage());
        }
    }

    /** The row says that the run has ended: by this writer, in a commit that looked failed, or by somebody else. */
    private Optional<Duration> endedAlready(RunStore.Ending tried) {
        Optional<RunInfo> row;
        try {
            row = reads.look(claim.run().id());
        } catch (RuntimeException e) {
            return retry();
        }
        RunStatus status = row.map(RunInfo::status).orElse(RunStatus.FAILED);
        if (status == tried.outcome().run()) {
            said(tried);
            finish(result(tried.outcome()));
        } else {
            finish(resultOf(status));
        }
        return Optional.empty();
    }

    private void endedElsewhere() {
        RunStatus status;
        try {
            Optional<RunInfo> row = reads.look(claim.run().id());
            if (row.isEmpty()) {
                // Deleted with its tree, and its session may stay: there is no end there yet, and only the end is left.
                broken = true;
                owner.fail(Outcome.Failed.INTERRUPTED);
                return;
            }
            status = row.get().status();
        } catch (RuntimeException e) {
            status = RunStatus.FAILED;
        }
        // Whoever ended the run could not know of a partial that is open here.
        live.close(false);
        owner.fail(Outcome.Failed.INTERRUPTED);
        finish(resultOf(status));
    }

    private void finish(TurnResult result) {
        finished = true;
        owner.ended(result, lastText);
    }

    private TurnResult resultOf(RunStatus status) {
        return switch (status) {
            case SUCCEEDED -> result(new Outcome.Succeeded());
            case CANCELED -> result(new Outcome.Canceled());
            default -> failed(Outcome.Failed.INTERRUPTED);
        };
    }

    private TurnResult result(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return failed(failed);
        }
        return new TurnResult.Ended(claim.run().id(), lastMessageId, outcome instanceof Outcome.Canceled);
    }

    private TurnResult failed(Outcome.Failed failed) {
        return new TurnResult.Failed(claim.run().id(), failed.code(), failed.publicText());
    }

    private Verdict judge(RuntimeException failure, BooleanSupplier stored) {
        try {
            if (!reads.look(claim.run().id()).filter(StoredRuns::isLive).isPresent() || isFenced(failure)) {
                return Verdict.ENDED;
            }
            if (stored.getAsBoolean()) {
                return Verdict.STORED;
            }
            return store.isFree(claim) ? Verdict.REFUSED : Verdict.AWAY;
        } catch (RuntimeException e) {
            return Verdict.AWAY;
        }
    }

    private static boolean isFenced(Throwable failure) {
        int depth = 0;
        for (Throwable t = failure; t != null && depth < 20; t = t.getCause(), depth++) {
            if (t instanceof FencedException) {
                return true;
            }
        }
        return false;
    }

    private Optional<Duration> retry() {
        if (failures == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a write of run {0} failed and is tried again",
                    claim.run().id());
        }
        return Optional.of(limits.retryAfter(failures++));
    }
}
