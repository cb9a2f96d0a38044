package dev.tidings.event;

import dev.tidings.RunActivity;
import dev.tidings.RunUsage;
import org.jspecify.annotations.Nullable;

/**
 * Something that is shown while it happens and never stored.
 *
 * <p>Fired outside a transaction it is shown at once; inside one, at its commit or never. A reader that lags may get
 * adjacent text deltas of one partial joined, or lose signals; it never loses entries (law 4).
 *
 * <p>Threads: immutable. Source: protocols A5, {@code appendPartial}.
 */
public sealed interface Signal {

    /** The part of an answer, or of a run's progress, that the signal belongs to. */
    String partialId();

    /**
     * A piece of an answer in progress, in a session.
     *
     * @param sessionId the session
     * @param partialId names one segment of one turn; a new one follows each stored message
     * @param textDelta text to add behind what came before
     * @param done whether the partial has ended; nothing of it follows
     * @param usage what the run used so far
     * @param activity what the run is doing
     * @param stored whether the text comes as entries of the session, too ({@code EntryKind.TEXT_DELTA}): who shows those
     *     does not show it twice
     */
    record Partial(
            String sessionId,
            String partialId,
            @Nullable String textDelta,
            boolean done,
            @Nullable RunUsage usage,
            @Nullable RunActivity activity,
            boolean stored)
            implements Signal {

        /** A piece of which nothing is stored. */
        public Partial(
                String sessionId,
                String partialId,
                @Nullable String textDelta,
                boolean done,
                @Nullable RunUsage usage,
                @Nullable RunActivity activity) {
            this(sessionId, partialId, textDelta, done, usage, activity, false);
        }

        /** A text delta. */
        public static Partial text(String sessionId, String partialId, String delta) {
            return new Partial(sessionId, partialId, delta, false, null, null);
        }

        /** The end of a partial. */
        public static Partial done(String sessionId, String partialId) {
            return new Partial(sessionId, partialId, null, true, null, null);
        }
    }

    /**
     * The progress of a run, in its run tree.
     *
     * @param rootRunId the root of the tree
     * @param runId the run
     * @param partialId names what makes progress
     * @param fraction 0 to 1, if known
     * @param label what is being done
     * @param usage what the run used so far
     * @param activity what the run is doing
     */
    record Progress(
            String rootRunId,
            String runId,
            String partialId,
            @Nullable Double fraction,
            @Nullable String label,
            @Nullable RunUsage usage,
            @Nullable RunActivity activity)
            implements Signal {}
}
