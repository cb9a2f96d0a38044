package dev.tidings.protocol.conversations;

import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.spi.Feed.FeedRow;
import org.jspecify.annotations.Nullable;

/**
 * An event with its number.
 *
 * <p>Threads: immutable.
 *
 * @param conversation where it is shown
 * @param child another conversation of which it tells; null if it does not
 * @param agentId the agent of the conversation
 * @param rowPosition its position in its session if it is stored, else 0
 * @param event what shows it; null if nothing does any more
 * @param farewell whether it says that the conversation was deleted
 */
record Numbered(
        long seq,
        Presence conversation,
        @Nullable Presence child,
        String agentId,
        long rowPosition,
        @Nullable Payload event,
        long timestamp,
        boolean farewell) {

    static Numbered of(FeedRow row, Presences presences) {
        StoredEntry entry = row.entry();
        return new Numbered(
                row.seq(),
                // Old history must not bring back what is gone: it would be found missing, and told of once more.
                entry == null ? Presence.ofDeleted(row.sessionId()) : presences.of(row.sessionId(), row.agentId()),
                null,
                row.agentId(),
                row.position(),
                EventJson.ofRow(row),
                entry == null ? 0 : entry.createdAt(),
                false);
    }

    static Numbered of(News news, long seq, Presences presences) {
        String childId = news.childId();
        return new Numbered(
                seq,
                presences.of(news.conversationId(), news.agentId()),
                childId == null ? null : presences.of(childId),
                news.agentId(),
                0,
                EventJson.ofNews(news, seq),
                news.timestamp(),
                news.type().equals(News.DELETED));
    }

    String conversationId() {
        return conversation.conversationId();
    }

    boolean row() {
        return rowPosition > 0;
    }

    /** What it says, if anything still does: of what was deleted only that is shown. */
    @Nullable
    Payload shownOrNull() {
        boolean gone = conversation.gone() || (child != null && child.gone());
        return gone && !farewell ? null : event;
    }
}
