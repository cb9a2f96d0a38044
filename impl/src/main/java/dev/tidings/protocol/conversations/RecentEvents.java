package dev.tidings.protocol.conversations;

import dev.tidings.StoredEntry;
import dev.tidings.protocol.conversations.FeedTape.Start;
import dev.tidings.protocol.json.JsonText;
import java.util.List;

/**
 * Events of a view as one JSON object, read in turns: whoever sees little of a long feed has much to pass over, and others
 * want to read meanwhile (law 5).
 *
 * <p>Threads: confined to whoever has the turn; turns follow one another. Reading blocks on the feed.
 */
final class RecentEvents {
    /** An answer that is not mostly passing over is done in one turn. */
    static final int PAGES_A_TURN = 8;

    static final int PAGE_ENTRIES = 256;
    private static final int PAGE_BYTES = 256 << 10;
    private static final int MOST_BYTES = 1 << 20;

    private final FeedTape tape;
    private final View view;
    private final Start start;
    private final int limit;

    // Confined, all of them: the turn.
    private final StringBuilder events = new StringBuilder("[");
    private long position;
    private int count;

    RecentEvents(FeedTape tape, View view, Start start, int limit) {
        this.tape = tape;
        this.view = view;
        this.start = start;
        this.limit = limit;
        this.position = start.position();
    }

    /** Reads on, some pages; whether that was all. */
    boolean readOn() {
        for (int pages = 0; pages < PAGES_A_TURN; pages++) {
            if (isFull()) {
                return true;
            }
            List<StoredEntry> page = tape.read(view.key(), position, PAGE_ENTRIES, PAGE_BYTES);
            if (page.isEmpty()) {
                return true;
            }
            page.forEach(this::take);
        }
        // What was found does not wait for another turn: its conversation may be deleted by then (law 6), and
        // what many hold while they wait would be counted nowhere (law 4).
        return isFull() || count > 0;
    }

    private boolean isFull() {
        return count >= limit || events.length() >= MOST_BYTES;
    }

    private void take(StoredEntry entry) {
        position = entry.position();
        if (FeedTape.shows(entry) && count < limit) {
            events.append(count++ == 0 ? "" : ",").append(entry.payload().text());
        }
    }

    /** {events: […], latestSeq, truncated}. */
    byte[] json() {
        return JsonText.object()
                .json("events", events + "]")
                .number("latestSeq", tape.latestSeq())
                .flag("truncated", start.oldestSeq().isPresent())
                .close()
                .bytes();
    }
}
