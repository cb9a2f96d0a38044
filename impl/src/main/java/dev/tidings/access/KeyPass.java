package dev.tidings.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.ApiKey;
import dev.tidings.delivery.Gate;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One socket's admission by an API key.
 *
 * <p>Its gate is shut while nobody knows whether the key is still valid. Once the key is revoked the pass has ended for
 * good: the gate never opens again, and whoever holds the pass is told, once.
 *
 * <p>Threads: any.
 */
public final class KeyPass implements AutoCloseable {
    private final KeyAccess access;
    private final ApiKey key;
    private final Gate gate = new Gate(false);
    private final ReentrantLock lock = new ReentrantLock();

    // Volatile: when the last look began that found the key valid.
    private volatile long lookedAt;

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private @Nullable Runnable whenEnded;

    KeyPass(KeyAccess access, ApiKey key) {
        this.access = access;
        this.key = key;
    }

    /** The key. */
    public ApiKey key() {
        return key;
    }

    /** What frames have to pass. */
    public Gate gate() {
        return gate;
    }

    /** Whether the key was revoked. */
    public boolean ended() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has something done when the key is revoked: by the thread that commits it, so it must not block; at once if it was
     * revoked before.
     */
    public void whenEnded(Runnable act) {
        boolean now;
        lock.lock();
        try {
            now = ended;
            whenEnded = now ? null : act;
        } finally {
            lock.unlock();
        }
        if (now) {
            act.run();
        }
    }

    /** The socket is gone: nobody needs to be told any more. */
    @Override
    public void close() {
        access.forget(this);
    }

    /** The key was revoked. */
    void end() {
        Optional<Runnable> act;
        lock.lock();
        try {
            ended = true;
            act = Optional.ofNullable(whenEnded);
            whenEnded = null;
        } finally {
            lock.unlock();
        }
        gate.close();
        act.ifPresent(Runnable::run);
    }

    /** When the last look began that found the key valid. */
    long lookedAt() {
        return lookedAt;
    }

    /** The key is valid, as a look says that began then, when the gate had been told to close so often. */
    void open(long closings, long began) {
        lookedAt = began;
        if (!gate.isOpen() && !ended()) {
            // A revocation closes the gate behind its word, so that it cannot be opened in between.
            gate.openUnlessClosedSince(closings);
        }
    }
}
