package dev.tidings.runs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.NewEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.RunFence;
import dev.tidings.spi.Transactions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/*
 * One batch at a time: what comes while it is written is the next one, so that batches grow with the load by themselves and
 * a lone delta is written at once.
 *
 * A batch takes the heads that nobody holds and never waits for one. Whoever is passed over stands first in the next batch;
 * passed over MOST_SKIPS times, it is written alone, in a task that may wait. What a batch could not commit is given back to the
 * writers of its runs, who find out what became of it: one session that is fenced, or gone, must not take the others with it.
 */
/**
 * Stores the text of many runs in few transactions.
 *
 * <p>A run has at most one piece of text here at a time. Threads: any. Source: protocols C, deltas; design, events.
 */
final class DeltaBatches {
    private static final int MOST_PIECES = 256;
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_SKIPS = 3;
    private static final Duration BREATH = Duration.ofMillis(2);

    private final Transactions transactions;
    private final EventWriter events;
    private final Executor writers;
    private final RunEngine.Later later;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<Piece> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean working;

    DeltaBatches(Transactions transactions, EventWriter events, Executor writers, RunEngine.Later later) {
        this.transactions = transactions;
        this.events = events;
        this.writers = writers;
        this.later = later;
    }

    /** Is told what became of a piece, once, by a writing thread; must not block. */
    interface Told {
        void stored();

        /** It is not known to be stored. */
        void failed();
    }

    /** A piece of a run's text. */
    private record Piece(StreamKey session, NewEntry entry, RunFence fence, Told told, int skips) {
        Piece skipped() {
            return new Piece(session, entry, fence, told, skips + 1);
        }
    }

    /** Stores a piece soon. Never blocks. */
    void store(String sessionId, NewEntry entry, RunFence fence, Told told) {
        boolean start;
        lock.lock();
        try {
            waiting.addLast(new Piece(StreamKey.session(sessionId), entry, fence, told, 0));
            start = !working;
            working = true;
        } finally {
            lock.unlock();
        }
        if (start) {
            submit();
        }
    }

    private void submit() {
        try {
            writers.execute(this::work);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // A full pool empties again; one that was shut down never runs this, and the runs are recovered at the
            // start.
            later.after(Duration.ofSeconds(1), this::submit);
        }
    }

    private void work() {
        List<Piece> skipped = batch(take());
        boolean more;
        boolean onlySkipped;
        lock.lock();
        try {
            onlySkipped = waiting.isEmpty() && !skipped.isEmpty();
            for (int i = skipped.size() - 1; i >= 0; i--) {
                waiting.addFirst(skipped.get(i));
            }
            more = !waiting.isEmpty();
            working = more;
        } finally {
            lock.unlock();
        }
        if (onlySkipped) {
            later.after(BREATH, this::submit);
        } else if (more) {
            submit();
        }
    }

    private List<Piece> take() {
        List<Piece> batch = new ArrayList<>();
        int bytes = 0;
        lock.lock();
        try {
            while (batch.size() < MOST_PIECES && bytes < MOST_BYTES && !waiting.isEmpty()) {
                Piece piece = waiting.pollFirst();
                bytes += piece.entry().payload().size();
                batch.add(piece);
            }
        } finally {
            lock.unlock();
        }
        return batch;
    }

    /** Writes a batch; those that it passed over and that may be passed over again. */
    private List<Piece> batch(List<Piece> pieces) {
        Map<StreamKey, Piece> bySession = new LinkedHashMap<>();
        pieces.forEach(piece -> bySession.put(piece.session(), piece));
        Set<StreamKey> held;
        try {
            held = transactions.requiresNew(() -> {
                Set<StreamKey> free = events.holdFree(bySession.keySet());
                bySession.forEach((session, piece) -> {
                    if (free.contains(session)) {
                        events.append(session, piece.entry(), piece.fence());
                    }
                });
                return free;
            });
        } catch (RuntimeException | Error e) {
            pieces.forEach(piece -> piece.told().failed());
            return List.of();
        }
        List<Piece> skipped = new ArrayList<>();
        for (Piece piece : pieces) {
            if (held.contains(piece.session())) {
                piece.told().stored();
            } else if (piece.skips() + 1 < MOST_SKIPS) {
                skipped.add(piece.skipped());
            } else {
                alone(piece);
            }
        }
        return skipped;
    }

    private void alone(Piece piece) {
        try {
            writers.execute(() -> writeAlone(piece));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            piece.told().failed();
        }
    }

    private void writeAlone(Piece piece) {
        try {
            transactions.requiresNew(() -> {
                events.append(piece.session(), piece.entry(), piece.fence());
                return true;
            });
        } catch (RuntimeException | Error e) {
            piece.told().failed();
            return;
        }
        piece.told().stored();
    }
}
