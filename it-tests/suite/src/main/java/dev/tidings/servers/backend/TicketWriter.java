package dev.tidings.servers.backend;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Opens tickets in a session, one after the other, and remembers which it was told are open.
 *
 * <p>Threads: its own writes; any ask.
 */
final class TicketWriter {

    private static final long PATIENCE_SECONDS = 120;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Backend backend;
    private final String session;
    private final String name;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<String> accepted = new ArrayList<>();

    @GuardedBy("lock")
    private int refused;

    // How many were accepted when the last was refused.
    @GuardedBy("lock")
    private int acceptedBefore;

    // Volatile: set once, by the test.
    private volatile boolean stopped;

    TicketWriter(Backend backend, String session, String name) {
        this.backend = backend;
        this.session = session;
        this.name = name;
        this.thread = new Thread(this::write, name);
        thread.setDaemon(true);
        thread.start();
    }

    String session() {
        return session;
    }

    /** The subjects of the tickets that were accepted. */
    List<String> accepted() {
        lock.lock();
        try {
            return List.copyOf(accepted);
        } finally {
            lock.unlock();
        }
    }

    void awaitAccepted(int count) {
        await("accepted", () -> accepted().size() >= count);
    }

    void awaitRefused(int count) {
        await("refused", () -> {
            lock.lock();
            try {
                return refused >= count;
            } finally {
                lock.unlock();
            }
        });
    }

    /** Waits until so many were accepted behind the last that was refused. */
    void awaitAcceptedAgain(int count) {
        await("accepted again", () -> {
            lock.lock();
            try {
                return refused > 0 && accepted.size() - acceptedBefore >= count;
            } finally {
                lock.unlock();
            }
        });
    }

    private void await(String what, BooleanSupplier condition) {
        long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError(name + " was not " + what);
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /** Stops behind the ticket that is under way. */
    void stop() {
        stopped = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new AssertionError(name + " does not end");
        }
    }

    private void write() {
        for (int i = 0; !stopped; i++) {
            String subject = name + ", ticket " + i;
            int status = backend.tryToPost(
                            "/desk/sessions/" + session + "/tickets", "{\"subject\":\"" + subject + "\"}")
                    .statusCode();
            lock.lock();
            try {
                if (status == 200) {
                    accepted.add(subject);
                } else {
                    refused++;
                    acceptedBefore = accepted.size();
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            // A load has a rate; without one a refusal is answered so soon that the server does nothing but log.
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
