package dev.tidings;

/**
 * What an API key may see.
 *
 * <p>Threads: immutable. Source: protocols, "One session, three faces".
 */
public sealed interface ApiKeyScope {

    /** Everything. */
    record All() implements ApiKeyScope {}

    /**
     * One agent and its sessions.
     *
     * @param agentId the agent
     */
    record OfAgent(String agentId) implements ApiKeyScope {}

    /**
     * One session.
     *
     * @param sessionId the session
     */
    record OfSession(String sessionId) implements ApiKeyScope {}

    /** Whether a session of an agent is within it. */
    default boolean includes(String sessionId, String agentId) {
        if (this instanceof OfAgent scope) {
            return scope.agentId().equals(agentId);
        }
        return !(this instanceof OfSession scope) || scope.sessionId().equals(sessionId);
    }
}
