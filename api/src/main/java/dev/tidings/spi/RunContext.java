package dev.tidings.spi;

import dev.tidings.AgentInfo;
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

    /** Adds text to the message in progress, beginning one if there is none; empty text does nothing. */
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

    /** Whether the run was cancelled. Any thread. */
    boolean cancelled();

    /** Throws if the run was cancelled. */
    void checkCancelled();

    /** Waits, until the time is over or the run is cancelled, whatever comes first. */
    void pause(Duration time);
}
