package dev.tidings;

import org.jspecify.annotations.Nullable;

/**
 * The state of an agent. The {@code accessRole} of the wire is the reader's, not the agent's, and is added there.
 *
 * <p>Times are epoch milliseconds.
 *
 * <p>Threads: immutable. Source: protocols A7.
 *
 * @param id the agent
 * @param account its owner
 * @param definition a JSON object {name, systemPrompt, modelProvider, model, tools?, …}, as it was given
 * @param stateDir where the backend keeps the agent's state; may be empty, null is shown as empty
 * @param status what it is doing
 * @param createdAt when it was made
 * @param updatedAt when the row last changed; never goes back
 * @param publicRead whether anyone may read it
 */
public record AgentInfo(
        String id,
        String account,
        Payload definition,
        @Nullable String stateDir,
        AgentStatus status,
        long createdAt,
        long updatedAt,
        boolean publicRead) {

    /** What an agent is doing; the word on the wire is {@link #code()}. */
    public enum AgentStatus {
        /** Nothing. */
        IDLE,
        /** A run is active. */
        RUNNING,
        /** Stopped for good. */
        STOPPED,
        /** Its last run failed. */
        ERROR;

        /** The word on the wire and in storage. */
        public String code() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        /** The status of that word. */
        public static AgentStatus ofCode(String code) {
            return valueOf(code.toUpperCase(java.util.Locale.ROOT));
        }
    }
}
