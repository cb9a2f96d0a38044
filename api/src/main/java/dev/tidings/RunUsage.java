package dev.tidings;

/**
 * The tokens that a run used so far; cumulative.
 *
 * <p>Threads: immutable. Source: protocols A7, AgentRunUsage.
 */
public record RunUsage(long input, long output, long cacheRead, long cacheWrite, long total) {

    /** Nothing used yet. */
    public static final RunUsage ZERO = new RunUsage(0, 0, 0, 0, 0);
}
