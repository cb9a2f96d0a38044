package dev.tidings.runs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Order. Reports are taken one at a time, in the order in which they came, by whichever thread drains; the lock hands
 * what the writer remembers from one draining thread to the next.
 *
 * The end. The first outcome that is given is the run's outcome and the last report: nothing is taken after it, so what
 * was reported before it is stored with it and what comes later is refused.
 *
 * Waiting. A report that could not be stored stays first in the queue, without a thread; meanwhile the runner may report
 * until the bound is reached.
 */
/**
 * What a run reported and its writer has not yet done.
 *
 * <p>Threads: any.
 */
final class Mailbox {

    private static final System.Logger LOG = System.getLogger(Mailbox.class.getName());
    private static final int REPORTS_A_TURN = 64;
    private static final Duration FAULT_WAIT = Duration.ofSeconds(1);

    private final int maxPendingBytes;
    private final Executor executor;
    private final RunEngine.Later later;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final ArrayDeque<Report> reports = new ArrayDeque<>();

    @GuardedBy("lock")
    private long pendingBytes;

    @GuardedBy("lock")
    private @Nullable TurnWriter writer;

    @GuardedBy("lock")
    private boolean draining;

    @GuardedBy("lock")
    private boolean ending;

    @GuardedBy("lock")
    private boolean parked;

    // Counts, so that the end of an earlier wait does not end a later one.
    @GuardedBy("lock")
    private long parkings;

    Mailbox(int maxPendingBytes, Executor executor, RunEngine.Later later) {
        this.maxPendingBytes = maxPendingBytes;
        this.executor = executor;
        this.later = later;
    }

    /** Begins to drain; false if the end came first, and then only the end is drained. */
    boolean open(TurnWriter opened) {
        boolean begun;
        lock.lock();
        try {
            writer = opened;
            begun = !ending;
            if (begun) {
                Report begin = new Report.Begin();
                reports.addFirst(begin);
                pendingBytes += begin.bytes();
            }
        } finally {
            lock.unlock();
        }
        drainSoon();
        return begun;
    }

    /** Takes a report, waiting while too much is pending; false once the end was given. */
    boolean report(Report report) {
        lock.lock();
        try {
            while (!ending && pendingBytes > maxPendingBytes) {
                changed.awaitUninterruptibly();
            }
            if (ending) {
                return false;
            }
            reports.add(report);
            pendingBytes += report.bytes();
        } finally {
            lock.unlock();
        }
        drainSoon();
        return true;
    }

    /** Takes a report of the engine's own, unless the end was given. Never blocks. */
    void add(Report report) {
        lock.lock();
        try {
            if (ending) {
                return;
            }
            reports.add(report);
            pendingBytes += report.bytes();
        } finally {
            lock.unlock();
        }
        drainSoon();
    }

    /** Takes the end; false if another was given before. */
    boolean end(Outcome outcome) {
        lock.lock();
        try {
            if (ending) {
                return false;
            }
            ending = true;
            Report end = new Report.End(outcome);
            reports.add(end);
            pendingBytes += end.bytes();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        drainSoon();
        return true;
    }

    /** Drops everything and takes nothing more; false, and drops nothing, if the end was given before. */
    boolean drop() {
        lock.lock();
        try {
            if (ending) {
                return false;
            }
            ending = true;
            reports.clear();
            pendingBytes = 0;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    boolean ending() {
        lock.lock();
        try {
            return ending;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the time is over, the end was given, or the thread is interrupted. */
    void awaitEnding(Duration time) {
        lock.lock();
        try {
            long nanos = time.toNanos();
            while (!ending && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for an answer.
     *
     * @return the answer; null once the end was given
     */
    <T> @Nullable T await(Answer<T> answer) {
        lock.lock();
        try {
            while (!ending && answer.orNull() == null) {
                changed.awaitUninterruptibly();
            }
            return ending ? null : answer.orNull();
        } finally {
            lock.unlock();
        }
    }

    /** Gives an answer, once; whoever waits for it goes on. */
    <T> void give(Answer<T> answer, T value) {
        lock.lock();
        try {
            answer.give(value);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void drainSoon() {
        lock.lock();
        try {
            if (writer == null || draining || reports.isEmpty()) {
                return;
            }
            draining = true;
        } finally {
            lock.unlock();
        }
        submit();
    }

    private void submit() {
        try {
            executor.execute(this::drain);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The system has no thread left; or a full pool empties again; one that was shut
            // down never runs this, and the run is recovered at the start.
            later.after(FAULT_WAIT, this::submit);
        }
    }

    private void drain() {
        for (int i = 0; i < REPORTS_A_TURN; i++) {
            TurnWriter to;
            Report report;
            lock.lock();
            try {
                to = writer;
                report = reports.peek();
                if (report == null || to == null) {
                    draining = false;
                    return;
                }
            } finally {
                lock.unlock();
            }
            Optional<Duration> wait = give(report, to);
            if (wait.isPresent()) {
                park(wait.get());
                return;
            }
            done(report);
        }
        submit();
    }

    /** Lets the first report wait without a thread, until the time is over or {@link #wake} is called. */
    private void park(Duration wait) {
        long parking;
        lock.lock();
        try {
            parked = true;
            parking = ++parkings;
        } finally {
            lock.unlock();
        }
        later.after(wait, () -> unpark(parking));
    }

    /** What the first report waits for may have happened. Never blocks. */
    void wake() {
        long parking;
        lock.lock();
        try {
            parking = parkings;
        } finally {
            lock.unlock();
        }
        unpark(parking);
    }

    private void unpark(long parking) {
        lock.lock();
        try {
            if (!parked || parking != parkings) {
                return;
            }
            parked = false;
        } finally {
            lock.unlock();
        }
        submit();
    }

    private Optional<Duration> give(Report report, TurnWriter to) {
        try {
            return to.take(report);
        } catch (RuntimeException | Error e) {
            // A fault of ours, or no memory: the run must end all the same.
            LOG.log(System.Logger.Level.ERROR, "the writer of a run failed");
            end(Outcome.Failed.INTERNAL);
            return report instanceof Report.End ? Optional.of(FAULT_WAIT) : Optional.empty();
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private void done(Report report) {
        lock.lock();
        try {
            // Not there any more if everything was dropped meanwhile.
            if (reports.peek() == report) {
                reports.poll();
                pendingBytes -= report.bytes();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
