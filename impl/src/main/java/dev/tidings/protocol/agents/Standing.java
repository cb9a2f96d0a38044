package dev.tidings.protocol.agents;

import dev.tidings.Head;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import org.jspecify.annotations.Nullable;

/**
 * Where a new subscription to a session stands, and what that means to whoever asked.
 *
 * <p>Threads: immutable. Source: protocols A2 #14, A8.
 *
 * @param epoch names the history that the numbers belong to
 * @param headSeq the number of the last event at that moment
 * @param status {@code live}: nothing was missed; {@code replayed}; {@code ahead}: asked for what is beyond the head;
 *     {@code reset}: asked with numbers of another history
 * @param cursor the position behind which it goes on
 */
record Standing(String epoch, long headSeq, String status, long cursor) {
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
            return new Standing(epoch, head.seq(), RESET, 0);
        }
        Long cursor = asked.cursor();
        if (cursor != null) {
            String status = status(cursor, head.position());
            return new Standing(epoch, head.seq(), status, Math.min(cursor, head.position()));
        }
        long seen = asked.afterSeq() == null ? 0 : asked.afterSeq();
        String status = status(seen, head.seq());
        // Whoever has seen the last number, or says so of a later one, stands at this head: not at one read a moment
        // later, which could lie behind an event that nobody has sent.
        long position = seen >= head.seq() ? head.position() : seen == 0 ? 0 : log.positionAfterSeq(session, seen);
        return new Standing(epoch, head.seq(), status, position);
    }

    private static String status(long seen, long head) {
        if (seen == head) {
            return LIVE;
        }
        return seen < head ? REPLAYED : AHEAD;
    }
}
