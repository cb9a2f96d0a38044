package dev.tidings.delivery;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a stream remembers beyond its window: the latest snapshot of every key, and the ends of the latest partials.
 *
 * <p>Whoever lost a part of the window gets these instead, in the order of their indexes. Bounded in number and bytes;
 * {@link #forgotten} tells whether a snapshot had to go. The version of a forgotten key is forgotten too: by then at
 * least as many other keys as the window has frames were published.
 *
 * <p>Threads: none of its own; guarded by the lock of its stream.
 */
final class Keepsakes {
    private static final int ENDS = 64;

    private final int maxSnapshots;
    private final int maxBytes;

    // Confined, all of them: under the stream's lock.
    private final TreeMap<Long, Item> byIndex = new TreeMap<>();
    private final Map<String, Long> snapshots = new HashMap<>();
    private final ArrayDeque<Long> ends = new ArrayDeque<>();
    private long bytes;
    private long forgotten = -1;

    Keepsakes(int maxSnapshots, int maxBytes) {
        this.maxSnapshots = maxSnapshots;
        this.maxBytes = maxBytes;
    }

    /** Whether a snapshot is newer than what is known of its key (law 4). */
    boolean isNews(Broadcast.Snapshot snapshot) {
        Long index = snapshots.get(snapshot.snapshotKey());
        return index == null
                || !(byIndex.get(index) instanceof Item.Snapshot known)
                || known.snapshot().version() < snapshot.version();
    }

    /** Whether nothing newer than the snapshot at that index is known of its key. */
    boolean isLatest(long index, Item.Snapshot item) {
        Long latest = snapshots.get(item.snapshot().snapshotKey());
        return latest == null || latest == index;
    }

    /** Keeps a snapshot in place of the one before. */
    void keepSnapshot(long index, Item.Snapshot item) {
        Long before = snapshots.put(item.snapshot().snapshotKey(), index);
        if (before != null) {
            drop(before);
        }
        put(index, item);
        while (snapshots.size() > 1 && (snapshots.size() > maxSnapshots || bytes > maxBytes)) {
            forgetOldest();
        }
    }

    /** Keeps the end of a partial. */
    void keepEnd(long index, Item.Signal item) {
        put(index, item);
        ends.addLast(index);
        if (ends.size() > ENDS) {
            drop(ends.removeFirst());
        }
    }

    /** The kept item of the lowest index in the range. */
    Map.@Nullable Entry<Long, Item> firstOrNull(long from, long until) {
        Map.Entry<Long, Item> entry = byIndex.ceilingEntry(from);
        return entry == null || entry.getKey() >= until ? null : entry;
    }

    /** Whether a snapshot of the range, the latest of its key, had to be forgotten. */
    boolean forgotten(long from, long until) {
        return forgotten >= from && from < until;
    }

    private void put(long index, Item item) {
        byIndex.put(index, item);
        bytes += item.bytes();
    }

    private void drop(long index) {
        Item item = byIndex.remove(index);
        if (item != null) {
            bytes -= item.bytes();
        }
    }

    private void forgetOldest() {
        Map.Entry<Long, Item> oldest = byIndex.pollFirstEntry();
        if (oldest == null) {
            return;
        }
        bytes -= oldest.getValue().bytes();
        if (oldest.getValue() instanceof Item.Snapshot item) {
            snapshots.remove(item.snapshot().snapshotKey());
            forgotten = oldest.getKey();
        } else {
            ends.remove(oldest.getKey());
        }
    }
}
