package dev.tidings.protocol.conversations;

import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.spi.Feed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The last events of the feed, and what every view has counted: where an event stands in it, and what of it is gone.
 *
 * <p>All views count what is here in the same order, which is that of the numbers. Views of agents count with the view of
 * everything.
 *
 * <p>Threads: none of its own; guarded by the lock of the tape, and asks nobody.
 */
final class FeedMemory {
    /** An event in memory; the place is its position in the view of everything. */
    record Item(Numbered event, long place, long position) {
        long position(View view) {
            return view.kind() == View.Kind.CONVERSATION ? position : place;
        }

        private boolean in(View view) {
            return view.kind() != View.Kind.CONVERSATION
                    || event.conversationId().equals(view.id());
        }

        private int size() {
            Payload shown = event.event();
            return 128 + (shown == null ? 0 : shown.size());
        }
    }

    /** What is known of a view. Confined: under the tape's lock. */
    static final class Counted {
        final Positions positions;
        // Held, so that it is known as long as the conversation is counted; null for the view of everything.
        private final @Nullable Presence presence;
        private int inMemory;
        // Up to here nothing is in memory.
        private long floor;
        // The highest number that only passed and is gone.
        private long lostSeq;
        private long lastUsed;

        private Counted(@Nullable Presence presence, long base, long lostSeq, long now) {
            this.presence = presence;
            this.positions = new Positions(base);
            this.floor = base;
            this.lostSeq = lostSeq;
            this.lastUsed = now;
        }

        long floor() {
            return floor;
        }
    }

    private final int maxEvents;
    private final long maxBytes;
    private final LongConsumer bytesKept;

    // Confined, all of them: under the tape's lock.
    private @Nullable Counted all;
    private final Map<String, Counted> conversations = new HashMap<>();
    private final ArrayDeque<Item> items = new ArrayDeque<>();
    private long bytes;
    // Everything up to this number has left the memory, or was never in it.
    private long floorSeq;
    private long latestSeq;
    private long lastRowSeq;
    // The highest number that only passed in a conversation that nobody counts any more.
    private long forgottenSeq;
    private long now;

    /**
     * A memory of nothing, that has not begun.
     *
     * @param bytesKept is told by how much what is kept has grown or shrunk; takes no lock
     */
    FeedMemory(int maxEvents, long maxBytes, LongConsumer bytesKept) {
        this.maxEvents = maxEvents;
        this.maxBytes = maxBytes;
        this.bytesKept = bytesKept;
    }

    boolean begun() {
        return all != null;
    }

    /** Begins where the feed ends. */
    void begin(Feed.Head head) {
        all = new Counted(null, head.place(), head.lastSeq(), now);
        floorSeq = head.lastSeq();
        latestSeq = head.lastSeq();
        lastRowSeq = head.lastSeq();
        forgottenSeq = head.lastSeq();
    }

    long latestSeq() {
        return latestSeq;
    }

    long lastRowSeq() {
        return lastRowSeq;
    }

    /** Everything up to this number has left the memory, or was never in it. */
    long floorSeq() {
        return floorSeq;
    }

    // ---- who counts

    Counted all() {
        if (all == null) {
            throw new IllegalStateException("the tape has not begun");
        }
        return all;
    }

    Counted counted(View view) {
        if (view.kind() != View.Kind.CONVERSATION) {
            return all();
        }
        Counted known = conversations.get(view.id());
        if (known == null) {
            throw new IllegalStateException("the conversation is not counted any more");
        }
        known.lastUsed = now;
        return known;
    }

    /** Whether a conversation is counted; if so, somebody uses that now. */
    boolean used(String conversationId) {
        Counted known = conversations.get(conversationId);
        if (known != null) {
            known.lastUsed = now;
        }
        return known != null;
    }

    /** Counts a conversation that is not counted, behind so many rows. */
    void count(Presence conversation, long rows) {
        conversations.computeIfAbsent(
                conversation.conversationId(), id -> new Counted(conversation, rows, forgottenSeq, now));
    }

    /** Likewise one of which nothing is from before: nothing of it is gone. */
    void countNew(Presence conversation) {
        conversations.computeIfAbsent(conversation.conversationId(), id -> new Counted(conversation, 0, 0, now));
    }

    /** Stops counting conversations that are not in memory and that nobody used or watched since the last two calls. */
    void tidy(Set<StreamKey> watched) {
        Iterator<Map.Entry<String, Counted>> each = conversations.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<String, Counted> one = each.next();
            Counted counted = one.getValue();
            if (watched.contains(View.ofConversation(one.getKey()).key())) {
                counted.lastUsed = now;
            }
            if (counted.inMemory == 0 && counted.lastUsed < now - 1) {
                forgottenSeq = Math.max(forgottenSeq, counted.lostSeq);
                each.remove();
            }
        }
        now++;
    }

    // ---- what comes and goes

    Item add(Numbered event) {
        String id = event.conversationId();
        count(event.conversation(), Math.max(0, event.rowPosition() - 1));
        Counted conversation = counted(View.ofConversation(id));
        Item item = new Item(event, all().positions.add(event.row()), conversation.positions.add(event.row()));
        items.addLast(item);
        grow(item.size());
        conversation.inMemory++;
        latestSeq = event.seq();
        lastRowSeq = event.row() ? event.seq() : lastRowSeq;
        while (items.size() > 1 && (items.size() > maxEvents || bytes > maxBytes)) {
            drop(items.removeFirst());
        }
        return item;
    }

    private void drop(Item item) {
        grow(-item.size());
        floorSeq = item.event().seq();
        all().floor = item.place();
        Counted conversation = conversations.get(item.event().conversationId());
        boolean passed = !item.event().row();
        if (passed) {
            all().lostSeq = item.event().seq();
        }
        if (conversation != null) {
            conversation.inMemory--;
            conversation.floor = item.position();
            conversation.lostSeq = passed ? item.event().seq() : conversation.lostSeq;
        }
    }

    private void grow(long more) {
        bytes += more;
        bytesKept.accept(more);
    }

    // ---- what is here

    /** The position before the first event in memory above that number. */
    long positionBefore(View view, long seq) {
        for (Item item : items) {
            if (item.event().seq() > seq && item.in(view)) {
                return item.position(view) - 1;
            }
        }
        return counted(view).positions.head();
    }

    /** The first number that is in memory, if something above the given one only passed and is gone. */
    OptionalLong gone(View view, long seq) {
        if (seq >= counted(view).lostSeq) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                items.isEmpty() ? floorSeq + 1 : items.getFirst().event().seq());
    }

    /** The events of a view behind a position that is not below its floor, a page. */
    List<Item> page(View view, long after, int maxEntries, int maxBytesOfPage) {
        List<Item> page = new ArrayList<>();
        long pageBytes = 0;
        for (Item item : items) {
            if (!item.in(view) || item.position(view) <= after) {
                continue;
            }
            Payload shown = item.event().shownOrNull();
            pageBytes += shown == null ? 0 : shown.size();
            if (page.size() == maxEntries || (pageBytes > maxBytesOfPage && !page.isEmpty())) {
                break;
            }
            page.add(item);
        }
        return page;
    }
}
