package dev.tidings.spi;

import dev.tidings.RunStatus;
import org.jspecify.annotations.Nullable;

/**
 * A run that another run has started, as the latter sees it.
 *
 * <p>Threads: the parent's runner only.
 */
public interface StartedChild {

    /** The run. */
    String runId();

    /** Its own session. */
    String sessionId();

    /**
     * Waits for its end. Meanwhile the parent's run is {@code waiting}, for all of its children that have not ended.
     *
     * @throws RunCancelledException if the parent is cancelled
     */
    Outcome await();

    /**
     * How it ended.
     *
     * @param status succeeded, failed or canceled
     * @param text its last message; empty if it said nothing
     * @param errorCode the stable word of its failure
     * @param errorText what people read of its failure
     */
    record Outcome(
            RunStatus status,
            String text,
            @Nullable String errorCode,
            @Nullable String errorText) {}
}
