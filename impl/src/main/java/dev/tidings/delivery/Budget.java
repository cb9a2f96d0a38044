package dev.tidings.delivery;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that the node holds for all its streams and sockets together, and how many it may.
 *
 * <p>Each byte is counted once, by whoever keeps it: a stream its window, what it keeps beyond it and its inbox; an
 * outbox its answers, openings and what its send in flight holds alone; a page itself, however many read it; a large frame
 * that sends hold, however many, once more, since its window may drop it meanwhile.
 * Reaching the bound refuses nothing; {@link Relief} makes room.
 *
 * <p>Threads: any; takes no lock.
 */
final class Budget {
    private final long max;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong sending = new AtomicLong();

    Budget(long max) {
        this.max = max;
    }

    void add(long more) {
        if (more != 0) {
            long now = used.addAndGet(more);
            assert now >= 0 : "bytes are given back once";
        }
    }

    /** The same for what sends in flight hold. */
    void addSending(long more) {
        if (more != 0) {
            sending.addAndGet(more);
            add(more);
        }
    }

    /** A send in flight holds large frames from now on. */
    void hold(List<Frame> large) {
        for (Frame frame : large) {
            if (frame.held()) {
                addSending(frame.size());
            }
        }
    }

    /** It does no longer. */
    void letGo(List<Frame> large) {
        for (Frame frame : large) {
            if (frame.letGo()) {
                addSending(-frame.size());
            }
        }
    }

    /** The part of all that sends in flight hold. */
    long sending() {
        return sending.get();
    }

    long max() {
        return max;
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
