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
 * @param rowPosition its position in its session if it is stored, else 0
 * @param event what shows it; null if nothing does any more
 */
record Numbered(
        long seq,
        String conversationId,
        long rowPosition,
        String agentId,
        @Nullable Payload event,
        long timestamp) {

    static Numbered of(FeedRow row) {
        StoredEntry entry = row.entry();
        return new Numbered(
                row.seq(),
                row.sessionId(),
                row.position(),
                row.agentId(),
                EventJson.ofRow(row),
                entry == null ? 0 : entry.createdAt());
    }

    boolean row() {
        return rowPosition > 0;
    }
}
