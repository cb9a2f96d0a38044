package dev.tidings.delivery;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a subscription is: its cursor in the log and its place in the window.
 *
 * <p>Positions are exact (law 1): the cursor moves entry by entry, never back, and never over one that shows something
 * without it having been taken. For what is not an entry there is one index, {@link #itemsFrom}: everything before it
 * was taken, superseded, or lost.
 *
 * <p>Threads: none of its own; guarded by the lock of its outbox.
 */
final class Bookmark {
    private final Gate gate;
    private final String view;
    private final SentSnapshots sent;

    // Confined, all of them: under the outbox's lock.
    private long cursor;
    private long walk;
    private long itemsFrom;
    private long keptUntil;
    private long lostUntil;
    private boolean joined;
    private boolean opened;
    private long until;
    private long leaveOut;
    private final Deque<Frame> behind = new ArrayDeque<>();
    private int behindBytes;
    private final Map<String, Long> seen = new HashMap<>();
    private final Map<String, Long> seenText = new HashMap<>();

    Bookmark(Gate gate, String view, SentSnapshots sent) {
        this.gate = gate;
        this.view = view;
        this.sent = sent;
    }

    /** Signals and snapshots from that index on are for this subscription: it is registered. */
    void registered(long nextIndex) {
        itemsFrom = nextIndex;
    }

    /** Puts the cursor behind a position and notes what snapshots and what text the peer has. */
    void begin(Opening opening) {
        cursor = opening.after();
        joined = false;
        seen.putAll(opening.seen());
        seenText.putAll(opening.seenText());
        until = opening.until();
        leaveOut = opening.leaveOut();
        for (Frame frame : opening.behind()) {
            behind.addLast(frame);
            behindBytes += frame.size();
        }
    }

    /** All of the opening was taken: what it shows is now the last that the socket was sent. */
    void opened() {
        if (!opened) {
            opened = true;
            seen.forEach(sent::sent);
        }
    }

    /** The subscription is over. */
    void end() {
        behind.clear();
        behindBytes = 0;
    }

    /** What waits for the replay to be over, in bytes. */
    int behindBytes() {
        return behindBytes;
    }

    /** The position of the last entry taken. */
    long cursor() {
        return cursor;
    }

    /** Takes from a page, from an offset on; gives the offset of the first entry not taken. */
    int takePage(Page page, int offset, Batch batch, Verdict verdict) {
        int next = offset;
        joined = false;
        while (next < page.entries().size()) {
            Shown entry = page.entries().get(next);
            assert entry.position() == cursor + 1 : "a page goes on at the cursor";
            if (entry.position() > until && !takeBehind(batch, verdict)) {
                return next;
            }
            boolean silent = entry.frames().isEmpty() || leftOut(entry.position(), entry.seq());
            if (!silent && !passes(entry.frames(), entry.bytes(), batch, verdict)) {
                return next;
            }
            cursor = entry.position();
            next++;
        }
        verdict.pull = Pull.DRY;
        return next;
    }

    /** Takes from the window; the caller holds the stream's lock. {@code head} is the last position it knows. */
    Pull takeWindow(Window window, Keepsakes kept, long head, Batch batch) {
        // Also a subscription that had taken everything is behind when the stream has jumped over a hole.
        if (cursor < window.coveredAfter()) {
            joined = false;
            return Pull.BEHIND;
        }
        if ((!joined || walk < window.first()) && !join(window, kept)) {
            return Pull.BROKEN;
        }
        Verdict verdict = new Verdict();
        if (!takeKept(kept, batch, verdict)) {
            return verdict.pull;
        }
        while (walk < window.next()) {
            if (!take(window.at(walk), walk, kept, batch, verdict)) {
                return verdict.pull;
            }
            walk++;
            itemsFrom = Math.max(itemsFrom, walk);
        }
        // Entries behind the last one that shows something are covered as well.
        cursor = Math.max(cursor, head);
        if (cursor >= until && !takeBehind(batch, verdict)) {
            return verdict.pull;
        }
        return Pull.DRY;
    }

    /** Takes what was to be sent when the replay is over. */
    private boolean takeBehind(Batch batch, Verdict verdict) {
        while (!behind.isEmpty()) {
            Frame frame = behind.getFirst();
            if (!passes(List.of(frame), frame.size(), batch, verdict)) {
                return false;
            }
            behind.removeFirst();
            behindBytes -= frame.size();
        }
        return true;
    }

    private boolean leftOut(long position, long seq) {
        return position <= until && seq > 0 && seq <= leaveOut;
    }

    /** Finds the place in the window that fits the cursor; false if a snapshot was lost on the way. */
    private boolean join(Window window, Keepsakes kept) {
        walk = window.indexBehind(cursor);
        if (walk > itemsFrom) {
            if (kept.forgotten(itemsFrom, walk)) {
                return false;
            }
            // Every partial that began before the last signal that was lost is cut, whether or not the signal was its
            // own: a prefix is allowed, a hole is not, and no list of partials has to be kept for it.
            lostUntil = Math.max(lostUntil, window.lastPartialSignal(itemsFrom, walk) + 1);
            keptUntil = walk;
        }
        joined = true;
        return true;
    }

    private boolean takeKept(Keepsakes kept, Batch batch, Verdict verdict) {
        while (itemsFrom < keptUntil) {
            Map.@Nullable Entry<Long, Item> next = kept.firstOrNull(itemsFrom, keptUntil);
            if (next == null) {
                itemsFrom = keptUntil;
            } else {
                if (!take(next.getValue(), next.getKey(), kept, batch, verdict)) {
                    return false;
                }
                itemsFrom = next.getKey() + 1;
            }
        }
        return true;
    }

    /** Takes an item or passes over it for good; false if it has to stay for now. */
    private boolean take(Item item, long index, Keepsakes kept, Batch batch, Verdict verdict) {
        if (item instanceof Item.Entry entry) {
            return takeEntry(entry, batch, verdict);
        }
        if (index < itemsFrom) {
            return true;
        }
        if (item instanceof Item.Signal signal) {
            return takeSignal(signal, index, batch, verdict);
        }
        return takeSnapshot((Item.Snapshot) item, index, kept, batch, verdict);
    }

    private boolean takeEntry(Item.Entry entry, Batch batch, Verdict verdict) {
        if (entry.position() <= cursor) {
            return true;
        }
        assert entry.from() <= cursor + 1 : "no entry is passed over";
        if (entry.position() > until && !takeBehind(batch, verdict)) {
            return false;
        }
        if (!leftOut(entry.position(), entry.seq()) && !passes(entry.frames(), entry.bytes(), batch, verdict)) {
            return false;
        }
        cursor = entry.position();
        return true;
    }

    private boolean takeSignal(Item.Signal item, long index, Batch batch, Verdict verdict) {
        Broadcast.Signal signal = item.signal();
        boolean partial = signal.partial() != null;
        if (partial && !takeBehind(batch, verdict)) {
            return false;
        }
        if (partial && !signal.last() && item.partialFrom() < lostUntil) {
            return true;
        }
        if (known(signal)) {
            return true;
        }
        if (shut(signal.gate())) {
            if (partial) {
                lostUntil = Math.max(lostUntil, index + 1);
            }
            return true;
        }
        return passes(item.frames(), item.bytes(), batch, verdict);
    }

    /** Whether the opening has shown the piece that the signal adds. */
    private boolean known(Broadcast.Signal signal) {
        Broadcast.Text text = signal.text();
        Long shown = signal.partial() == null ? null : seenText.get(signal.partial());
        return text != null && shown != null && text.offset() < shown;
    }

    private boolean takeSnapshot(Item.Snapshot item, long index, Keepsakes kept, Batch batch, Verdict verdict) {
        Broadcast.Snapshot snapshot = item.snapshot();
        Frame frame = snapshot.frameOrNull(view);
        Long shown = seen.get(snapshot.snapshotKey());
        if (frame == null || !sent.isNews(snapshot.snapshotKey(), snapshot.version())) {
            return true;
        }
        if (!kept.isLatest(index, item) || (shown != null && shown >= snapshot.version()) || shut(snapshot.gate())) {
            return true;
        }
        if (!passes(List.of(frame), frame.size(), batch, verdict)) {
            return false;
        }
        sent.sent(snapshot.snapshotKey(), snapshot.version());
        // From here on the stream's own comparison of versions is enough.
        seen.remove(snapshot.snapshotKey());
        return true;
    }

    private boolean passes(List<Frame> frames, int bytes, Batch batch, Verdict verdict) {
        // Asked item by item and as late as can be: what the gate's closing finds not taken stays (law 6).
        if (!gate.isOpen()) {
            verdict.pull = Pull.GATED;
            return false;
        }
        Batch.Offer offer = batch.offer(frames, bytes);
        if (offer != Batch.Offer.TAKEN) {
            verdict.pull = Pull.after(offer);
            return false;
        }
        return true;
    }

    private static boolean shut(@Nullable Gate gate) {
        return gate != null && !gate.isOpen();
    }

    /** The state, for people. */
    @Override
    public String toString() {
        return "Bookmark[cursor " + cursor + ", walk " + walk + ", items from " + itemsFrom + ", kept until "
                + keptUntil + ", lost until " + lostUntil + (joined ? ", joined" : "") + "]";
    }

    /** Why taking stopped. */
    static final class Verdict {
        // Confined: the method that made it.
        Pull pull = Pull.DRY;
    }
}
