package dev.tidings.protocol.conversations;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.EntryKind;
import dev.tidings.Head;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.Feed;
import dev.tidings.spi.Feed.FeedRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
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
    private static final Payload NOTHING = Payload.of("{}");

    /**
     * An event with its number.
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
    }

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

    /** An event in memory; the place is its position in the view of everything. */
    private record Item(Numbered event, long place, long position) {
        long position(View view) {
            return view.kind() == View.Kind.CONVERSATION ? position : place;
        }

        boolean in(View view) {
            return view.kind() != View.Kind.CONVERSATION
                    || event.conversationId().equals(view.id());
        }
    }

    /** What is known of a view. Confined: under the tape's lock. */
    private static final class Counted {
        final Positions positions;
        int inMemory;
        // Up to here nothing is in memory.
        long floor;
        // The highest number that only passed and is gone.
        long lostSeq;
        long lastUsed;

        Counted(long base, long lostSeq) {
            this.positions = new Positions(base);
            this.floor = base;
            this.lostSeq = lostSeq;
        }
    }

    private final Feed feed;
    private final int maxEvents;
    private final long maxBytes;
    private final Set<String> agents = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Counted all;

    @GuardedBy("lock")
    private final Map<String, Counted> conversations = new HashMap<>();

    @GuardedBy("lock")
    private final ArrayDeque<Item> memory = new ArrayDeque<>();

    @GuardedBy("lock")
    private long bytes;

    // Everything up to this number has left the memory, or was never in it.
    @GuardedBy("lock")
    private long floorSeq;

    @GuardedBy("lock")
    private long latestSeq;

    @GuardedBy("lock")
    private long lastRowSeq;

    // The highest number that only passed in a conversation that nobody counts any more.
    @GuardedBy("lock")
    private long forgottenSeq;

    @GuardedBy("lock")
    private long now;

    /**
     * A tape that begins where the feed ends.
     *
     * @param maxEvents how many events are kept in memory
     * @param maxBytes and how many bytes
     */
    FeedTape(Feed feed, int maxEvents, long maxBytes) {
        this.feed = feed;
        this.maxEvents = maxEvents;
        this.maxBytes = maxBytes;
    }

    /** Finds out where the feed ends, the first time. Blocks. */
    void begin() {
        lock.lock();
        try {
            if (all != null) {
                return;
            }
        } finally {
            lock.unlock();
        }
        Feed.Head head = feed.head();
        lock.lock();
        try {
            if (all == null) {
                all = new Counted(head.place(), head.lastSeq());
                floorSeq = head.lastSeq();
                latestSeq = head.lastSeq();
                lastRowSeq = head.lastSeq();
                forgottenSeq = head.lastSeq();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The place in the feed up to which rows were added. */
    long place() {
        lock.lock();
        try {
            return allLocked().positions.rows();
        } finally {
            lock.unlock();
        }
    }

    /** The latest number. */
    long latestSeq() {
        lock.lock();
        try {
            return latestSeq;
        } finally {
            lock.unlock();
        }
    }

    /** The agents whose part of the feed was ever asked for get theirs. */
    void watch(View view) {
        if (view.kind() == View.Kind.AGENT) {
            agents.add(view.id());
        }
    }

    // ---- what comes

    /** Begins to count a conversation, if nobody did. Blocks; what is added meanwhile is not missed. */
    void count(String conversationId) {
        while (true) {
            long rowSeq;
            lock.lock();
            try {
                Counted known = conversations.get(conversationId);
                if (known != null) {
                    known.lastUsed = now;
                    return;
                }
                rowSeq = lastRowSeq;
            } finally {
                lock.unlock();
            }
            long base = feed.positionAt(conversationId, rowSeq);
            lock.lock();
            try {
                // Whatever was added of this conversation meanwhile made it counted.
                if (!conversations.containsKey(conversationId)) {
                    countLocked(conversationId, base);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** A conversation was made just now: nothing of it is from before. */
    void countNew(String conversationId) {
        lock.lock();
        try {
            if (!conversations.containsKey(conversationId)) {
                countLocked(conversationId, 0).lostSeq = 0;
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Counted countLocked(String conversationId, long base) {
        Counted counted = new Counted(base, forgottenSeq);
        counted.lastUsed = now;
        conversations.put(conversationId, counted);
        return counted;
    }

    /** Adds events, in the order of their numbers; gives the hints for the engine. The conversations are counted. */
    List<EntriesStored> add(List<Numbered> events) {
        List<Item> items = new ArrayList<>(events.size());
        lock.lock();
        try {
            for (Numbered event : events) {
                items.add(addLocked(event));
            }
        } finally {
            lock.unlock();
        }
        return hints(items);
    }

    @GuardedBy("lock")
    private Item addLocked(Numbered event) {
        boolean row = event.rowPosition() > 0;
        Counted conversation = conversations.get(event.conversationId());
        if (conversation == null) {
            conversation = countLocked(event.conversationId(), Math.max(0, event.rowPosition() - 1));
        }
        Item item = new Item(event, allLocked().positions.add(row), conversation.positions.add(row));
        memory.addLast(item);
        bytes += size(item);
        conversation.inMemory++;
        conversation.lastUsed = now;
        latestSeq = event.seq();
        lastRowSeq = row ? event.seq() : lastRowSeq;
        while (memory.size() > 1 && (memory.size() > maxEvents || bytes > maxBytes)) {
            dropLocked(memory.removeFirst());
        }
        return item;
    }

    @GuardedBy("lock")
    private void dropLocked(Item item) {
        bytes -= size(item);
        floorSeq = item.event().seq();
        allLocked().floor = item.place();
        Counted conversation = conversations.get(item.event().conversationId());
        boolean passed = item.event().rowPosition() == 0;
        if (passed) {
            allLocked().lostSeq = item.event().seq();
        }
        if (conversation != null) {
            conversation.inMemory--;
            conversation.floor = item.position();
            conversation.lostSeq = passed ? item.event().seq() : conversation.lostSeq;
        }
    }

    private static int size(Item item) {
        Payload event = item.event().event();
        return 128 + (event == null ? 0 : event.size());
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
        if (shown == null || shown.event() == null || !view.shows(shown.agentId())) {
            return new StoredEntry(key, position, 0, "nothing", EntryKind.EVENT, NOTHING, null, 0);
        }
        return new StoredEntry(
                key, position, shown.seq(), "event", EntryKind.EVENT, shown.event(), null, shown.timestamp());
    }

    /** Whether an entry of this log shows anything. */
    static boolean shows(StoredEntry entry) {
        return entry.seq() > 0;
    }

    /** Stops counting conversations that are not in memory and that nobody used or watched since the last two calls. */
    void tidy(Set<StreamKey> watched) {
        lock.lock();
        try {
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
            if (seq >= floorSeq) {
                return new Start(inMemoryLocked(view, seq), goneLocked(view, seq), OptionalLong.empty());
            }
        } finally {
            lock.unlock();
        }
        long row = view.kind() == View.Kind.CONVERSATION ? feed.positionAt(view.id(), seq) : feed.placeAt(seq);
        lock.lock();
        try {
            Positions positions = countedLocked(view).positions;
            long position = positions.positionOf(Math.min(row, positions.rows()));
            return new Start(position, goneLocked(view, seq), OptionalLong.empty());
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

    /** The position before the first event in memory above that number. */
    @GuardedBy("lock")
    private long inMemoryLocked(View view, long seq) {
        for (Item item : memory) {
            if (item.event().seq() > seq && item.in(view)) {
                return item.position(view) - 1;
            }
        }
        return countedLocked(view).positions.head();
    }

    @GuardedBy("lock")
    private OptionalLong goneLocked(View view, long seq) {
        if (seq >= countedLocked(view).lostSeq) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                memory.isEmpty() ? floorSeq + 1 : memory.getFirst().event().seq());
    }

    @GuardedBy("lock")
    private Counted countedLocked(View view) {
        if (view.kind() != View.Kind.CONVERSATION) {
            return allLocked();
        }
        Counted counted = conversations.get(view.id());
        if (counted == null) {
            throw new IllegalStateException("the conversation is not counted any more");
        }
        counted.lastUsed = now;
        return counted;
    }

    @GuardedBy("lock")
    private Counted allLocked() {
        if (all == null) {
            throw new IllegalStateException("the tape has not begun");
        }
        return all;
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
            return new Head(countedLocked(view).positions.head(), 0);
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
            Counted counted = countedLocked(view);
            if (after >= counted.positions.head()) {
                return List.of();
            }
            if (after >= counted.floor) {
                return fromMemoryLocked(view, after, maxEntries, maxBytesOfPage);
            }
            upTo = Math.min(counted.floor, after + maxEntries);
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

    @GuardedBy("lock")
    private List<StoredEntry> fromMemoryLocked(View view, long after, int maxEntries, int maxBytesOfPage) {
        List<StoredEntry> page = new ArrayList<>();
        StreamKey key = view.key();
        long pageBytes = 0;
        for (Item item : memory) {
            if (!item.in(view) || item.position(view) <= after) {
                continue;
            }
            StoredEntry entry = entry(view, key, item.position(view), item.event());
            pageBytes += entry.payload().size();
            if (page.size() == maxEntries || (pageBytes > maxBytesOfPage && !page.isEmpty())) {
                break;
            }
            page.add(entry);
        }
        return page;
    }

    private List<StoredEntry> fromFeed(
            View view, long after, long upTo, long firstRow, TreeSet<Long> rows, int maxBytesOfPage) {
        List<FeedRow> found = List.of();
        if (!rows.isEmpty()) {
            found = view.kind() == View.Kind.CONVERSATION
                    ? feed.readSession(view.id(), firstRow, rows.size(), maxBytesOfPage)
                    : feed.read(firstRow, rows.size(), maxBytesOfPage);
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
                shown = Numbered.of(found.get(next++));
            }
            page.add(entry(view, key, position, shown));
        }
        return page;
    }
}
