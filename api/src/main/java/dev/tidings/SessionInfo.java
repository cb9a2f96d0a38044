package dev.tidings;

import org.jspecify.annotations.Nullable;

/**
 * The state of a session.
 *
 * <p>Times are epoch milliseconds. A member that is null has no value and is absent on the wire.
 *
 * <p>Threads: immutable. Source: protocols A7.
 *
 * @param id the session
 * @param account the owner of its agent
 * @param agentId its agent
 * @param title what people call it
 * @param status what it is doing
 * @param createdAt when it was made
 * @param updatedAt when the row last changed; never goes back
 * @param startedByTrigger a JSON value that tells of the trigger which made it
 * @param parentSessionId the session whose run made it
 * @param runId its run, for a session that belongs to one
 * @param plan a JSON object {title?, steps, ownerRunId?, settledAt?}
 * @param childSessionCount how many sessions name it as their parent; counted where it is read, never written
 * @param modelOverride a JSON value
 * @param description what it is about
 */
public record SessionInfo(
        String id,
        String account,
        String agentId,
        @Nullable String title,
        SessionStatus status,
        long createdAt,
        long updatedAt,
        @Nullable Payload startedByTrigger,
        @Nullable String parentSessionId,
        @Nullable String runId,
        @Nullable Payload plan,
        int childSessionCount,
        @Nullable Payload modelOverride,
        @Nullable String description) {

    /** A plain session, idle. */
    public static SessionInfo idle(String id, String account, String agentId, @Nullable String title, long now) {
        return new SessionInfo(
                id, account, agentId, title, SessionStatus.IDLE, now, now, null, null, null, null, 0, null, null);
    }

    /** The same session in another status. */
    public SessionInfo withStatus(SessionStatus newStatus, long now) {
        return new SessionInfo(
                id,
                account,
                agentId,
                title,
                newStatus,
                createdAt,
                Math.max(updatedAt, now),
                startedByTrigger,
                parentSessionId,
                runId,
                plan,
                childSessionCount,
                modelOverride,
                description);
    }

    /** The same session with another plan. */
    public SessionInfo withPlan(@Nullable Payload newPlan, long now) {
        return new SessionInfo(
                id,
                account,
                agentId,
                title,
                status,
                createdAt,
                Math.max(updatedAt, now),
                startedByTrigger,
                parentSessionId,
                runId,
                newPlan,
                childSessionCount,
                modelOverride,
                description);
    }

    /** The same session with so many children. */
    public SessionInfo withChildSessionCount(int count) {
        return new SessionInfo(
                id,
                account,
                agentId,
                title,
                status,
                createdAt,
                updatedAt,
                startedByTrigger,
                parentSessionId,
                runId,
                plan,
                count,
                modelOverride,
                description);
    }
}
