package dev.tidings.protocol.conversations;

/**
 * A conversation, while something of it is held on this node; everything that shows it asks here whether it may.
 *
 * <p>Threads: any.
 */
final class Presence {
    private final String conversationId;

    // Volatile: empty until somebody tells; then it stays.
    private volatile String agentId = "";

    // Volatile: it turns true once.
    private volatile boolean gone;

    Presence(String conversationId) {
        this.conversationId = conversationId;
    }

    /** One of which nothing is left: nobody need look for it, and nobody is told. */
    static Presence ofDeleted(String conversationId) {
        Presence presence = new Presence(conversationId);
        presence.leave();
        return presence;
    }

    String conversationId() {
        return conversationId;
    }

    /** The conversation's agent; empty while nobody has told. */
    String agentId() {
        return agentId;
    }

    void belongsTo(String agent) {
        agentId = agent;
    }

    /** Whether the conversation was deleted. */
    boolean gone() {
        return gone;
    }

    void leave() {
        gone = true;
    }
}
