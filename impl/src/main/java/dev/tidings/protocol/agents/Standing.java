package dev.tidings.protocol.agents;

import dev.tidings.Head;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import org.jspecify.annotations.Nullable;

/**
 * Where a new subscription to a session or a run tree stands, and what that means to whoever asked.
 *
 * <p>Threads: immutable. Source: protocols A2 #14, A8.
 *
 * @param epoch names the history that the numbers belong to
 * @param headSeq the number of the last event at that moment; null for a run tree, whose numbers count per run
 * @param status {@code live}: nothing was missed; {@code replayed}; {@code ahead}: asked for what is beyond the head;
 *     {@code reset}: asked with numbers of another history
 * @param cursor the position behind which it goes on
 * @param head the last position at that moment
 * @param leaveOut entries up to the head with a number up to this were seen, though they come behind the cursor
 */
record Standing(String epoch, @Nullable Long headSeq, String status, long cursor, long head, long leaveOut) {
    private static final String LIVE = "live";
    private static final String REPLAYED = "replayed";
    private static final String AHEAD = "ahead";
    private static final String RESET = "reset";

    /**
     * What a client says that it has seen.
     *
     * @param afterSeq up to this number; {@link Long#MAX_VALUE} stands for all larger ones
     * @param cursor up to this position, in place of {@code afterSeq}
     * @param epoch in this history
     */
    record Asked(
            @Nullable Long afterSeq,
            @Nullable Long cursor,
            @Nullable String epoch) {}

    /** Asks the log. Call it when the subscription is registered, so that nothing falls in between. May block. */
    static Standing of(EventLog log, StreamKey session, Asked asked) {
        String epoch = log.epoch();
        Head head = log.head(session);
        if (asked.epoch() != null && !asked.epoch().equals(epoch)) {
            return new Standing(epoch, head.seq(), RESET, 0, head.position(), 0);
        }
        Long cursor = asked.cursor();
        if (cursor != null) {
            return atCursor(epoch, head.seq(), cursor, head.position());
        }
        long seen = asked.afterSeq() == null ? 0 : asked.afterSeq();
        String status = status(seen, head.seq());
        // Whoever has seen the last number, or says so of a later one, stands at this head: not at one read a moment
        // later, which could lie behind an event that nobody has sent.
        long position = seen >= head.seq() ? head.position() : seen == 0 ? 0 : log.positionAfterSeq(session, seen);
        return new Standing(epoch, head.seq(), status, position, head.position(), 0);
    }

    /** The same for a run tree, by its root. May block. */
    static Standing ofTree(EventLog log, StreamKey root, Asked asked) {
        String epoch = log.epoch();
        long head = log.head(root).position();
        if (asked.epoch() != null && !asked.epoch().equals(epoch)) {
            return new Standing(epoch, null, RESET, 0, head, 0);
        }
        Long cursor = asked.cursor();
        if (cursor != null) {
            return atCursor(epoch, null, cursor, head);
        }
        long seen = asked.afterSeq() == null ? 0 : asked.afterSeq();
        if (seen >= head) {
            // No run has more entries than its tree: nothing has a higher number.
            return new Standing(epoch, null, status(seen, head), head, head, 0);
        }
        return new Standing(epoch, null, REPLAYED, 0, head, seen);
    }

    private static Standing atCursor(String epoch, @Nullable Long headSeq, long cursor, long head) {
        return new Standing(epoch, headSeq, status(cursor, head), Math.min(cursor, head), head, 0);
    }

    private static String status(long seen, long head) {
        if (seen == head) {
            return LIVE;
        }
        return seen < head ? REPLAYED : AHEAD;
    }
}
