package dev.tidings.runs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.spi.RunFence;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/*
 * One piece at a time is on its way to the log. The first of a message goes at once; what comes meanwhile joins the next,
 * which goes when that is stored and the delay is over. What is left when the message ends is stored with the message, by
 * the writer.
 *
 * A piece that could not be stored stays. Then nothing goes by itself any more: the writer takes it, and stores it with the
 * judgement that it has for everything else.
 */
/**
 * The text of a run on its way to being stored: as pieces whose concatenation is the message.
 *
 * <p>Threads: the writer's draining thread puts in and takes; the threads of batches and timers take on.
 */
final class TextLine {
    private static final int MOST_CHARS = 64 << 10;

    /**
     * Where a run's pieces go.
     *
     * @param nanoTime never goes back
     */
    record Way(
            String sessionId,
            String runId,
            RunFence fence,
            DeltaBatches batches,
            Duration delay,
            RunEngine.Later later,
            InstantSource clock,
            LongSupplier nanoTime) {}

    /** What the line tells the run's mailbox; must not block. */
    interface Listener {

        /** No piece is on its way any more. */
        void arrived();

        /** A piece could not be stored: the writer is to take it. */
        void failed();
    }

    private final Way way;
    private final Listener listener;
    private final ReentrantLock lock = new ReentrantLock();

    // Of the message in progress: its partial, the text that is not sent yet, how many pieces were, and how long they
    // are.
    @GuardedBy("lock")
    private String partialId = "";

    @GuardedBy("lock")
    private final StringBuilder pending = new StringBuilder();

    @GuardedBy("lock")
    private int pieces;

    @GuardedBy("lock")
    private long sentChars;

    // The piece that is on its way, or that could not be stored.
    @GuardedBy("lock")
    private @Nullable NewEntry sent;

    @GuardedBy("lock")
    private boolean onItsWay;

    @GuardedBy("lock")
    private boolean timer;

    @GuardedBy("lock")
    private long lastSent;

    TextLine(Way way, Listener listener) {
        this.way = way;
        this.listener = listener;
    }

    /** Adds text to a message. */
    void text(String partial, String delta) {
        lock.lock();
        try {
            if (!partial.equals(partialId)) {
                partialId = partial;
                pieces = 0;
                sentChars = 0;
            }
            pending.append(delta);
        } finally {
            lock.unlock();
        }
        send();
    }

    /** Whether so much waits that no more text is to be put in. */
    boolean full() {
        lock.lock();
        try {
            return pending.length() > MOST_CHARS;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Text that is not stored.
     *
     * @param entries the pieces, in order
     * @param doubtful the one of them that may be stored after all; null if there is none
     */
    record Pieces(List<NewEntry> entries, @Nullable String doubtful) {
        static final Pieces NONE = new Pieces(List.of(), null);
    }

    /**
     * All text that is not stored, for the writer to store; empty while a piece is on its way, the end of
     * which the listener is told.
     */
    Optional<Pieces> take() {
        lock.lock();
        try {
            if (onItsWay) {
                return Optional.empty();
            }
            List<NewEntry> entries = new ArrayList<>();
            String doubtful = null;
            if (sent != null) {
                entries.add(sent);
                doubtful = sent.id();
                sent = null;
            }
            if (!pending.isEmpty()) {
                entries.add(cutLocked());
            }
            return Optional.of(new Pieces(entries, doubtful));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private NewEntry cutLocked() {
        String text = pending.toString();
        NewEntry entry = new NewEntry(
                EntryIds.delta(partialId, ++pieces),
                EntryKind.TEXT_DELTA,
                false,
                RunJson.delta(partialId, sentChars, text),
                way.runId(),
                way.clock().millis());
        pending.setLength(0);
        sentChars += text.length();
        lastSent = way.nanoTime().getAsLong();
        return entry;
    }

    /** Sends the next piece, if its time has come. */
    private void send() {
        NewEntry piece;
        lock.lock();
        try {
            if (sent != null || pending.isEmpty()) {
                return;
            }
            long wait = pieces == 0
                    ? 0
                    : lastSent + way.delay().toNanos() - way.nanoTime().getAsLong();
            if (wait > 0) {
                waitLocked(Duration.ofNanos(wait));
                return;
            }
            piece = cutLocked();
            sent = piece;
            onItsWay = true;
        } finally {
            lock.unlock();
        }
        way.batches().store(way.sessionId(), piece, way.fence(), new DeltaBatches.Told() {
            @Override
            public void stored() {
                arrived(true);
            }

            @Override
            public void failed() {
                arrived(false);
            }
        });
    }

    @GuardedBy("lock")
    private void waitLocked(Duration wait) {
        if (!timer) {
            timer = true;
            way.later().after(wait, this::due);
        }
    }

    private void due() {
        lock.lock();
        try {
            timer = false;
        } finally {
            lock.unlock();
        }
        send();
    }

    private void arrived(boolean stored) {
        lock.lock();
        try {
            onItsWay = false;
            if (stored) {
                sent = null;
            }
        } finally {
            lock.unlock();
        }
        if (stored) {
            send();
        } else {
            listener.failed();
        }
        listener.arrived();
    }
}
