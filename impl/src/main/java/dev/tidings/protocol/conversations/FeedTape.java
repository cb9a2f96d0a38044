package dev.tidings.protocol.conversations;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.EntryKind;
import dev.tidings.Head;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.protocol.conversations.FeedMemory.Counted;
import dev.tidings.protocol.conversations.FeedMemory.Item;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.Feed;
import dev.tidings.spi.Feed.FeedRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/*
 * How a view becomes a log for the engine. The engine wants positions that count without a hole; numbers have holes, and
 * what only passes is nowhere stored. So each view counts for itself: positions up to its base are the rows that were stored
 * before this process looked, one for one; behind it every event takes the next position as it happens, stored or not. One
 * bit a position remembers which of them are rows (see Positions). What is among the last events is read from memory; further
 * back rows are read from the feed, and the positions of what only passed show nothing.
 *
 * All views count what is in memory in the same order, which is that of the numbers.
 */
/**
 * The feed as this node shows it: the last events in memory, and what was stored further back; as a log for the engine.
 *
 * <p>Threads: any; {@link #add} one at a time. Reading may block on the feed.
 */
final class FeedTape implements EventLog {
    /** Stands in an entry in place of a conversation that may be gone: this one says that it is. */
    static final String FAREWELL = "";

    private static final Payload NOTHING = Payload.of("{}");

    /**
     * Where a reader begins.
     *
     * @param position behind which it reads
     * @param oldestSeq the first number that is in memory, if something that it asked for is gone
     * @param latestSeq the latest number, if it asked for what is above it
     */
    record Start(long position, OptionalLong oldestSeq, OptionalLong latestSeq) {
        static Start at(long position) {
            return new Start(position, OptionalLong.empty(), OptionalLong.empty());
        }
    }

    private final Feed feed;
    private final Presences presences;
    private final Set<String> agents = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final FeedMemory memory;

    /**
     * A tape that begins where the feed ends.
     *
     * @param presences the conversations of which it tells
     * @param maxEvents how many events are kept in memory
     * @param maxBytes and how many bytes
     * @param bytesKept is told by how much what is kept in memory has grown or shrunk; takes no lock
     */
    FeedTape(Feed feed, Presences presences, int maxEvents, long maxBytes, LongConsumer bytesKept) {
        this.feed = feed;
        this.presences = presences;
        this.memory = new FeedMemory(maxEvents, maxBytes, bytesKept);
    }

