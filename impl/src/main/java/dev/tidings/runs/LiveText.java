package dev.tidings.runs;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunUsage;
import dev.tidings.event.Signal;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The message in progress of a run, and what is shown of the run while it happens: its partials.
 *
 * <p>A partial is opened by the first thing that is shown of it and has the id that its message gets. Each one that was
 * opened is closed.
 *
 * <p>Confined: the writer of one run. Source: protocols A6.
 */
final class LiveText {

    private static final System.Logger LOG = System.getLogger(LiveText.class.getName());

    private final RunInfo run;
    private final String sessionId;
    private final InstantSource clock;
    private final Consumer<Signal> signals;
    private final @Nullable TextLine line;
    private final StringBuilder text = new StringBuilder();
    private final WholeText whole = new WholeText();
    private int segment = 1;
    private long segmentBegan;
    private boolean partialOpen;
    private RunActivity.@Nullable Phase phase;
    private @Nullable RunUsage usage;
    private RunUsage usageBefore = RunUsage.ZERO;

    /**
     * The live text of a run.
     *
     * @param line where its pieces are stored; null if they are not
     */
    LiveText(RunInfo run, String sessionId, InstantSource clock, Consumer<Signal> signals, @Nullable TextLine line) {
        this.line = line;
        this.run = run;
        this.sessionId = sessionId;
        this.clock = clock;
        this.signals = signals;
        segmentBegan = clock.millis();
    }

    void begin() {
        segmentBegan = clock.millis();
        show(null, RunUsage.ZERO, RunActivity.of(RunActivity.Phase.STARTING));
    }

    void text(String delta) {
        add(whole.next(delta));
    }

    private void add(String delta) {
        if (delta.isEmpty()) {
            return;
        }
        if (phase != RunActivity.Phase.RESPONDING) {
            activity(RunActivity.of(RunActivity.Phase.RESPONDING));
        }
        text.append(delta);
        show(delta, null, null);
        if (line != null) {
            line.text(EntryIds.segment(run.id(), segment), delta);
        }
    }

    /** Shows what the run does: in the session, and of a workflow, which people watch by its tree, there too. */
    void activity(RunActivity activity) {
        phase = activity.phase();
        show(null, null, activity);
        if (run.kind().equals("workflow")) {
            progress(null, null, activity);
        }
    }

    void progress(@Nullable String label, @Nullable Double fraction, @Nullable RunActivity activity) {
        signal(new Signal.Progress(
                run.rootRunId(), run.id(), EntryIds.progress(run.id()), fraction, label, null, activity));
    }

    void usage(RunUsage used) {
        usage = used;
        // The end of a message in progress shows it, in one frame with the phase, as clients know it (A6).
        if (!text.isEmpty()) {
            return;
        }
        if (phase == RunActivity.Phase.TOOL) {
            show(null, used, null);
        } else {
            phase = RunActivity.Phase.THINKING;
            show(null, used, RunActivity.of(phase));
        }
    }

    /** What the run used so far; null if it never said. */
    @Nullable
    RunUsage usage() {
        return usage;
    }

    /** Whether no more text is to be taken until some of it is stored. */
    boolean full() {
        return line != null && line.full();
    }

    /** The pieces of text that are not stored yet, for the writer to store; empty while one is on its way. */
    Optional<TextLine.Pieces> pieces() {
        return line == null ? Optional.of(TextLine.Pieces.NONE) : line.take();
    }

    /** Takes the last of the text, so that all of it is among the {@link #pieces}. */
    void finishText() {
        add(whole.rest());
    }

    /** The text so far as a message, or null without text; nothing is left in progress. */
    @Nullable
    NewEntry take(@Nullable Payload meta, boolean interrupted) {
        add(whole.rest());
        if (text.isEmpty()) {
            return null;
        }
        long now = clock.millis();
        RunJson.Meta own = new RunJson.Meta(usageOfSegment(), Math.max(0, now - segmentBegan));
        NewEntry message = new NewEntry(
                EntryIds.segment(run.id(), segment),
                EntryKind.EVENT,
                true,
                RunJson.answer(text.toString(), interrupted, meta, own),
                run.id(),
                now);
        // Behind all that can fail for want of memory.
        text.setLength(0);
        return message;
    }

    /** The message was stored, or given up: what follows is the next one. */
    void next() {
        segment++;
        segmentBegan = clock.millis();
        phase = null;
        usageBefore = usage == null ? RunUsage.ZERO : usage;
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

    void close(boolean afterText) {
        if (!partialOpen) {
            return;
        }
        if (afterText) {
            show(null, usage == null ? RunUsage.ZERO : usage, RunActivity.of(RunActivity.Phase.THINKING));
        }
        signal(Signal.Partial.done(sessionId, EntryIds.segment(run.id(), segment)));
        partialOpen = false;
    }

    private void show(@Nullable String delta, @Nullable RunUsage used, @Nullable RunActivity activity) {
        partialOpen = true;
        signal(new Signal.Partial(
                sessionId, EntryIds.segment(run.id(), segment), delta, false, used, activity, line != null));
    }

    private void signal(Signal signal) {
        try {
            signals.accept(signal);
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "a signal of run {0} was not shown", run.id());
        }
    }
}
