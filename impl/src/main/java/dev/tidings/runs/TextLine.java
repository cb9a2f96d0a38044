package dev.tidings.runs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.event.Signal;
import dev.tidings.spi.RunFence;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/*
 * What the writer of a run shows stands here in order: signals, and pieces of text that are still to be stored. Text is
 * shown when it is stored; what was to be shown behind it waits for it, so that no signal overtakes a delta. One piece at a
 * time is on its way to the log. The first of a message goes at once; what comes meanwhile joins the next, which goes when
 * that is stored and the delay is over.
 *
 * A piece that could not be stored stays first. Then nothing goes on its way by itself: the writer stores it, with the
 * judgement that it has for everything else.
 */
/**
 * The text of a run on its way to being stored and shown.
 *
 * <p>Threads: the writer's draining thread puts in; the threads of batches and timers take on.
 */
final class TextLine {
    private static final System.Logger LOG = System.getLogger(TextLine.class.getName());
    private static final int MOST_CHARS = 64 << 10;

    /** A stretch of text of one message. Confined: under the lock. */
    private static final class Piece {
        final String partialId;
        final int number;
        final long offset;
        final StringBuilder text = new StringBuilder();
        boolean stored;

        Piece(String partialId, int number, long offset) {
            this.partialId = partialId;
            this.number = number;
            this.offset = offset;
        }
    }

    /** Where a line's pieces go. */
    record Way(
            String sessionId,
            String runId,
            RunFence fence,
            DeltaBatches batches,
            Duration delay,
            RunEngine.Later later,
            InstantSource clock,
            LongSupplier nanoTime) {}

    private final Way way;
    private final Consumer<Signal> signals;
    private final Runnable wake;
    private final ReentrantLock lock = new ReentrantLock();

    // Signals and pieces, in the order in which they are shown.
    @GuardedBy("lock")
    private final Deque<Object> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int waitingChars;

    @GuardedBy("lock")
    private boolean onItsWay;

    @GuardedBy("lock")
    private boolean failed;

    @GuardedBy("lock")
    private boolean timer;

    @GuardedBy("lock")
    private boolean showing;

    // Of the message in progress: its partial, how many pieces it has and how long they are.
    @GuardedBy("lock")
    private @Nullable String partialId;

    @GuardedBy("lock")
    private int pieces;

    @GuardedBy("lock")
    private long chars;

    @GuardedBy("lock")
    private long lastSent;

    /**
     * A line.
     *
     * @param wake called when a piece is no longer on its way; must not block
     */
    TextLine(Way way, Consumer<Signal> signals, Runnable wake) {
        this.way = way;
        this.signals = signals;
        this.wake = wake;
    }

    /** Shows a signal behind the text that is there. */
    void signal(Signal signal) {
        lock.lock();
        try {
            waiting.addLast(signal);
        } finally {
            lock.unlock();
        }
        show();
    }

    /** Adds text to a message. */
    void text(String partial, String delta) {
        Piece ready;
        lock.lock();
        try {
            if (!partial.equals(partialId)) {
                partialId = partial;
                pieces = 0;
                chars = 0;
            }
            Piece open = waiting.peekLast() instanceof Piece last
                            && last.partialId.equals(partial)
                            && !last.stored
                            && !isSent(last)
                    ? last
                    : null;
            if (open == null) {
                open = new Piece(partial, ++pieces, chars);
                waiting.addLast(open);
            }
            open.text.append(delta);
            chars += delta.length();
            waitingChars += delta.length();
            ready = readyOrNullLocked();
        } finally {
            lock.unlock();
        }
        send(ready);
    }

    @GuardedBy("lock")
    private boolean isSent(Piece piece) {
        return (onItsWay || failed) && firstPieceOrNullLocked() == piece;
    }

