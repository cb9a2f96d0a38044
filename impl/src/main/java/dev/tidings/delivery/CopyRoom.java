package dev.tidings.delivery;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
    private final Queue<Outbox> line = new ConcurrentLinkedQueue<>();

    /** @param max bytes */
    CopyRoom(long max) {
        this.max = max;
    }

    /** Takes room, if there is some. */
    boolean take(long bytes) {
        while (true) {
            long before = taken.get();
            if (max < 0 || (before > 0 && before + bytes > max)) {
                return false;
            }
            if (taken.compareAndSet(before, before + bytes)) {
                return true;
            }
        }
    }

    void give(long bytes) {
        long now = taken.addAndGet(-bytes);
        assert now >= 0 : "room is given back once";
    }

    /** Stands in line; an outbox is in it once at most. */
    void await(Outbox outbox) {
        line.add(outbox);
    }

    /**
     * Calls the first in line that still needs room, if there is one: it takes what it needs and calls the next, or goes to
     * the end of the line. Not under a lock.
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

    /** How much must be given back until the line moves for a while. */
    long excess() {
        return crowded() ? taken.get() - max / 2 : 0;
    }

    long taken() {
        return taken.get();
    }
}
