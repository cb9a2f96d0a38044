package dev.tidings.delivery;

import java.util.List;

/**
 * What a stream holds and knows: its window, what it keeps beyond it, the partials that are open, and how far the log
 * reaches.
 *
 * <p>The head is the last position of an unbroken row: it moves by one entry at a time, or jumps to the known head and
 * gives the window up. Between the head and the known head there is a hole.
 *
 * <p>Threads: none of its own; guarded by the lock of its stream.
 */
final class Content {
    private static final long UNKNOWN = -1;

    private final Window window;
    private final Keepsakes kept;
    private final Partials partials = new Partials();

    // Confined, both of them: under the stream's lock.
    private long head;
    private long knownHead;

    Content(DeliveryLimits limits, boolean durable) {
        this.kept =
                new Keepsakes(limits.windowMaxFrames(), limits.windowMaxBytes(), Turns.quantum(limits.batchMaxBytes()));
        this.window = new Window(limits.windowMaxFrames(), limits.windowMaxBytes(), kept::left);
        this.head = durable ? UNKNOWN : 0;
    }

    /** Whether the head is known. */
    boolean begun() {
        return head != UNKNOWN;
    }

    long head() {
        return head;
    }

    /** How far the log is known to reach; at least the head, once that is known. */
    long knownHead() {
        return Math.max(head, knownHead);
    }

    long nextIndex() {
        return window.next();
    }

    /** How many signals were added, ever: the number of the next one. */
    long signals() {
        return window.signals();
    }

    /** How many entries are known of and not here. */
    long hole() {
        return begun() ? knownHead - head : 0;
    }

    /** Lets a subscription take what comes next. */
    Pull pull(Bookmark bookmark, Batch batch) {
        return begun() ? bookmark.takeWindow(window, kept, head, batch) : Pull.DRY;
    }

    /** Lets a subscription take from a page, as far as the window does not hold it; gives the offset of what is next. */
    int pullPage(Bookmark bookmark, Page page, int offset, Batch batch, Bookmark.Verdict verdict) {
        return bookmark.takePage(page, offset, window, kept, batch, verdict);
    }

    /** Everything up to a position has committed, and it is where the window begins if it has not begun. */
    void beginAt(long position) {
        if (!begun()) {
            head = position;
            window.clear(position);
            kept.windowBeginsAt(window.first());
        }
    }

    /** The log reaches at least so far. */
    void reaches(long position) {
        knownHead = Math.max(knownHead, position);
    }

    /** Adds entries that go on from the head; those that are here are passed over (law 13). */
    void append(List<Shown> entries) {
        for (Shown entry : entries) {
            if (entry.position() <= head) {
                continue;
            }
            assert entry.position() == head + 1 : "the head moves one by one";
            // In this order: an entry that could not be added is a hole, not passed over.
            if (!entry.frames().isEmpty()) {
                window.addEntry(entry);
            }
            head = entry.position();
        }
        knownHead = Math.max(knownHead, head);
        kept.windowBeginsAt(window.first());
    }

    /** The bytes held, each once. */
    long bytes() {
        return window.bytes() + kept.ownBytes();
    }

    /** The bytes that somebody who stands there has yet to take from the window. */
    long lagBytes(Bookmark bookmark) {
        return begun() ? window.bytesFrom(bookmark.walk()) : 0;
    }

    /**
     * Keeps the newest, at most so many bytes: of the window first, then of what is kept beyond it, which would otherwise
     * grow for as long as somebody watches. Whoever still needs what is forgotten is told to come back.
     */
    void shrink(long mostBytes) {
        window.shrink(mostBytes);
        kept.windowBeginsAt(window.first());
        kept.shrink(Math.max(0, mostBytes - window.bytes()));
    }

    /** Gives the window up and goes on at the known head; subscriptions read what they lack from the log. */
    void jump() {
        head = Math.max(head, knownHead);
        window.clear(head);
        kept.windowBeginsAt(window.first());
    }

    /** Adds a broadcast, unless it is older than what is known, or of a partial that is lost. */
    void show(Broadcast broadcast) {
        show(broadcast, Math.max(head, 0));
    }

    /** The same for one whose place is behind an entry that is still to be read, or is jumped over. */
    void show(Broadcast broadcast, long behind) {
        long index = window.next();
        if (broadcast instanceof Broadcast.Signal signal) {
            showSignal(signal, index, behind);
        } else if (broadcast instanceof Broadcast.Snapshot snapshot && kept.isNews(snapshot)) {
            Item.Snapshot item = new Item.Snapshot(snapshot, behind);
            window.add(item);
            kept.windowBeginsAt(window.first());
            kept.keepSnapshot(index, item);
        }
    }

    private void showSignal(Broadcast.Signal signal, long index, long behind) {
        String partial = signal.partial();
        if (partial == null) {
            window.add(new Item.Signal(signal, index, behind, window.signals()));
            kept.windowBeginsAt(window.first());
        } else if (!partials.broken(partial, signal.last())) {
            long from = partials.note(partial, signal.last(), index);
            Item.Signal item = new Item.Signal(signal, from, behind, window.signals());
            window.add(item);
            kept.windowBeginsAt(window.first());
            if (signal.last()) {
                kept.keepEnd(index, item);
            }
        }
    }

    /** There is no room to wait: snapshots and ends of partials are shown at once, other signals are lost for all. */
    void overflow(Broadcast broadcast) {
        long index = window.next();
        if (broadcast instanceof Broadcast.Signal signal && signal.partial() != null) {
            if (signal.last()) {
                show(broadcast);
                partials.endEarly(signal.partial(), index);
            } else {
                partials.breakOff(signal.partial(), index);
            }
        } else if (broadcast instanceof Broadcast.Snapshot) {
            show(broadcast);
        }
    }

    /** The state, for people. */
    @Override
    public String toString() {
        return "head " + head + " of " + knownHead + ", window " + window.first() + " to " + window.next() + " behind "
                + window.coveredAfter();
    }
}
