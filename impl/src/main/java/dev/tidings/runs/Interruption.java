package dev.tidings.runs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of one runner while, and only while, it is inside the runner: an interrupt that came later
 * would hit whatever the pool gave that thread next.
 *
 * <p>Threads: any.
 */
final class Interruption {

    // Held while a thread is interrupted, so that the thread cannot leave in between; nothing else happens under it.
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Thread inside;

    @GuardedBy("lock")
    private boolean interrupted;

    /** Lets the calling thread in; false if it was interrupted before. */
    boolean enter() {
        lock.lock();
        try {
            if (interrupted) {
                return false;
            }
            inside = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the calling thread out, without an interrupt that was meant for the runner. */
    @SuppressWarnings("ResultOfMethodCallIgnored")
    void leave() {
        lock.lock();
        try {
            inside = null;
        } finally {
            lock.unlock();
        }
        Thread.interrupted();
    }

    void interrupt() {
        lock.lock();
        try {
            interrupted = true;
            if (inside != null) {
                inside.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
