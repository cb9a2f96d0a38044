package dev.tidings.spi;

import org.jspecify.annotations.Nullable;

/**
 * What a run asks of another run that it starts.
 *
 * <p>Threads: immutable.
 *
 * @param kind {@code agent} or {@code workflow}; told to its runner, and to people
 * @param title what it is called, and its session
 * @param prompt what it is told; the first message of its session
 * @param toolCallId the tool call of the parent that it belongs to
 */
public record ChildRun(
        String kind, String title, String prompt, @Nullable String toolCallId) {

    /** Checks the kind. */
    public ChildRun {
        if (!kind.equals("agent") && !kind.equals("workflow")) {
            throw new IllegalArgumentException("a run is an agent or a workflow");
        }
    }

    /** A child that is an agent. */
    public static ChildRun agent(String title, String prompt, @Nullable String toolCallId) {
        return new ChildRun("agent", title, prompt, toolCallId);
    }
}
