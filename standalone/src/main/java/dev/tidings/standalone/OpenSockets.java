package dev.tidings.standalone;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import jakarta.websocket.CloseReason.CloseCodes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All sockets of the server, from before their 101 is sent until their connection is gone; so that each of them hears
 * of a stop, also one that is just being opened.
 *
 * <p>Threads: safe for use by many threads.
 */
final class OpenSockets {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition fewer = lock.newCondition();

    @GuardedBy("lock")
    private final Set<OpenSocket> open = new HashSet<>();

    @GuardedBy("lock")
    private int opening;

    @GuardedBy("lock")
    private boolean stopping;

    /** Whether a socket may be opened; if so, {@link #opened} or {@link #notOpened} must follow. */
    boolean begin() {
        lock.lock();
        try {
            if (!stopping) {
                opening++;
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    void notOpened() {
        lock.lock();
        try {
            opening--;
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void opened(OpenSocket socket) {
        boolean late;
        lock.lock();
        try {
            opening--;
            open.add(socket);
            late = stopping;
        } finally {
            lock.unlock();
        }
        socket.whenClosed(() -> closed(socket));
        if (late) {
            goAway(socket);
        }
    }

    private void closed(OpenSocket socket) {
        lock.lock();
        try {
            open.remove(socket);
            fewer.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Opens no more, closes all with 1001, and waits until they are gone or the time is over. */
    void stop(Duration patience) {
        List<OpenSocket> all;
        lock.lock();
        try {
            stopping = true;
            all = List.copyOf(open);
        } finally {
            lock.unlock();
        }
        all.forEach(OpenSockets::goAway);
        awaitNone(patience.toNanos());
    }

    private static void goAway(OpenSocket socket) {
        socket.close(CloseCodes.GOING_AWAY, "server is going away");
    }

    private void awaitNone(long nanos) {
        long left = nanos;
        lock.lock();
        try {
            while (opening + open.size() > 0 && left > 0) {
                left = fewer.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
