package dev.tidings;

import org.jspecify.annotations.Nullable;

/**
 * The state of a run.
 *
 * <p>Times are epoch milliseconds. A member that is null has no value and is absent on the wire.
 *
 * <p>Threads: immutable. Source: protocols A7.
 *
 * @param id the run
 * @param account the owner of its agent
 * @param rootRunId the root of its tree; its own id for a root
 * @param lineage where it stands in its tree
 * @param kind {@code agent} or {@code workflow}
 * @param agentId its agent; a run without one is readable by nobody
 * @param sessionId the session that it works for
 * @param origin {@code user}, {@code trigger}, {@code agent}, {@code workflow} or {@code system}
 * @param title what it does
 * @param status where it stands
 * @param details the JSON members {wait?, plan?, error?, unmetObligations?, stepLabel?, planStepId?, sourceText?,
 *     continuedFromRunId?} of the wire, as one object; null if it has none
 * @param usage what it used so far
 * @param createdAt when it was asked for
 * @param startedAt when it began
 * @param finishedAt when it ended
 * @param updatedAt when the row last changed; never goes back
 */
public record RunInfo(
        String id,
        String account,
        String rootRunId,
        Lineage lineage,
        String kind,
        @Nullable String agentId,
        @Nullable String sessionId,
        String origin,
        String title,
        RunStatus status,
        @Nullable Payload details,
        @Nullable RunUsage usage,
        long createdAt,
        @Nullable Long startedAt,
        @Nullable Long finishedAt,
        long updatedAt) {

    /**
     * Where a run stands in its tree.
     *
     * @param parentRunId the run that started it; null for a root
     * @param parentToolCallId the tool call of the parent that started it
     * @param depth 0 for a root
     * @param childRunCount how many runs it started; counted where it is read, never written
     */
    public record Lineage(
            @Nullable String parentRunId, @Nullable String parentToolCallId, int depth, int childRunCount) {

        /** The lineage of a root run. */
        public static final Lineage ROOT = new Lineage(null, null, 0, 0);
    }

    /** The same run in another status; sets the start or the end where the status implies it. */
    public RunInfo withStatus(RunStatus newStatus, long now) {
        Long started = startedAt == null && newStatus == RunStatus.RUNNING ? Long.valueOf(now) : startedAt;
        Long finished = finishedAt == null && newStatus.terminal() ? Long.valueOf(now) : finishedAt;
        return new RunInfo(
                id,
                account,
                rootRunId,
                lineage,
                kind,
                agentId,
                sessionId,
                origin,
                title,
                newStatus,
                details,
                usage,
                createdAt,
                started,
                finished,
                Math.max(updatedAt, now));
    }

    /** The same run with other details. */
    public RunInfo withDetails(@Nullable Payload newDetails, @Nullable RunUsage newUsage) {
        return new RunInfo(
                id,
                account,
                rootRunId,
                lineage,
                kind,
                agentId,
                sessionId,
                origin,
                title,
                status,
                newDetails,
                newUsage,
                createdAt,
                startedAt,
                finishedAt,
                updatedAt);
    }

    /** The same run with so many children. */
    public RunInfo withChildRunCount(int count) {
        return new RunInfo(
                id,
                account,
                rootRunId,
                new Lineage(lineage.parentRunId(), lineage.parentToolCallId(), lineage.depth(), count),
                kind,
                agentId,
                sessionId,
                origin,
                title,
                status,
                details,
                usage,
                createdAt,
                startedAt,
                finishedAt,
                updatedAt);
    }
}
