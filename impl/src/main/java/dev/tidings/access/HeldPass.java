package dev.tidings.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The place where a socket, which may close at any moment, keeps its pass: what is put there when it has closed is closed at
 * once.
 *
 * <p>Threads: any.
 */
public final class HeldPass implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable KeyPass pass;

    @GuardedBy("lock")
    private boolean closed;

    /** Nothing is kept yet. */
    public HeldPass() {}

    /** Keeps a pass until this is closed; false, and the pass is closed, if it was closed before. */
    public boolean keep(KeyPass entered) {
        lock.lock();
        try {
            if (!closed) {
                pass = entered;
                return true;
            }
        } finally {
            lock.unlock();
        }
        entered.close();
        return false;
    }

    /** What it keeps; null if nothing. */
    public @Nullable KeyPass passOrNull() {
        lock.lock();
        try {
            return pass;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        KeyPass held;
        lock.lock();
        try {
            closed = true;
            held = pass;
            pass = null;
        } finally {
            lock.unlock();
        }
        if (held != null) {
            held.close();
        }
    }
}
