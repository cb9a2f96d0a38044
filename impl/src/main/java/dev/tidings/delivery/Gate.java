package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;

/**
 * Whether one account may see one agent, through whoever signs for it, now; shared by everything of these that waits to be
 * sent.
 *
 * <p>Once {@link #close} has returned, nothing behind the gate is taken into a send any more; only a send that had been
 * taken before may end (law 6). {@link #open} lets the subscriptions go on from their cursors.
 *
 * <p>Threads: any.
 */
public final class Gate {
    /** For what needs no access. Nobody waits for it to open, so it keeps nobody. */
    public static final Gate ALWAYS_OPEN = new Gate(true, true);

    private final EngineLock lock = new EngineLock(EngineLock.Rank.LEAF);
    private final boolean fixed;

    @GuardedBy("lock")
    private final Roll behind = new Roll(Roll.Of.GATE);

    @GuardedBy("lock")
    private long closings;

    // Volatile: written under the lock, read for every single item as it is taken.
    private volatile boolean open;

    /** A gate. */
    public Gate(boolean open) {
        this(open, false);
    }

    private Gate(boolean open, boolean fixed) {
        this.open = open;
        this.fixed = fixed;
    }

    /** Whether frames may pass. */
    public boolean isOpen() {
        return open;
    }

    /** How often the gate was told to close, for {@link #openUnlessClosedSince}. */
    public long closings() {
        lock.lock();
        try {
            return closings;
        } finally {
            lock.unlock();
        }
    }

    /**
     * From now on nothing passes.
     *
     * @throws IllegalStateException if it is {@link #ALWAYS_OPEN}
     */
    public void close() {
        if (fixed) {
            throw new IllegalStateException("a gate for everybody does not close");
        }
        lock.lock();
        try {
            closings++;
            open = false;
        } finally {
            lock.unlock();
        }
    }

    /** From now on frames pass; subscriptions behind it are woken. */
    public void open() {
        openUnlessClosedSince(closings());
    }

    /**
     * Opens the gate on the word of a look at the grants, unless it was told to close since: then the look may be older
     * than the revocation, and the gate stays shut.
     *
     * @param closings what {@link #closings} gave before the look began
     * @return whether the gate is open now because of the call
     */
    public boolean openUnlessClosedSince(long closings) {
        List<Subscription> waiting;
        lock.lock();
        try {
            if (this.closings != closings) {
                return false;
            }
            open = true;
            waiting = behind.copy();
        } finally {
            lock.unlock();
        }
        waiting.forEach(Subscription::wake);
        return true;
    }

    void add(Subscription subscription) {
        if (fixed) {
            return;
        }
        lock.lock();
        try {
            behind.add(subscription);
        } finally {
            lock.unlock();
        }
    }

    void remove(Subscription subscription) {
        if (fixed) {
            return;
        }
        lock.lock();
        try {
            behind.remove(subscription);
        } finally {
            lock.unlock();
        }
    }

    /** How many subscriptions are behind the gate, for tests. */
    int size() {
        lock.lock();
        try {
            return behind.size();
        } finally {
            lock.unlock();
        }
    }
}