    /** Whether so much waits that no more text is to be taken. */
    boolean full() {
        lock.lock();
        try {
            return waitingChars > MOST_CHARS;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a piece is on its way: then {@link #take} has to wait. */
    boolean onItsWay() {
        lock.lock();
        try {
            return onItsWay;
        } finally {
            lock.unlock();
        }
    }

    /**
     * All text that is not yet stored, for the writer to store; what was to be shown goes on waiting until
     * {@link #stored}.
     */
    List<NewEntry> take() {
        lock.lock();
        try {
            if (onItsWay) {
                throw new IllegalStateException("a piece is on its way");
            }
            List<NewEntry> entries = new ArrayList<>();
            for (Object item : waiting) {
                if (item instanceof Piece piece && !piece.stored) {
                    entries.add(entry(piece));
                }
            }
            // Until the writer says more, nothing goes by itself.
            failed |= !entries.isEmpty();
            return entries;
        } finally {
            lock.unlock();
        }
    }

    /** What was taken is stored: it is shown, with all that waited for it. */
    void stored() {
        lock.lock();
        try {
            failed = false;
            for (Object item : waiting) {
                if (item instanceof Piece piece) {
                    piece.stored = true;
                }
            }
            waitingChars = 0;
            lastSent = way.nanoTime().getAsLong();
        } finally {
            lock.unlock();
        }
        show();
    }

    /** What was taken will never be stored: it is not shown, but what waited for it is. */
    void givenUp() {
        lock.lock();
        try {
            failed = false;
            waiting.removeIf(item -> item instanceof Piece piece && !piece.stored);
            waitingChars = 0;
        } finally {
            lock.unlock();
        }
        show();
    }

    // ---- on the way

    @GuardedBy("lock")
    private @Nullable Piece readyOrNullLocked() {
        Piece first = firstPieceOrNullLocked();
        if (first == null || onItsWay || failed) {
            return null;
        }
        long wait = first.number == 1 ? 0 : lastSent + way.delay().toNanos() - way.nanoTime().getAsLong();
        if (wait > 0) {
            if (!timer) {
                timer = true;
                way.later().after(Duration.ofNanos(wait), this::due);
            }
            return null;
        }
        onItsWay = true;
        lastSent = way.nanoTime().getAsLong();
        return first;
    }

    @GuardedBy("lock")
    private @Nullable Piece firstPieceOrNullLocked() {
        for (Object item : waiting) {
            if (item instanceof Piece piece && !piece.stored) {
                return piece;
            }
        }
        return null;
    }

    private void due() {
        Piece ready;
        lock.lock();
        try {
            timer = false;
            ready = readyOrNullLocked();
        } finally {
            lock.unlock();
        }
        send(ready);
    }

    private void send(@Nullable Piece piece) {
        if (piece == null) {
            return;
        }
        NewEntry entry;
        lock.lock();
        try {
            entry = entry(piece);
        } finally {
            lock.unlock();
        }
        way.batches().store(way.sessionId(), entry, way.fence(), new DeltaBatches.Told() {
            @Override
            public void stored() {
                arrived(piece);
            }

            @Override
            public void failed() {
                fail();
            }
        });
    }

    private void arrived(Piece piece) {
        lock.lock();
        try {
            piece.stored = true;
            waitingChars -= piece.text.length();
            onItsWay = false;
        } finally {
            lock.unlock();
        }
        show();
        due();
        wake.run();
    }

    private void fail() {
        lock.lock();
        try {
            onItsWay = false;
            failed = true;
        } finally {
            lock.unlock();
        }
        wake.run();
    }

    private NewEntry entry(Piece piece) {
        return new NewEntry(
                EntryIds.delta(piece.partialId, piece.number),
                EntryKind.TEXT_DELTA,
                false,
                RunJson.delta(piece.partialId, piece.offset, piece.text.toString()),
                way.runId(),
                way.clock().millis());
    }

    private @Nullable Signal shownOrNull(@Nullable Object item) {
        if (item instanceof Piece piece) {
            return piece.stored
                    ? Signal.Partial.text(way.sessionId(), piece.partialId, piece.text.toString())
                    : null;
        }
        return (Signal) item;
    }

    /** Shows what stands before the first piece that is not stored, one after the other, on one thread at a time. */
    private void show() {
        while (true) {
            Signal next;
            lock.lock();
            try {
                Signal first = showing ? null : shownOrNull(waiting.peekFirst());
                if (first == null) {
                    return;
                }
                waiting.pollFirst();
                showing = true;
                next = first;
            } finally {
                lock.unlock();
            }
            try {
                signals.accept(next);
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "a signal of run {0} was not shown", way.runId());
            } finally {
                lock.lock();
                try {
                    showing = false;
                } finally {
                    lock.unlock();
                }
            }
        }
    }
}
