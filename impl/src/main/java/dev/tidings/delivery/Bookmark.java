package dev.tidings.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a subscription is: its cursor in the log and its place in the window.
 *
 * <p>Positions are exact (law 1): the cursor moves entry by entry, never back, and never over one that shows something
 * without it having been taken. For what is not an entry there is one index, {@link #itemsFrom}: everything before it
 * was taken, superseded, or lost. What has left the window and is kept is taken in its place between the entries, whether
 * these come from the window or from a page: a page is taken only as far as the window does not hold its entries.
 *
 * <p>Threads: none of its own; guarded by the lock of its outbox.
 */
final class Bookmark {
    private final Gate gate;
    private final String view;
    private final SentSnapshots sent;
    private final Subscription.Openings openings;

    // Confined, all of them: under the outbox's lock.
    private long cursor;
    private long walk;
    private long itemsFrom;
    private long lostUntil;
    private long lostTextUntil;
    private boolean joined;
    private boolean opened;
    private long until;
    private long leaveOut;
    // Null while nothing of it waits, which is nearly always.
    private @Nullable Deque<Frame> behind;
    private int behindBytes;
    private long nextSignal;
    // The opening's own, until something is taken from it.
    private Map<String, Long> seen = Map.of();
    private Map<String, Long> seenText = Map.of();

    Bookmark(Gate gate, String view, Subscription.OfSocket socket) {
        this.gate = gate;
        this.view = view;
        this.sent = socket.sent();
        this.openings = socket.openings();
    }

    /** Signals and snapshots from an index on are for this subscription, the first signal with that number: it is registered. */
    void registered(long nextIndex, long signalNumber) {
        itemsFrom = nextIndex;
        nextSignal = signalNumber;
    }

    /** Puts the cursor behind a position and notes what snapshots and what text the peer has. */
    void begin(Opening opening) {
        cursor = opening.after();
        joined = false;
        seen = opening.seen();
        seenText = opening.seenText();
        until = opening.until();
        leaveOut = opening.leaveOut();
        if (!opening.behind().isEmpty()) {
            behind = new ArrayDeque<>(opening.behind());
            opening.behind().forEach(frame -> waits(frame.size()));
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
        behind = null;
        waits(-behindBytes);
    }

    private void waits(int more) {
        behindBytes += more;
        openings.bytes += more;
    }

    /** What waits for the replay to be over, in bytes. */
    int behindBytes() {
        return behindBytes;
    }

    /** The position of the last entry taken. */
    long cursor() {
        return cursor;
    }

    /** The index in the window of what comes next, if it is in the window at all. */
    long walk() {
        return walk;
    }

    /**
     * Takes from a page, from an offset on, what the window does not hold; gives the offset of the first entry not taken.
     * The caller holds the stream's lock.
     */
    int takePage(Page page, int offset, Window window, Keepsakes kept, Batch batch, Verdict verdict) {
        int next = offset;
        joined = false;
        if (!noteLost(window, kept)) {
            verdict.pull = Pull.BROKEN;
            return next;
        }
        while (next < page.entries().size() && cursor < window.coveredAfter()) {
            Shown entry = page.entries().get(next);
            assert entry.position() == cursor + 1 : "a page goes on at the cursor";
            if (!takeKept(window, kept, entry.position(), batch, verdict)) {
                return next;
            }
            if (entry.position() > until && !takeBehind(batch, verdict)) {
                return next;
            }
            boolean silent = entry.frames().isEmpty() || leftOut(entry.position(), entry.seq());
            if (!silent && !passes(entry.frames(), entry.bytes(), batch, verdict)) {
                return next;
            }
            cursor = entry.position();
            batch.fromLog++;
            next++;
        }
        verdict.pull = Pull.DRY;
        return page.entries().size();
    }

    /** Takes from the window; the caller holds the stream's lock. {@code head} is the last position it knows. */
    Pull takeWindow(Window window, Keepsakes kept, long head, Batch batch) {
        // Also a subscription that had taken everything is behind when the stream has jumped over a hole.
        if (cursor < window.coveredAfter()) {
            joined = false;
            return Pull.BEHIND;
        }
        if (!noteLost(window, kept)) {
            return Pull.BROKEN;
        }
        Verdict verdict = new Verdict();
        if (!takeKept(window, kept, Long.MAX_VALUE, batch, verdict)) {
            return verdict.pull;
        }
        if (!joined || walk < window.first()) {
            // From the first item that it lacks, also if that came before an entry that it has: nothing is passed over.
            walk = Math.max(window.first(), Math.min(itemsFrom, window.indexBehind(cursor)));
            joined = true;
        }
        boolean lags = window.bytesFrom(walk) > batch.quantum();
        while (walk < window.next()) {
            long next = lags ? takeJoined(window, batch, verdict) : walk;
            if (next == walk && take(window.at(walk), walk, kept, batch, verdict)) {
                next++;
            }
            if (next <= walk) {
                return verdict.pull;
            }
            walk = next;
            itemsFrom = Math.max(itemsFrom, walk);
        }
        passed(window.signals(), 0, batch);
        // Entries behind the last one that shows something are covered as well.
        cursor = Math.max(cursor, head);
        if (cursor >= until && !takeBehind(batch, verdict)) {
            return verdict.pull;
        }
        return Pull.DRY;
    }

    /** Takes what was to be sent when the replay is over. */
    private boolean takeBehind(Batch batch, Verdict verdict) {
        Deque<Frame> waiting = behind;
        while (waiting != null && !waiting.isEmpty()) {
            Frame frame = waiting.getFirst();
            if (!passes(frame, batch, verdict)) {
                return false;
            }
            waiting.removeFirst();
            waits(-frame.size());
        }
        behind = null;
        return true;
    }

    private boolean leftOut(long position, long seq) {
        return position <= until && seq > 0 && seq <= leaveOut;
    }

    /** Notes what it lacks and cannot get any more; false if that is a snapshot. */
    private boolean noteLost(Window window, Keepsakes kept) {
        if (itemsFrom >= window.first()) {
            return true;
        }
        // Every partial that began before the last piece that was lost is cut, whether or not the piece was its own: a
        // prefix is allowed, a hole is not, and no list of partials has to be kept for it. What is no text cuts no
        // text.
        if (kept.lostText() >= itemsFrom) {
            cut(kept.lostText() + 1);
        }
        if (kept.lostPiece() >= itemsFrom) {
            lostUntil = Math.max(lostUntil, kept.lostPiece() + 1);
        }
        return !kept.forgotten(itemsFrom, window.first());
    }

    /** Nothing more is sent of partials that began before an index. */
    private void cut(long index) {
        lostTextUntil = Math.max(lostTextUntil, index);
        lostUntil = Math.max(lostUntil, index);
    }

    /** Takes what has left the window and is kept, as far as it came before an entry; false if some has to stay for now. */
    private boolean takeKept(Window window, Keepsakes kept, long before, Batch batch, Verdict verdict) {
        while (itemsFrom < window.first()) {
            Map.@Nullable Entry<Long, Item> next = kept.firstOrNull(itemsFrom, window.first());
            if (next == null) {
                itemsFrom = window.first();
            } else if (next.getValue().behind() >= before) {
                return true;
            } else if (next.getValue() instanceof KeptText text) {
                if (!takeText(text, batch, verdict)) {
                    return false;
                }
                itemsFrom = text.last() + 1;
            } else {
                if (!take(next.getValue(), next.getKey(), kept, batch, verdict)) {
                    return false;
                }
                itemsFrom = next.getKey() + 1;
            }
        }
        return true;
    }

    /** Takes all that it lacks of texts that were joined (law 4). */
    private boolean takeText(KeptText text, Batch batch, Verdict verdict) {
        if (!takeBehind(batch, verdict)) {
            return false;
        }
        for (KeptText.Run run : text.runs()) {
            if (shut(run.gate()) && run.lastIndex() >= itemsFrom) {
                cut(run.lastIndex() + 1);
            }
        }
        List<Merge> merges = new ArrayList<>();
        int pieces = 0;
        for (KeptText.Run run : text.runs()) {
            if (run.partialFrom() >= lostTextUntil) {
                Merge merge = run.fromOrNull(itemsFrom, shown(run.partial()));
                if (merge != null) {
                    merges.add(merge);
                }
                // What the opening has shown is not lost.
                pieces += run.piecesFrom(itemsFrom);
            }
        }
        if (!merges.isEmpty() && !(open(verdict) && taken(batch.offerJoined(merges), verdict))) {
            return false;
        }
        passed(text.signalsBehind(), pieces, batch);
        return true;
    }

    /** It is behind a signal; those before it that it did not get are lost. */
    private void passed(long signals, int got, Batch batch) {
        batch.dropped += Math.max(0, signals - nextSignal - got);
        nextSignal = Math.max(nextSignal, signals);
    }

    /** Takes an item or passes over it for good; false if it has to stay for now. */
    private boolean take(Item item, long index, Keepsakes kept, Batch batch, Verdict verdict) {
        if (item instanceof Item.Entry entry) {
            return takeEntry(entry, batch, verdict);
        }
        if (item instanceof Item.Signal signal) {
            boolean passes = index < itemsFrom || takeSignal(signal, index, batch, verdict);
            if (passes) {
                passed(signal.number() + 1, 1, batch);
            }
            return passes;
        }
        return index < itemsFrom || takeSnapshot((Item.Snapshot) item, index, kept, batch, verdict);
    }

    /**
     * Takes adjacent pieces of one partial's text as one frame (law 4). Gives the index behind them; the index at hand,
     * if there are no two of them; a lower one if there is no room.
     */
    private long takeJoined(Window window, Batch batch, Verdict verdict) {
        Merge merge = null;
        Broadcast.Signal first = null;
        long index = walk;
        while (index < window.next() && window.at(index) instanceof Item.Signal item) {
            Broadcast.Signal signal = item.signal();
            Broadcast.Text text = signal.text();
            if (text == null || index < itemsFrom || !mayJoin(item) || shown(signal.partial()) > text.offset()) {
                break;
            }
            if (merge == null || first == null) {
                merge = new Merge(signal, text, 0);
                first = signal;
            } else if (sameText(first, signal) && merge.goesOn(text) && merge.bytes() < batch.quantum()) {
                merge.add(signal, text);
            } else {
                break;
            }
            index++;
        }
        if (merge == null || merge.pieces() < 2) {
            return walk;
        }
        // What the pieces go on from comes before them.
        if (!takeBehind(batch, verdict) || !passes(merge, batch, verdict)) {
            return walk - 1;
        }
        passed(((Item.Signal) window.at(index - 1)).number() + 1, merge.pieces(), batch);
        return index;
    }

    private boolean mayJoin(Item.Signal item) {
        Broadcast.Signal signal = item.signal();
        return signal.partial() != null
                && !signal.last()
                && item.partialFrom() >= lostTextUntil
                && !shut(signal.gate());
    }

    private static boolean sameText(Broadcast.Signal first, Broadcast.Signal next) {
        return Objects.equals(first.partial(), next.partial()) && first.gate() == next.gate();
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
        batch.fromWindow++;
        return true;
    }

    private boolean takeSignal(Item.Signal item, long index, Batch batch, Verdict verdict) {
        Broadcast.Signal signal = item.signal();
        boolean partial = signal.partial() != null;
        if (partial && !takeBehind(batch, verdict)) {
            return false;
        }
        Broadcast.Text text = signal.text();
        if (partial && !signal.last() && item.partialFrom() < (text == null ? lostUntil : lostTextUntil)) {
            batch.dropped++;
            return true;
        }
        if (shut(signal.gate())) {
            if (partial) {
                cut(index + 1);
            }
            return true;
        }
        long shown = text == null ? 0 : shown(signal.partial());
        // What ends a partial ends it, also if its text is known.
        if (text == null || text.offset() >= shown || signal.last()) {
            return passes(item.frames(), item.bytes(), batch, verdict);
        }
        return text.end() <= shown || passes(new Merge(signal, text, (int) (shown - text.offset())), batch, verdict);
    }

    /** Up to where the opening has shown the text of a partial. */
    private long shown(@Nullable String partial) {
        Long shown = partial == null ? null : seenText.get(partial);
        return shown == null ? 0 : shown;
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
        forgetSeen(snapshot.snapshotKey());
        return true;
    }

    private void forgetSeen(String snapshotKey) {
        if (seen.containsKey(snapshotKey)) {
            if (!(seen instanceof HashMap)) {
                seen = new HashMap<>(seen);
            }
            seen.remove(snapshotKey);
        }
    }

    private boolean passes(List<Frame> frames, int bytes, Batch batch, Verdict verdict) {
        return open(verdict) && taken(batch.offer(frames, bytes), verdict);
    }

    private boolean passes(Merge merge, Batch batch, Verdict verdict) {
        return open(verdict) && taken(batch.offer(merge), verdict);
    }

    /** A frame that nobody else holds. */
    private boolean passes(Frame own, Batch batch, Verdict verdict) {
        return open(verdict) && taken(batch.offerOwn(own), verdict);
    }

    /** Asked item by item and as late as can be: what the gate's closing finds not taken stays (law 6). */
    private boolean open(Verdict verdict) {
        boolean open = gate.isOpen();
        if (!open) {
            verdict.pull = Pull.GATED;
        }
        return open;
    }

    private static boolean taken(Batch.Offer offer, Verdict verdict) {
        boolean taken = offer == Batch.Offer.TAKEN;
        if (!taken) {
            verdict.pull = Pull.after(offer);
        }
        return taken;
    }

    private static boolean shut(@Nullable Gate gate) {
        return gate != null && !gate.isOpen();
    }

    /** The state, for people. */
    @Override
    public String toString() {
        return "Bookmark[cursor " + cursor + ", walk " + walk + ", items from " + itemsFrom + ", lost until "
                + lostTextUntil + (joined ? ", joined" : "") + "]";
    }

    /** Why taking stopped. */
    static final class Verdict {
        // Confined: the method that made it.
        Pull pull = Pull.DRY;
    }
}
