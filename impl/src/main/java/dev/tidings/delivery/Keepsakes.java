package dev.tidings.delivery;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a stream remembers beyond its window: the latest snapshot of every key, the ends of the latest partials, and text.
 *
 * <p>Whoever lost a part of the window gets these instead, in the order of their indexes. Bounded in number and bytes;
 * {@link #forgotten} tells whether a snapshot had to go, {@link #lostText} whether text. Versions are remembered for longer
 * than the snapshots, so that an older one that comes late is known as such.
 *
 * <p>Threads: none of its own; guarded by the lock of its stream.
 */
final class Keepsakes {
    private static final int ENDS = 64;
    private static final int MIN_VERSIONS = 256;

    private final int maxSnapshots;
    private final int maxBytes;
    private final int maxJoined;

    // Confined, all of them: under the stream's lock.
    private final TreeMap<Long, Item> byIndex = new TreeMap<>();
    private final Map<String, Long> snapshots = new HashMap<>();
    // In the order of last publication.
    private final LinkedHashMap<String, Long> versions = new LinkedHashMap<>(16, 0.75f, true);
    private final ArrayDeque<Long> ends = new ArrayDeque<>();
    // The oldest first.
    private final ArrayDeque<KeptText> texts = new ArrayDeque<>();
    private long textBytes;
    // Without texts.
    private long bytes;
    // Of those, what the window does not hold as well.
    private long ownBytes;
    private long windowFirst;
    private long forgotten = -1;
    private long lostText = -1;
    private long lostPiece = -1;

    /**
     * @param maxBytes for snapshots and ends, and for texts, each
     * @param maxJoined how much text is joined
     */
    Keepsakes(int maxSnapshots, int maxBytes, int maxJoined) {
        this.maxSnapshots = maxSnapshots;
        this.maxBytes = maxBytes;
        this.maxJoined = maxJoined;
    }

    /** Whether a snapshot is newer than what is known of its key (law 4). */
    boolean isNews(Broadcast.Snapshot snapshot) {
        Long known = versions.get(snapshot.snapshotKey());
        return known == null || known < snapshot.version();
    }

    /** Whether nothing newer than the snapshot at that index is known of its key. */
    boolean isLatest(long index, Item.Snapshot item) {
        Long latest = snapshots.get(item.snapshot().snapshotKey());
        return latest == null || latest == index;
    }

    /** Keeps a snapshot in place of the one before. */
    void keepSnapshot(long index, Item.Snapshot item) {
        noteVersion(item.snapshot());
        Long before = snapshots.put(item.snapshot().snapshotKey(), index);
        if (before != null) {
            drop(before);
        }
        put(index, item);
        while (snapshots.size() > 1 && (snapshots.size() > maxSnapshots || bytes > maxBytes)) {
            forgetOldest(Long.MAX_VALUE);
        }
    }

    /** Keeps the end of a partial. */
    void keepEnd(long index, Item.Signal item) {
        put(index, item);
        ends.addLast(index);
        if (ends.size() > ENDS) {
            long oldest = ends.removeFirst();
            if (byIndex.get(oldest) instanceof Item.Signal end && end.signal().text() != null) {
                lostText = Math.max(lostText, oldest);
            }
            drop(oldest);
        }
    }

    /** The window has dropped an item: a piece of text is joined with those before it, anything else is gone. */
    void left(long index, Item item) {
        if (!(item instanceof Item.Signal signal) || signal.signal().last()) {
            return;
        }
        String partial = signal.signal().partial();
        Broadcast.Text text = signal.signal().text();
        if (partial == null) {
            return;
        }
        if (text == null) {
            lostPiece = index;
            return;
        }
        try {
            keepText(index, partial, signal, text);
        } catch (OutOfMemoryError none) {
            // Lost, but known to be; what came into the window in its place is not lost with it.
            lostText = index;
        }
    }

    private void keepText(long index, String partial, Item.Signal item, Broadcast.Text piece) {
        KeptText text = texts.peekLast();
        Map.Entry<Long, Item> before = byIndex.lowerEntry(index);
        if (text == null || before == null || before.getValue() != text || !text.goesOn(item, piece, maxJoined)) {
            text = new KeptText(index, item.behind());
            byIndex.put(index, text);
            texts.addLast(text);
        }
        textBytes += text.add(index, partial, item, piece);
        while (textBytes > maxBytes && forgetOldestText()) {
            // Whoever still lacks it is cut.
        }
    }

    private boolean forgetOldestText() {
        KeptText oldest = texts.pollFirst();
        if (oldest == null) {
            return false;
        }
        byIndex.remove(oldest.first());
        textBytes -= oldest.heldBytes();
        lostText = Math.max(lostText, oldest.last());
        assert textBytes >= 0;
        return true;
    }

    /** The highest index of a piece of text that has left the window and is not kept; -1 for none. */
    long lostText() {
        return lostText;
    }

    /** The same for other pieces of partials; they are never kept. */
    long lostPiece() {
        return lostPiece;
    }

    /** The kept item of the lowest index in the range, or the text that goes on into it. */
    Map.@Nullable Entry<Long, Item> firstOrNull(long from, long until) {
        Map.Entry<Long, Item> before = byIndex.lowerEntry(from);
        if (before != null && before.getValue() instanceof KeptText text && text.last() >= from) {
            return before;
        }
        Map.Entry<Long, Item> entry = byIndex.ceilingEntry(from);
        return entry == null || entry.getKey() >= until ? null : entry;
    }

    /** Whether a snapshot of the range, the latest of its key, had to be forgotten. */
    boolean forgotten(long from, long until) {
        return forgotten >= from && from < until;
    }

    private void noteVersion(Broadcast.Snapshot snapshot) {
        versions.put(snapshot.snapshotKey(), snapshot.version());
        if (versions.size() > Math.max(MIN_VERSIONS, 4 * maxSnapshots)) {
            Iterator<String> oldest = versions.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** The bytes that are held here alone; the others are counted with the window. */
    long ownBytes() {
        return ownBytes + textBytes;
    }

    /** The window has dropped what came before an index. */
    void windowBeginsAt(long index) {
        if (index > windowFirst) {
            for (Item left : byIndex.subMap(windowFirst, index).values()) {
                ownBytes += left instanceof KeptText ? 0 : left.bytes();
            }
            windowFirst = index;
        }
    }

    /**
     * Memory is short: of what the window does not hold, keeps the newest, at most so many bytes in all; text goes first,
     * since the message is in the log.
     */
    void shrink(long mostOwnBytes) {
        while (ownBytes() > mostOwnBytes) {
            if (!forgetOldestText() && !forgetOldest(windowFirst)) {
                return;
            }
        }
    }

    private void put(long index, Item item) {
        byIndex.put(index, item);
        bytes += item.bytes();
    }

    private void drop(long index) {
        Item item = byIndex.remove(index);
        if (item != null) {
            removed(index, item);
        }
    }

    private void removed(long index, Item item) {
        bytes -= item.bytes();
        if (index < windowFirst) {
            ownBytes -= item.bytes();
        }
        assert ownBytes >= 0 && bytes >= ownBytes;
    }

    /** Forgets the oldest snapshot that came before an index; ends of partials are few and small, and stay. */
    private boolean forgetOldest(long before) {
        Iterator<Map.Entry<Long, Item>> oldest =
                byIndex.headMap(before).entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<Long, Item> next = oldest.next();
            if (next.getValue() instanceof Item.Snapshot item) {
                long index = next.getKey();
                oldest.remove();
                removed(index, item);
                snapshots.remove(item.snapshot().snapshotKey());
                forgotten = Math.max(forgotten, index);
                return true;
            }
        }
        return false;
    }
}
