package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether one account may see one agent, now; shared by everything of that pair that waits to be sent.
 *
 * <p>Once {@link #close} has returned, nothing behind the gate is taken into a send any more; only a send that had been
 * taken before may end (law 6). {@link #open} lets the subscriptions go on from their cursors.
 *
 * <p>Threads: any.
 */
public final class Gate {
    private final EngineLock lock = new EngineLock(EngineLock.Rank.LEAF);

    @GuardedBy("lock")
    private final Set<Subscription> behind = new LinkedHashSet<>();

    // Volatile: written by close() and open(), read for every single item as it is taken.
    private volatile boolean open;

    /** A gate. */
    public Gate(boolean open) {
        this.open = open;
    }

    /** Whether frames may pass. */
    public boolean isOpen() {
        return open;
    }

    /** From now on nothing passes. */
    public void close() {
        open = false;
    }

    /** From now on frames pass; subscriptions behind it are woken. */
    public void open() {
        open = true;
        List<Subscription> waiting;
        lock.lock();
        try {
            waiting = List.copyOf(behind);
        } finally {
            lock.unlock();
        }
        waiting.forEach(Subscription::wake);
    }

    void add(Subscription subscription) {
        lock.lock();
        try {
            behind.add(subscription);
        } finally {
            lock.unlock();
        }
    }

    void remove(Subscription subscription) {
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
