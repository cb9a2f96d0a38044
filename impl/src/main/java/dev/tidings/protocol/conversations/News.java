package dev.tidings.protocol.conversations;

import org.jspecify.annotations.Nullable;

/**
 * Something that happens in a conversation and is shown without being stored; it has no number yet.
 *
 * <p>Threads: immutable.
 *
 * @param type the event's type
 * @param conversationId where it is shown
 * @param childId another conversation of which it tells; null if it does not
 * @param agentId the agent of the conversation where it is shown
 * @param timestamp epoch milliseconds
 * @param data a JSON object
 */
record News(String type, String conversationId, @Nullable String childId, String agentId, long timestamp, String data) {
    static final String DELETED = "conversation.deleted";

    static News deleted(String conversationId, String agentId, long timestamp) {
        return new News(DELETED, conversationId, null, agentId, timestamp, "{}");
    }
}
