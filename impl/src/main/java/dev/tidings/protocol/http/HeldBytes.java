package dev.tidings.protocol.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that many may hold together: taken before, given back behind, and never more than the most.
 *
 * <p>Threads: any.
 */
public final class HeldBytes {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /** Nothing is held yet. */
    public HeldBytes(long most) {
        this.most = most;
    }

    /** Takes so much; false, and nothing taken, if that is more than is left. */
    public boolean take(long amount) {
        long before = taken.get();
        while (amount <= most - before) {
            if (taken.compareAndSet(before, before + amount)) {
                return true;
            }
            before = taken.get();
        }
        return false;
    }

    /** Gives back what was taken. */
    public void give(long amount) {
        long left = taken.addAndGet(-amount);
        assert left >= 0;
    }

    /** How much is taken. */
    public long taken() {
        return taken.get();
    }
}
