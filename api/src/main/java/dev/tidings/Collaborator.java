package dev.tidings;

import java.util.Locale;

/**
 * An account that an agent's owner invited.
 *
 * <p>Times are epoch milliseconds.
 *
 * <p>Threads: immutable. Source: protocols A3, A9.
 *
 * @param agentId the agent
 * @param accountId the account
 * @param role {@link Role#READER} or {@link Role#WRITER}
 * @param status whether the invitation stands, was taken, or is over
 * @param createdAt when the invitation was made
 * @param updatedAt when the row last changed
 */
public record Collaborator(String agentId, String accountId, Role role, Status status, long createdAt, long updatedAt) {

    /** Where an invitation stands; the word on the wire is {@link #code()}. */
    public enum Status {
        /** Not yet answered: gives no access. */
        PENDING,
        /** Accepted: gives access in the role. */
        ACCEPTED;

        /** The word on the wire and in storage. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The status of that word. */
        public static Status ofCode(String code) {
            return valueOf(code.toUpperCase(Locale.ROOT));
        }
    }
}
