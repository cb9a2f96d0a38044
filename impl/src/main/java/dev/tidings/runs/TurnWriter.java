package dev.tidings.runs;

import dev.tidings.EntryKind;
import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.event.Signal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * A write that failed is tried again until it is done, or until the run's row says that the run has ended. Three cases
 * are told apart by a look at that row:
 *   - it cannot be read: the database is away, and the write waits for it, however long;
 *   - the run has ended: whoever ended it has the last word, and this writer writes nothing more;
 *   - the run lives: the write may have been stored before its commit failed, and is looked for by its id. If it was not
 *     stored, it was refused. What is refused MOST_REFUSALS times is given up: the run ends as failed, without it.
 */
/**
 * The one writer of a run: shows what is live and stores what lasts, in the order in which it was reported.
 *
 * <p>Threads: the mailbox's draining thread, one at a time.
 */
final class TurnWriter {

    /** What the writer tells its turn. */
    interface Owner {

        /** The run has ended. */
        void ended(TurnResult result);

        /** The run cannot go on: nothing more is taken from its runner. */
        void fail(Outcome.Failed outcome);
    }

    private enum Verdict {
        AWAY,
        ENDED,
        STORED,
        REFUSED
    }

    private static final System.Logger LOG = System.getLogger(TurnWriter.class.getName());
    private static final int MOST_REFUSALS = 5;

    private final RunStore store;
    private final RunStore.Claim claim;
    private final RunLimits limits;
    private final InstantSource clock;
    private final Consumer<Signal> signals;
    private final Owner owner;

    // Confined: the draining thread, as everything below; the mailbox's lock hands it on.
    private final StringBuilder text = new StringBuilder();
    private final WholeText whole = new WholeText();
    private int segment = 1;
    private long segmentBegan;
    private boolean partialOpen;
    private RunActivity.@Nullable Phase phase;
    private @Nullable RunUsage usage;
    private RunUsage usageBefore = RunUsage.ZERO;
    private @Nullable NewEntry unstored;
    private RunStore.@Nullable Ending ending;
    private Outcome.@Nullable Failed spoiled;
    private int failures;
    private int refusals;
    private boolean finished;
    private String lastMessageId = "";

    TurnWriter(
            RunStore store,
            RunStore.Claim claim,
            RunLimits limits,
            InstantSource clock,
            Consumer<Signal> signals,
            Owner owner) {
        this.store = store;
        this.claim = claim;
        this.limits = limits;
        this.clock = clock;
        this.signals = signals;
        this.owner = owner;
        segmentBegan = clock.millis();
    }

    void begin() {
        segmentBegan = clock.millis();
        show(null, RunUsage.ZERO, RunActivity.of(RunActivity.Phase.STARTING));
    }

    void text(String delta) {
        show(whole.next(delta));
    }

    private void show(String delta) {
        if (delta.isEmpty()) {
            return;
        }
        if (phase != RunActivity.Phase.RESPONDING) {
            activity(RunActivity.of(RunActivity.Phase.RESPONDING));
        }
        text.append(delta);
        show(delta, null, null);
    }

    void activity(RunActivity activity) {
        phase = activity.phase();
        show(null, null, activity);
    }

    void usage(RunUsage used) {
        usage = used;
        show(null, used, null);
    }

    /** Stores the message in progress, if it has text, and begins the next. */
    Optional<Duration> endMessage(@Nullable Payload meta) {
        NewEntry message = unstored;
        if (message == null) {
            message = takeMessage(meta, false);
            if (message == null) {
                return Optional.empty();
            }
            closePartial(true);
            unstored = message;
        }
        return storeMessage(message);
    }

    private Optional<Duration> storeMessage(NewEntry message) {
        String id = message.id();
        try {
            store.append(claim.session().id(), message, claim.fence());
        } catch (RuntimeException e) {
            switch (judge(e, () -> store.stored(claim.session().id(), id))) {
                case AWAY -> {
                    return retry();
                }
                case ENDED -> {
                    endedElsewhere();
                    return Optional.empty();
                }
                case REFUSED -> {
                    if (++refusals < MOST_REFUSALS) {
                        return retry();
                    }
                    spoiled = Outcome.Failed.NOT_STORED;
                    owner.fail(spoiled);
                }
                case STORED -> lastMessageId = id;
            }
            nextSegment();
            return Optional.empty();
        }
        lastMessageId = id;
        nextSegment();
        return Optional.empty();
    }

    private void nextSegment() {
        unstored = null;
        failures = 0;
        refusals = 0;
        segment++;
        segmentBegan = clock.millis();
        phase = null;
        usageBefore = usage == null ? RunUsage.ZERO : usage;
    }

