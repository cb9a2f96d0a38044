package dev.tidings;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a run is doing this moment; shown live, never stored.
 *
 * <p>Threads: immutable. Source: protocols A7, AgentRunActivity.
 */
public record RunActivity(
        Phase phase,
        @Nullable String toolName,
        @Nullable String toolCallId,
        @Nullable String detail,
        @Nullable String outputTail) {

    /** The phases; the word on the wire is {@link #code()}. */
    public enum Phase {
        /** About to work. */
        STARTING,
        /** The model thinks. */
        THINKING,
        /** Text comes. */
        RESPONDING,
        /** A tool works. */
        TOOL,
        /** About to end. */
        FINALIZING;

        /** The word on the wire. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A phase without details. */
    public static RunActivity of(Phase phase) {
        return new RunActivity(phase, null, null, null, null);
    }
}
