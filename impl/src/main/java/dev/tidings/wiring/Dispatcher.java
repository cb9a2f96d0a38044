package dev.tidings.wiring;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.StoredEntry;
import dev.tidings.delivery.FaultWords;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.Signal;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands what committed to the protocols, one commit after the other, on a worker.
 *
 * <p>The committing thread only enqueues (law 13). One queue for all keeps the order that the protocols promise across
 * the keys of a socket. It is bounded in bytes (law 4): beyond the bound entries are not carried but left to the log,
 * which has them, and are found there by the next comparison of the heads; a partial of which a signal was not carried
 * is cut, up to and without its end. What is left are snapshots and hints, which come no faster than transactions.
 *
 * <p>Threads: any.
 */
final class Dispatcher {
    private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());
    private static final int BATCH = 256;
    private static final int CUT_PARTIALS = 1024;

    private final Executor executor;
    // Made once: handing it over must need no memory.
    private final Runnable task = this::drain;
    private final Consumer<Object> handler;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<Object> queue = new ArrayDeque<>();

    @GuardedBy("lock")
    private long queuedBytes;

    @GuardedBy("lock")
    private boolean running;

    // Partials that are cut, the oldest first; of more than so many the oldest counts as a new one.
    @GuardedBy("lock")
    private final Set<String> cut = new LinkedHashSet<>();

    @GuardedBy("lock")
    private boolean leaving;

    Dispatcher(Executor executor, Consumer<Object> handler, long maxBytes) {
        this.executor = executor;
        this.handler = handler;
        this.maxBytes = maxBytes;
    }

    /** Enqueues the events of one commit, in order. */
    void enqueue(List<?> events) {
        boolean start;
        boolean firstLeft = false;
        lock.lock();
        try {
            for (Object event : events) {
                long bytes = sizeOf(event);
                if (leftOutLocked(event, queuedBytes + bytes > maxBytes)) {
                    firstLeft |= !leaving;
                    leaving = true;
                    continue;
                }
                queuedBytes += bytes;
                queue.add(event);
            }
            start = !running && !queue.isEmpty();
            running |= start;
        } finally {
            lock.unlock();
        }
        if (firstLeft) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "more than tidings.dispatch.max-bytes wait to be shown; entries are left to the log, and partials are cut, for a while");
        }
        if (start) {
            submit();
        }
    }

    @GuardedBy("lock")
    private boolean leftOutLocked(Object event, boolean full) {
        if (event instanceof Signal.Partial partial) {
            if (partial.done()) {
                cut.remove(partial.partialId());
                return false;
            }
            if (full) {
                cutLocked(partial.partialId());
            }
            return full || cut.contains(partial.partialId());
        }
        return full && (event instanceof EntriesStored || event instanceof Signal);
    }

    /** Goes on with what waits, if nobody took it; call it about once a second. */
    void tick() {
        boolean start;
        lock.lock();
        try {
            start = !running && !queue.isEmpty();
            running |= start;
        } finally {
            lock.unlock();
        }
        if (start) {
            submit();
        }
    }

    private void submit() {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException fullOrStopping) {
            // What waits is handled at the next tick, if there is one.
            rest();
        } catch (RuntimeException | Error noThread) {
            // A pool that cannot start a thread says so with an error; it is no fault of whoever committed.
            rest();
            LOG.log(System.Logger.Level.WARNING, "no thread to show what was committed; it is tried again");
        }
    }

    private void drain() {
        try {
            for (int i = 0; i < BATCH; i++) {
                Object event = takeOrNull();
                if (event == null) {
                    break;
                }
                handle(event);
            }
        } finally {
            // Whatever the handler threw: one event that cannot be shown must not silence all sockets.
            if (goesOn()) {
                submit();
            }
        }
    }

    private void handle(Object event) {
        try {
            handler.accept(event);
        } catch (RuntimeException | Error e) {
            // Errors as well: memory that is short for a moment must not end the showing.
            lost(event);
            LOG.log(System.Logger.Level.ERROR, "an event could not be shown: {0}", FaultWords.of(e));
        }
    }

    /** An event was not shown: entries are found by the next comparison of the heads, a partial is cut. */
    private void lost(Object event) {
        if (event instanceof Signal.Partial partial && !partial.done()) {
            lock.lock();
            try {
                cutLocked(partial.partialId());
            } finally {
                lock.unlock();
            }
        }
    }

    @GuardedBy("lock")
    private void cutLocked(String partialId) {
        if (cut.add(partialId) && cut.size() > CUT_PARTIALS) {
            Iterator<String> oldest = cut.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    private @Nullable Object takeOrNull() {
        lock.lock();
        try {
            Object event = queue.poll();
            if (event != null) {
                queuedBytes -= sizeOf(event);
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    private boolean goesOn() {
        lock.lock();
        try {
            running = !queue.isEmpty();
            leaving &= running;
            return running;
        } finally {
            lock.unlock();
        }
    }

    private void rest() {
        lock.lock();
        try {
            running = false;
        } finally {
            lock.unlock();
        }
    }

    private static long sizeOf(Object event) {
        long bytes = 256;
        if (event instanceof EntriesStored stored) {
            for (StoredEntry entry : stored.entries()) {
                bytes += 128 + entry.payload().size();
            }
        } else if (event instanceof Signal.Partial partial && partial.textDelta() != null) {
            bytes += 2L * partial.textDelta().length();
        }
        return bytes;
    }
}
