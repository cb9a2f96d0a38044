package dev.tidings.delivery;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that the node holds for all its streams and sockets together, and how many it may.
 *
 * <p>Each byte is counted once, by whoever keeps it: a stream its window, what it keeps beyond it and its inbox; an
 * outbox its answers, openings and what was made for its send in flight alone; a page itself, however many read it.
 * Reaching the bound refuses nothing; {@link Relief} makes room.
 *
 * <p>Threads: any; takes no lock.
 */
final class Budget {
    private final long max;
    private final AtomicLong used = new AtomicLong();

    Budget(long max) {
        this.max = max;
    }

    void add(long more) {
        if (more != 0) {
            long now = used.addAndGet(more);
            assert now >= 0 : "bytes are given back once";
        }
    }

    long used() {
        return used.get();
    }

    boolean over() {
        return used.get() > max;
    }

    /** What has to go until there is room again for a while: down to seven eighths. */
    long excess() {
        return used.get() - (max - max / 8);
    }
}
