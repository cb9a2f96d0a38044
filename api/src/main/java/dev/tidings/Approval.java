package dev.tidings;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A person's leave for one tool call of a run: asked for once, decided once (law 11).
 *
 * <p>Times are epoch milliseconds.
 *
 * <p>Threads: immutable. Source: protocols C, approvals.
 *
 * @param id the approval
 * @param sessionId the session that it was asked in
 * @param runId the run that waits for it
 * @param toolCallId the tool call; any text
 * @param name the tool
 * @param status where it stands
 * @param createdAt when it was asked for
 * @param expiresAt when it expires if nobody decides
 * @param decidedAt when it was decided or expired; null while it is pending
 */
public record Approval(
        String id,
        String sessionId,
        String runId,
        String toolCallId,
        String name,
        Status status,
        long createdAt,
        long expiresAt,
        @Nullable Long decidedAt) {

    /** Where an approval stands; the word in storage and on the wire is {@link #code()}. */
    public enum Status {
        /** Nobody has decided. */
        PENDING,
        /** The tool may run. */
        GRANTED,
        /** The tool must not run. */
        DENIED,
        /** Nobody decided in time, or the run ended. */
        EXPIRED;

        /** The word in storage and on the wire. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The status of that word. */
        public static Status ofCode(String code) {
            return valueOf(code.toUpperCase(Locale.ROOT));
        }
    }

    /** The same approval, decided or expired. */
    public Approval decided(Status decision, long at) {
        return new Approval(id, sessionId, runId, toolCallId, name, decision, createdAt, expiresAt, at);
    }
}