    /** Ends the run: closes its partial, then stores the text so far, the end and the states, all or nothing. */
    Optional<Duration> end(Outcome asked) {
        if (finished) {
            return Optional.empty();
        }
        if (ending == null) {
            Outcome outcome = spoiled != null && asked instanceof Outcome.Succeeded ? spoiled : asked;
            NewEntry last = takeMessage(null, !(outcome instanceof Outcome.Succeeded));
            closePartial(last != null);
            ending = new RunStore.Ending(outcome, last, usage, null);
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
                LOG.log(
                        System.Logger.Level.ERROR,
                        "the end of run {0} is refused",
                        claim.run().id());
                finish(failed(Outcome.Failed.NOT_STORED));
                return Optional.empty();
            }
            refusals = 0;
            Outcome without = now.outcome() instanceof Outcome.Canceled ? now.outcome() : Outcome.Failed.NOT_STORED;
            ending = new RunStore.Ending(without, null, usage, null);
            return retry();
        }
        if (!done) {
            return endedAlready(now);
        }
        NewEntry last = now.lastMessage();
        if (last != null) {
            lastMessageId = last.id();
        }
        finish(result(now.outcome()));
        return Optional.empty();
    }

    /** The row says that the run has ended: by this writer, in a commit that looked failed, or by somebody else. */
    private Optional<Duration> endedAlready(RunStore.Ending tried) {
        Optional<RunInfo> row;
        try {
            row = store.look(claim.run().id());
        } catch (RuntimeException e) {
            return retry();
        }
        RunStatus status = row.map(RunInfo::status).orElse(RunStatus.FAILED);
        NewEntry last = tried.lastMessage();
        if (status == tried.outcome().run()) {
            if (last != null) {
                lastMessageId = last.id();
            }
            finish(result(tried.outcome()));
        } else {
            finish(resultOf(status));
        }
        return Optional.empty();
    }

    private void endedElsewhere() {
        RunStatus status;
        try {
            status = store.look(claim.run().id()).map(RunInfo::status).orElse(RunStatus.FAILED);
        } catch (RuntimeException e) {
            status = RunStatus.FAILED;
        }
        owner.fail(Outcome.Failed.INTERRUPTED);
        finish(resultOf(status));
    }

    private void finish(TurnResult result) {
        finished = true;
        owner.ended(result);
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

    private Verdict judge(RuntimeException failure, Supplier<Boolean> stored) {
        try {
            if (!store.look(claim.run().id()).filter(RunStore::isLive).isPresent() || isFenced(failure)) {
                return Verdict.ENDED;
            }
            return stored.get() ? Verdict.STORED : Verdict.REFUSED;
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

    /** The text so far as a message, or null without text; nothing is left in progress. */
    private @Nullable NewEntry takeMessage(@Nullable Payload meta, boolean interrupted) {
        show(whole.rest());
        if (text.isEmpty()) {
            return null;
        }
        String content = text.toString();
        text.setLength(0);
        long now = clock.millis();
        RunJson.Meta own = new RunJson.Meta(usageOfSegment(), Math.max(0, now - segmentBegan));
        return new NewEntry(
                EntryIds.segment(claim.run().id(), segment),
                EntryKind.EVENT,
                true,
                RunJson.answer(content, interrupted, meta, own),
                claim.run().id(),
                now);
    }

    /** What was used since the last message, for usage is reported as a sum. */
    private @Nullable RunUsage usageOfSegment() {
        RunUsage sum = usage;
        return sum == null
                ? null
                : new RunUsage(
                        Math.max(0, sum.input() - usageBefore.input()),
                        Math.max(0, sum.output() - usageBefore.output()),
                        Math.max(0, sum.cacheRead() - usageBefore.cacheRead()),
                        Math.max(0, sum.cacheWrite() - usageBefore.cacheWrite()),
                        Math.max(0, sum.total() - usageBefore.total()));
    }

    private void closePartial(boolean afterText) {
        if (!partialOpen) {
            return;
        }
        if (afterText) {
            show(null, usage == null ? RunUsage.ZERO : usage, RunActivity.of(RunActivity.Phase.THINKING));
        }
        signal(Signal.Partial.done(
                claim.session().id(), EntryIds.segment(claim.run().id(), segment)));
        partialOpen = false;
    }

    private void show(@Nullable String delta, @Nullable RunUsage used, @Nullable RunActivity activity) {
        partialOpen = true;
        signal(new Signal.Partial(
                claim.session().id(), EntryIds.segment(claim.run().id(), segment), delta, false, used, activity));
    }

    private void signal(Signal signal) {
        try {
            signals.accept(signal);
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a signal of run {0} was not shown",
                    claim.run().id());
        }
    }
}
