package dev.tidings.delivery;

import org.jspecify.annotations.Nullable;

/**
 * The last items of a stream, encoded.
 *
 * <p>Every item has an index, consecutive and never used twice. The window holds the indexes from {@link #first} up to
 * and without {@link #next}, and with them every entry behind {@link #coveredAfter} that shows something. It is bounded
 * in frames and in bytes, but keeps at least one item. What leaves it is handed on.
 *
 * <p>Threads: none of its own; guarded by the lock of its stream.
 */
final class Window {
    /** Takes what leaves a window. */
    @FunctionalInterface
    interface Leaving {
        void left(long index, Item item);
    }

    private final int maxFrames;
    private final int maxBytes;
    private final Leaving leaving;

    // Confined, all of them: under the stream's lock.
    private @Nullable Item[] ring = new Item[16];
    // Of each index held, how many bytes came before it, ever.
    private long[] bytesBefore = new long[16];
    private long bytesEver;
    private long signalsEver;
    private long first;
    private long next;
    private int frames;
    private long bytes;
    private long coveredAfter;
    private long lastPosition;

    Window(int maxFrames, int maxBytes, Leaving leaving) {
        this.maxFrames = maxFrames;
        this.maxBytes = maxBytes;
        this.leaving = leaving;
    }

    /** The lowest index held. */
    long first() {
        return first;
    }

    /** The index that the next item will have. */
    long next() {
        return next;
    }

    /** The position behind which every entry that shows something is here. */
    long coveredAfter() {
        return coveredAfter;
    }

    /** The item at an index that is held. */
    Item at(long index) {
        Item item = index < first || index >= next ? null : ring[slot(index)];
        if (item == null) {
            throw new IndexOutOfBoundsException("index " + index + " is not in the window");
        }
        return item;
    }

    /** The bytes held. */
    long bytes() {
        return bytes;
    }

    /** The bytes held from an index on: how far somebody who stands there lags. */
    long bytesFrom(long index) {
        if (index >= next) {
            return 0;
        }
        return index <= first ? bytes : bytesEver - bytesBefore[slot(index)];
    }

    /** How many signals were added, ever. */
    long signals() {
        return signalsEver;
    }

    /** Drops old items, but for one, until at most so many bytes are held. */
    void shrink(long mostBytes) {
        while (next - first > 1 && bytes > mostBytes) {
            evict();
        }
    }

    /** Adds an entry that shows something; it covers those before it that do not. */
    void addEntry(Shown entry) {
        assert entry.position() > lastPosition : "entries come in position order";
        add(new Item.Entry(lastPosition + 1, entry.position(), entry.seq(), entry.frames(), entry.bytes()));
        lastPosition = entry.position();
    }

    /** Adds an item and drops old ones that no longer fit. */
    void add(Item item) {
        if (next - first == ring.length) {
            grow();
        }
        ring[slot(next)] = item;
        bytesBefore[slot(next)] = bytesEver;
        bytesEver += item.bytes();
        signalsEver += item instanceof Item.Signal ? 1 : 0;
        next++;
        frames += item.frames().size();
        bytes += item.bytes();
        while (next - first > 1 && (frames > maxFrames || bytes > maxBytes)) {
            evict();
        }
        assert bytes >= 0 && frames >= 0;
        assert next - first == 1 || (frames <= maxFrames && bytes <= maxBytes) : "the window is bounded";
    }

    /** Drops everything; from now on the window covers what is behind that position. */
    void clear(long position) {
        while (first < next) {
            evict();
        }
        coveredAfter = position;
        lastPosition = position;
    }

    /** The index behind the last entry held of at most that position; the first index if there is none. */
    long indexBehind(long position) {
        for (long index = next - 1; index >= first; index--) {
            if (at(index) instanceof Item.Entry entry && entry.position() <= position) {
                return index + 1;
            }
        }
        return first;
    }

    private void evict() {
        int slot = slot(first);
        Item item = at(first);
        ring[slot] = null;
        frames -= item.frames().size();
        bytes -= item.bytes();
        if (item instanceof Item.Entry entry) {
            coveredAfter = entry.position();
        }
        first++;
        leaving.left(first - 1, item);
    }

    private void grow() {
        // All made before any is put in place: memory may be short.
        Item[] larger = new Item[ring.length * 2];
        long[] moreBytes = new long[ring.length * 2];
        for (long index = first; index < next; index++) {
            int slot = (int) (index & (larger.length - 1));
            larger[slot] = ring[slot(index)];
            moreBytes[slot] = bytesBefore[slot(index)];
        }
        ring = larger;
        bytesBefore = moreBytes;
    }

    private int slot(long index) {
        return (int) (index & (ring.length - 1));
    }
}