    /** Finds out where the feed ends, the first time. Blocks. */
    void begin() {
        lock.lock();
        try {
            if (memory.begun()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        Feed.Head head = feed.head();
        lock.lock();
        try {
            if (!memory.begun()) {
                memory.begin(head);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The place in the feed up to which rows were added. */
    long place() {
        lock.lock();
        try {
            return memory.all().positions.rows();
        } finally {
            lock.unlock();
        }
    }

    /** The latest number. */
    long latestSeq() {
        lock.lock();
        try {
            return memory.latestSeq();
        } finally {
            lock.unlock();
        }
    }

    /** The agents whose part of the feed was ever asked for get theirs. */
    private void watch(View view) {
        if (view.kind() == View.Kind.AGENT) {
            agents.add(view.id());
        }
    }

    // ---- what comes

    /** Begins to count a conversation, if nobody did. Blocks; what is added meanwhile is not missed. */
    void count(String conversationId) {
        long rowSeq;
        lock.lock();
        try {
            if (memory.used(conversationId)) {
                return;
            }
            rowSeq = memory.lastRowSeq();
        } finally {
            lock.unlock();
        }
        long base = feed.positionAt(conversationId, rowSeq);
        Presence conversation = presences.of(conversationId);
        lock.lock();
        try {
            // Whatever was added of this conversation meanwhile made it counted.
            memory.count(conversation, base);
        } finally {
            lock.unlock();
        }
    }

    /** A conversation was made just now: nothing of it is from before. */
    void countNew(String conversationId) {
        Presence conversation = presences.of(conversationId);
        lock.lock();
        try {
            memory.countNew(conversation);
        } finally {
            lock.unlock();
        }
    }

    /** A conversation was deleted: its rows show nothing any more, so it does not matter how many there are. */
    void countDeleted(String conversationId) {
        Presence conversation = presences.of(conversationId);
        lock.lock();
        try {
            memory.count(conversation, 0);
        } finally {
            lock.unlock();
        }
    }

    /** Adds events, in the order of their numbers; gives the hints for the engine. The conversations are counted. */
    List<EntriesStored> add(List<Numbered> events) {
        List<Item> items = new ArrayList<>(events.size());
        lock.lock();
        try {
            for (Numbered event : events) {
                items.add(memory.add(event));
            }
        } finally {
            lock.unlock();
        }
        return hints(items);
    }

    private List<EntriesStored> hints(List<Item> items) {
        List<EntriesStored> hints = new ArrayList<>();
        if (items.isEmpty()) {
            return hints;
        }
        hints.add(hint(View.ALL, items));
        for (String agent : agents) {
            hints.add(hint(View.ofAgent(agent), items));
        }
        Map<String, List<Item>> byConversation = new LinkedHashMap<>();
        for (Item item : items) {
            byConversation
                    .computeIfAbsent(item.event().conversationId(), id -> new ArrayList<>())
                    .add(item);
        }
        byConversation.forEach((id, some) -> hints.add(hint(View.ofConversation(id), some)));
        return hints;
    }

    private static EntriesStored hint(View view, List<Item> items) {
        StreamKey key = view.key();
        return new EntriesStored(
                key,
                items.stream()
                        .map(item -> entry(view, key, item.position(view), item.event()))
                        .toList());
    }

    private static StoredEntry entry(View view, StreamKey key, long position, @Nullable Numbered shown) {
        Payload event = shown == null ? null : shown.shownOrNull();
        if (shown == null || event == null || !view.shows(shown.agentId())) {
            return new StoredEntry(key, position, 0, "nothing", EntryKind.EVENT, NOTHING, null, 0);
        }
        // What it tells of stands where entries of a log have their ids: whoever shows it looks whether that is still
        // there.
        Presence child = shown.child();
        return new StoredEntry(
                key,
                position,
                shown.seq(),
                shown.farewell() ? FAREWELL : shown.conversationId(),
                EntryKind.EVENT,
                event,
                child == null ? null : child.conversationId(),
                shown.timestamp());
    }

    /** Whether an entry of this log shows anything. */
    static boolean shows(StoredEntry entry) {
        return entry.seq() > 0;
    }

    /** Stops counting conversations that are not in memory and that nobody used or watched since the last two calls. */
    void tidy(Set<StreamKey> watched) {
        lock.lock();
        try {
            memory.tidy(watched);
        } finally {
            lock.unlock();
        }
    }

    // ---- where somebody begins

    /**
     * Where a reader of a view begins who has seen everything up to a number; without one, where the view ends. Blocks.
     *
     * @param caughtUp whether what other nodes had numbered has been read since the reader came
     * @return empty if that has to be done first
     */
    Optional<Start> start(View view, OptionalLong after, boolean caughtUp) {
        prepare(view);
        if (after.isEmpty()) {
            return Optional.of(Start.at(head(view.key()).position()));
        }
        long seq = after.getAsLong();
        long latest = latestSeq();
        if (seq <= latest) {
            return Optional.of(start(view, seq));
        }
        if (!caughtUp) {
            return Optional.empty();
        }
        return Optional.of(
                seq <= feed.head().lastSeq()
                        ? start(view, seq)
                        : new Start(head(view.key()).position(), OptionalLong.empty(), OptionalLong.of(latest)));
    }

    private Start start(View view, long seq) {
        lock.lock();
        try {
            if (seq >= memory.floorSeq()) {
                return new Start(memory.positionBefore(view, seq), memory.gone(view, seq), OptionalLong.empty());
            }
        } finally {
            lock.unlock();
        }
        long row = view.kind() == View.Kind.CONVERSATION ? feed.positionAt(view.id(), seq) : feed.placeAt(seq);
        lock.lock();
        try {
            Positions positions = memory.counted(view).positions;
            long position = positions.positionOf(Math.min(row, positions.rows()));
            return new Start(position, memory.gone(view, seq), OptionalLong.empty());
        } finally {
            lock.unlock();
        }
    }

    private void prepare(View view) {
        begin();
        watch(view);
        if (view.kind() == View.Kind.CONVERSATION) {
            count(view.id());
        }
    }

    // ---- the log

    @Override
    public String epoch() {
        return "feed";
    }

    @Override
    public Head head(StreamKey key) {
        View view = View.of(key);
        prepare(view);
        lock.lock();
        try {
            return new Head(memory.counted(view).positions.head(), 0);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Map<StreamKey, Head> heads(Collection<StreamKey> keys) {
        Map<StreamKey, Head> heads = new HashMap<>();
        keys.forEach(key -> heads.put(key, head(key)));
        return heads;
    }

    @Override
    public long positionAfterSeq(StreamKey key, long seq) {
        return 0;
    }

    @Override
    public List<StoredEntry> read(StreamKey key, long after, int maxEntries, int maxBytesOfPage) {
        View view = View.of(key);
        prepare(view);
        TreeSet<Long> rows = new TreeSet<>();
        long upTo;
        long firstRow;
        lock.lock();
        try {
            Counted counted = memory.counted(view);
            if (after >= counted.positions.head()) {
                return List.of();
            }
            if (after >= counted.floor()) {
                return memory.page(view, after, maxEntries, maxBytesOfPage).stream()
                        .map(item -> entry(view, key, item.position(view), item.event()))
                        .toList();
            }
            upTo = Math.min(counted.floor(), after + maxEntries);
            firstRow = counted.positions.rowsUpTo(after);
            for (long position = after + 1; position <= upTo; position++) {
                if (counted.positions.isRow(position)) {
                    rows.add(position);
                }
            }
        } finally {
            lock.unlock();
        }
        return fromFeed(view, after, upTo, firstRow, rows, maxBytesOfPage);
    }

    private List<StoredEntry> fromFeed(
            View view, long after, long upTo, long firstRow, TreeSet<Long> rows, int maxBytesOfPage) {
        List<FeedRow> found = List.of();
        if (!rows.isEmpty()) {
            found = switch (view.kind()) {
                case ALL -> feed.read(firstRow, rows.size(), maxBytesOfPage);
                case AGENT -> feed.readAgent(view.id(), firstRow, rows.size(), maxBytesOfPage);
                case CONVERSATION -> feed.readSession(view.id(), firstRow, rows.size(), maxBytesOfPage);
            };
        }
        StreamKey key = view.key();
        List<StoredEntry> page = new ArrayList<>();
        int next = 0;
        for (long position = after + 1; position <= upTo; position++) {
            Numbered shown = null;
            if (rows.contains(position)) {
                if (next == found.size()) {
                    break;
                }
                shown = Numbered.of(found.get(next++), presences);
            }
            page.add(entry(view, key, position, shown));
        }
        return page;
    }
}
