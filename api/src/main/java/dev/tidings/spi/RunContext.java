package dev.tidings.spi;

import dev.tidings.AgentInfo;
import dev.tidings.Approval;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One run, as its runner sees and drives it.
 *
 * <p>What the runner reports is stored and shown in the order of the calls, through the run's one writer. A call may
 * wait while more than {@code tidings.runs.max-pending-bytes} are not yet written. Text is shown as it comes; it is
 * stored when its message ends, so that text before a tool call stands in the transcript before the tool call.
 *
 * <p>Threads: the runner's thread only, but for {@link #cancelled}. Errors: every call that reports throws
 * {@link RunCancelledException} once the run is cancelled or fenced.
 */
public interface RunContext {

    /** The run, as it began. */
    RunInfo run();

    /** The session that it answers in, as it was when the run began. */
    SessionInfo session();

    /** The agent, as it was when the run began. */
    AgentInfo agent();

    /** The text of the message that started the run. */
    String prompt();

    /**
     * Adds text to the message in progress, beginning one if there is none; empty text does nothing.
     *
     * @throws RunFailure {@code message_too_large} if the message would have more than
     *     {@code tidings.runs.max-message-bytes}: the run ends as failed, with the text before this
     */
    void text(String delta);

    /** Says what the run is doing; shown, not stored. */
    void activity(RunActivity activity);

    /**
     * Says what the run used so far; shown with the end of the message in progress, or at once if there is none, and
     * stored with the run's end.
     */
    void usage(RunUsage usage);

    /**
     * Ends the message in progress and stores it; without text nothing is stored.
     *
     * @param meta a JSON object for the message's {@code meta}, for example {model, provider}; null for none
     */
    void endMessage(@Nullable Payload meta);

    /**
     * Begins a tool call: ends and stores the message in progress, shows that the tool works, and stores the call.
     */
    void toolCall(ToolCall call);

    /**
     * Shows how a tool is getting on; not stored.
     *
     * @param outputTail the last lines of what it put out
     */
    void toolProgress(ToolCall call, @Nullable String detail, @Nullable String outputTail);

    /** Ends a tool call: shows that the run thinks, and stores the result. Text goes on in the partial that is open. */
    void toolResult(ToolResult result);

    /**
     * Asks people whether a tool may run, and waits until somebody decides, the time is over
     * ({@code tidings.approvals.timeout}) or the run is cancelled. The message in progress is stored before. Meanwhile the
     * run is {@code waiting}; it may be asked before the {@link #toolCall}, or behind it.
     *
     * @param input what the tool would be given: any JSON value
     * @return granted, denied or expired; what is not granted must not run
     */
    Approval.Status approval(String toolCallId, String name, Payload input);

    /**
     * Shows how far the run is, to those who watch its tree; not stored.
     *
     * @param fraction 0 to 1; null if not known
     */
    void progress(String label, @Nullable Double fraction);

    /**
     * Stores an entry of the run's journal, in the stream of its tree, numbered from 1 within the run.
     *
     * @param entry a JSON object
     */
    void journal(Payload entry);

    /** Stores what the run means to do and how far it is, in place of what it said before: in the run and its session. */
    void plan(RunPlan plan);

    /**
     * Starts another run below this one, with a session of its own; its runner has a thread of its own. Returns when the
     * child is stored, which is behind everything that this run reported before. If this run is cancelled or fails, its
     * children are cancelled; if it ends well, those that it did not wait for go on.
     *
     * @throws RunFailure {@code too_deep} if the tree has {@value #MOST_DEPTH} levels already
     */
    StartedChild child(ChildRun child);

    /** How deep below its root a run may be. */
    int MOST_DEPTH = 16;

    /** Whether the run was cancelled. Any thread. */
    boolean cancelled();

    /** Throws if the run was cancelled. */
    void checkCancelled();

    /** Waits, until the time is over or the run is cancelled, whatever comes first. */
    void pause(Duration time);
}
