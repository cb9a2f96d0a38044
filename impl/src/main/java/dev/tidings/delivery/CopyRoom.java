package dev.tidings.delivery;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Room for the copies that containers make of large frames (law 4): where a container copies what it sends, a thousand
 * sockets that are sent one large frame hold a thousand of it, so only some may begin at a time. Who finds no room waits in
 * line, without a thread, and holds nothing but its cursors.
 *
 * <p>A frame that is larger than the room goes alone. Threads: any; takes no lock.
 */
final class CopyRoom {

    /** Where there is none: for whoever is not called while others are in line. */
    static final CopyRoom NONE = new CopyRoom(-1);

    private final long max;
    private final AtomicLong taken = new AtomicLong();
    private final Deque<Outbox> line = new ConcurrentLinkedDeque<>();

    // Volatile: what the first in line needs. A guess while several are called at once; the next call puts it right.
    private volatile long wanted;

    /** @param max bytes */
    CopyRoom(long max) {
        this.max = max;
    }

    /** Takes room, if there is some. */
    boolean take(long bytes) {
        while (true) {
            long before = taken.get();
            if (!fits(before, bytes)) {
                return false;
            }
            if (taken.compareAndSet(before, before + bytes)) {
                return true;
            }
        }
    }

    /** Whether that much could be taken now. */
    boolean fits(long bytes) {
        return fits(taken.get(), bytes);
    }

    private boolean fits(long before, long bytes) {
        return max >= 0 && (before <= 0 || before + bytes <= max);
    }

    void give(long bytes) {
        long now = taken.addAndGet(-bytes);
        assert now >= 0 : "room is given back once";
    }

    /** Stands in line, at its end; an outbox is in it once at most. */
    void await(Outbox outbox, long need) {
        if (line.isEmpty()) {
            wanted = need;
        }
        line.addLast(outbox);
    }

    /** Was called, finds less than it needs, and stays first: whoever needs less would overtake it for ever. */
    void stayFirst(Outbox outbox, long need) {
        wanted = need;
        line.addFirst(outbox);
    }

    /** Whoever was first is so no longer. */
    void moved() {
        wanted = 0;
    }

    /**
     * Calls the first in line that still needs room, if there is one: it takes what it needs and calls the next, stays first
     * until there is enough, or needs none after all and calls the next. Not under a lock.
     */
    void callNext() {
        Outbox next = line.poll();
        while (next != null && !next.called()) {
            next = line.poll();
        }
    }

    /** Whether somebody is in line. */
    boolean crowded() {
        return !line.isEmpty();
    }

    /** How much must be given back until the first in line has its room and the line moves for a while. */
    long excess() {
        return crowded() ? taken.get() - Math.max(0, Math.min(max / 2, max - wanted)) : 0;
    }

    long taken() {
        return taken.get();
    }
}
