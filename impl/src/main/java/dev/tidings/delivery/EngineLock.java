package dev.tidings.delivery;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock of the engine, which knows its place in the order of locks (docs/locks.md).
 *
 * <p>With assertions on, taking locks in a wrong order fails, and so does a foreign call under a lock (law 8).
 *
 * <p>Threads: as any lock.
 */
final class EngineLock extends ReentrantLock {
    private static final long serialVersionUID = 1L;

    /** Where a lock stands in the order: a thread takes locks only of a later rank than those that it holds. */
    enum Rank {
        /** Which streams and outboxes there are. */
        REGISTRY,
        /** One socket. */
        OUTBOX,
        /** One stream. */
        STREAM,
        /** Anything under which no other lock is taken. */
        LEAF
    }

    // Confined: each thread sees its own. Used by assertions only.
    private static final ThreadLocal<Deque<EngineLock>> HELD = ThreadLocal.withInitial(ArrayDeque::new);

    // Volatile: set by the simulator alone. It stands for what other threads do before a lock is got.
    private static volatile Runnable meanwhile = () -> {};

    private final Rank rank;

    EngineLock(Rank rank) {
        this.rank = rank;
    }

    @Override
    public void lock() {
        assert inOrder() : "a lock of rank " + rank + " is taken out of order";
        super.lock();
        assert noteTaken();
    }

    @Override
    public void unlock() {
        assert noteReleased();
        super.unlock();
    }

    /** Whether the thread holds no lock of the engine; asserted before every foreign call. */
    static boolean noneHeld() {
        return HELD.get().isEmpty();
    }

    /** Lets something else happen whenever a thread without locks is about to take one; only with assertions on. */
    static void meanwhile(Runnable something) {
        meanwhile = something;
    }

    private boolean inOrder() {
        EngineLock last = HELD.get().peekLast();
        if (last == null) {
            meanwhile.run();
        }
        return last == null || last.rank.compareTo(rank) < 0;
    }

    private boolean noteTaken() {
        HELD.get().addLast(this);
        return true;
    }

    private boolean noteReleased() {
        return HELD.get().removeLastOccurrence(this);
    }
}
