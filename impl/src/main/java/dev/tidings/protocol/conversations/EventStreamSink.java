package dev.tidings.protocol.conversations;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import dev.tidings.protocol.http.Departure;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events as a sink. The container is handed small pieces, each when it could take more, and the send is over when
 * it could after the last one: so a peer that does not read holds one batch, of which no more than a piece is a copy, and what
 * the container takes before it says that it cannot (law 4). A close says its reason in a comment.
 *
 * <p>Threads: as {@link Sink} demands. One thread at a time works with the stream; others leave a note that it is to go round
 * once more.
 */
final class EventStreamSink implements Sink, WriteListener, AsyncListener {
    private static final Runnable NOTHING = () -> {};
    private static final int PIECE_BYTES = 16 << 10;

    private final AsyncContext context;
    private final ServletOutputStream out;
    private final Runnable drop;
    private final Departure departure;
    private final int copies;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Sending next;

    @GuardedBy("lock")
    private boolean working;

    @GuardedBy("lock")
    private boolean again;

    @GuardedBy("lock")
    private boolean begun;

    @GuardedBy("lock")
    private boolean over;

    // The container was told that it is complete, or told so.
    @GuardedBy("lock")
    private boolean completed;

    // Confined: whoever works.
    private @Nullable Sending written;
    private boolean flushed = true;

    // Volatile, both of them: written once, by begin.
    private volatile Runnable alive = NOTHING;
    private volatile Runnable gone = NOTHING;

    /** A batch on its way. */
    private static final class Sending {
        private final List<Frame> frames;
        private final Completion completion;
        // Confined, both of them: whoever works.
        private int next;
        private ByteBuffer begun = ByteBuffer.allocate(0);

        Sending(List<Frame> frames, Completion completion) {
            this.frames = frames;
            this.completion = completion;
        }

        boolean more() {
            while (!begun.hasRemaining() && next < frames.size()) {
                begun = frames.get(next++).utf8();
            }
            return begun.hasRemaining();
        }

        /** The next bytes, in an array that nobody uses again: the container may keep it. */
        byte[] piece() {
            ByteBuffer piece = ByteBuffer.allocate(room());
            while (piece.hasRemaining() && more()) {
                ByteBuffer some = begun.slice();
                some.limit(Math.min(some.remaining(), piece.remaining()));
                begun.position(begun.position() + some.remaining());
                piece.put(some);
            }
            return piece.array();
        }

        private int room() {
            long left = begun.remaining();
            for (int i = next; i < frames.size() && left < PIECE_BYTES; i++) {
                left += frames.get(i).size();
            }
            return (int) Math.min(left, PIECE_BYTES);
        }
    }

    /**
     * A stream of events over an answer that has begun.
     *
     * @param drop drops the connection at once, where the container tells how
     * @param departure gives the request back to the container
     * @param copies what the container may take of a message and not have sent, in messages: none if it takes but little
     */
    EventStreamSink(AsyncContext context, ServletOutputStream out, Runnable drop, Departure departure, int copies) {
        this.context = context;
        this.out = out;
        this.drop = drop;
        this.departure = departure;
        this.copies = copies;
    }

    @Override
    public int copies() {
        return copies;
    }

    /**
     * Starts.
     *
     * @param whenAlive called when the peer took something
     * @param whenGone called when the connection is gone
     */
    void begin(Runnable whenAlive, Runnable whenGone) {
        alive = whenAlive;
        gone = whenGone;
        context.addListener(this);
        out.setWriteListener(this);
        lock.lock();
        try {
            begun = true;
        } finally {
            lock.unlock();
        }
        work();
    }

    @Override
    public void send(List<Frame> batch, Completion completion) {
        boolean refused;
        lock.lock();
        try {
            refused = over;
            next = refused ? null : new Sending(batch, completion);
        } finally {
            lock.unlock();
        }
        if (refused) {
            completion.failed();
        } else {
            work();
        }
    }

    /** A container may hold who writes. */
    @Override
    public boolean prompt() {
        return false;
    }

    /** There is no such thing here: a heartbeat that the peer took is the sign of life. */
    @Override
    public void ping(Completion completion) {
        completion.succeeded();
    }

    @Override
    public void close(Disconnect reason) {
        Frame comment = Frame.ofText(": " + reason.code() + " " + reason.reason() + "\n\n");
        lock.lock();
        try {
            // Nothing is in flight: the engine closes when nothing is.
            next = over ? null : new Sending(List.of(comment), new Farewell());
        } finally {
            lock.unlock();
        }
        work();
    }

    /** Behind the last words; a peer that does not take them is cut off by the engine. */
    private final class Farewell implements Completion {
        @Override
        public void succeeded() {
            end(true);
        }

        @Override
        public void failed() {}
    }

    @Override
    public void abort(Disconnect reason) {
        cutOff();
    }

    /** In this order: ending an answer may wait for the peer to take what is left. */
    private void cutOff() {
        try {
            drop.run();
        } finally {
            end(true);
        }
    }

    @Override
    public void onWritePossible() {
        work();
    }

    private void work() {
        lock.lock();
        try {
            again = true;
            if (working || over || !begun) {
                return;
            }
            working = true;
        } finally {
            lock.unlock();
        }
        try {
            while (goesRound()) {
                round();
            }
        } catch (IOException broken) {
            // The container tells of it as well, and wants to hear that the answer is complete then.
            end(false);
            gone.run();
        } catch (RuntimeException | Error broken) {
            // Of that the container knows nothing. Its text goes nowhere; out of memory costs this stream and no other.
            try {
                cutOff();
            } finally {
                gone.run();
            }
        }
    }

    private boolean goesRound() {
        lock.lock();
        try {
            working = again && !over;
            again = false;
            return working;
        } finally {
            lock.unlock();
        }
    }

    /** Does what can be done; if the container cannot take more, it says so later. */
    private void round() throws IOException {
        // Once complete, the stream may serve another request.
        while (!isOver() && out.isReady()) {
            Sending before = written;
            if (!flushed) {
                flushed = true;
                out.flush();
            } else if (before != null && before.more()) {
                out.write(before.piece());
                flushed = before.more();
            } else if (before != null) {
                written = null;
                alive.run();
                before.completion.succeeded();
            } else {
                Sending sending = takeOrNull();
                if (sending == null) {
                    return;
                }
                written = sending;
            }
        }
    }

    private boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Sending takeOrNull() {
        lock.lock();
        try {
            Sending taken = next;
            next = null;
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void end(boolean complete) {
        Sending waiting;
        boolean tell;
        lock.lock();
        try {
            over = true;
            // Also behind a write that failed: the container tells of the error then, and holds the request until this.
            tell = complete && !completed;
            completed |= complete;
            waiting = next;
            next = null;
        } finally {
            lock.unlock();
        }
        if (waiting != null) {
            waiting.completion.failed();
        }
        if (tell) {
            departure.complete();
        }
    }

    @Override
    public void onError(Throwable error) {
        end(true);
        gone.run();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        departure.completed();
        lock.lock();
        try {
            completed = true;
        } finally {
            lock.unlock();
        }
        end(false);
        gone.run();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end(true);
        departure.completeNow();
        gone.run();
    }

    @Override
    public void onError(AsyncEvent event) {
        end(true);
        departure.completeNow();
        gone.run();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
