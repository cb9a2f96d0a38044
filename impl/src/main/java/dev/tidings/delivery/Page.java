package dev.tidings.delivery;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A translated page of a stream, shared by everybody who waited for it.
 *
 * <p>Order: by position, consecutive, the first is {@code after + 1}.
 *
 * <p>Threads: immutable.
 *
 * @param after the position before the first entry
 * @param entries the entries; empty only if the page is broken
 * @param broken whether the log has a hole right behind {@code after}
 * @param holders how many hold it; its bytes count for the node while anybody does
 */
record Page(long after, List<Shown> entries, boolean broken, AtomicInteger holders) {

    Page(long after, List<Shown> entries) {
        this(after, entries, entries.isEmpty(), new AtomicInteger());
    }

    Page {
        assert broken == entries.isEmpty() : "an empty page is no page";
        assert broken || entries.get(0).position() == after + 1 : "a page begins behind its cursor";
    }

    /** Somebody keeps it for a while. */
    void hold(Budget budget) {
        if (holders.getAndIncrement() == 0) {
            budget.add(bytes());
        }
    }

    /** Somebody lets go of it. */
    void release(Budget budget) {
        int left = holders.decrementAndGet();
        assert left >= 0 : "a page is let go of once";
        if (left == 0) {
            budget.add(-bytes());
        }
    }

    long bytes() {
        long bytes = 0;
        for (Shown entry : entries) {
            bytes += entry.bytes();
        }
        return bytes;
    }

    /** The position of the last entry. */
    long last() {
        return after + entries.size();
    }
}
