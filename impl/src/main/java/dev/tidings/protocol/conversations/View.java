package dev.tidings.protocol.conversations;

import dev.tidings.ApiKeyScope;
import dev.tidings.StreamKey;

/**
 * What of the feed somebody sees: all of it, one agent's part, or one conversation.
 *
 * <p>In the engine that delivers the feed, a view is a stream. Its positions count what happened since this process started,
 * behind what was stored before; they mean nothing outside of it.
 *
 * <p>Threads: immutable.
 *
 * @param kind which part
 * @param id the agent's or the conversation's id; empty for all
 */
record View(Kind kind, String id) {
    /** Which part. */
    enum Kind {
        ALL("all:"),
        AGENT("agent:"),
        CONVERSATION("conversation:");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    static final View ALL = new View(Kind.ALL, "");

    static View ofAgent(String agentId) {
        return new View(Kind.AGENT, agentId);
    }

    static View ofConversation(String conversationId) {
        return new View(Kind.CONVERSATION, conversationId);
    }

    /** All that a key with that scope sees. */
    static View of(ApiKeyScope scope) {
        if (scope instanceof ApiKeyScope.OfAgent agent) {
            return ofAgent(agent.agentId());
        }
        return scope instanceof ApiKeyScope.OfSession session ? ofConversation(session.sessionId()) : ALL;
    }

    /** The name of the view's stream. Streams of sessions are the engine's word for those that do not forget. */
    StreamKey key() {
        return StreamKey.session(kind.prefix + id);
    }

    static View of(StreamKey key) {
        for (Kind kind : Kind.values()) {
            if (key.id().startsWith(kind.prefix)) {
                return new View(kind, key.id().substring(kind.prefix.length()));
            }
        }
        throw new IllegalArgumentException("not a view of the feed");
    }

    /** Whether something of that agent is shown. */
    boolean shows(String agentId) {
        return kind != Kind.AGENT || id.equals(agentId);
    }
}
