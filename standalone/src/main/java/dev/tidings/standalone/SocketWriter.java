package dev.tidings.standalone;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Transport;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.tyrus.spi.CompletionHandler;
import org.glassfish.tyrus.spi.Writer;
import org.glassfish.tyrus.spi.WriterInfo;
import org.jspecify.annotations.Nullable;

/**
 * The one way out of a socket: all frames of Tyrus, its pongs and close frames too, in one queue with one write in
 * flight (law 7). What waits while a write is in flight goes out together in the next one.
 *
 * <p>Order: frames leave in the order of the calls of {@code write}; a frame's handler is called after its bytes are
 * in the kernel, on whatever thread completes the write, often the caller's, before {@code write} returns.
 *
 * <p>Threads: safe for use by many threads; no call blocks; no handler is called under the lock.
 */
final class SocketWriter extends Writer {
    private static final Logger LOG = System.getLogger(SocketWriter.class.getName());

    /** Frames are put together up to this many bytes; one longer frame goes alone, as it is. */
    static final int COALESCED_BYTES = 64 * 1024;

    /**
     * Bytes of messages that may wait behind the write in flight. Tidings has one send in flight a socket, so only a
     * message of this size would come near it; one is always taken when no other waits. Control frames do not count: at most
     * one of each kind waits.
     */
    static final int WAITING_BYTES = 8 * 1024 * 1024;

    /** Time for the peer to answer a close frame and to close its side; then the connection is cut. */
    static final int CLOSING_SECONDS = 5;

    private static final byte CLOSE_FRAME = (byte) 0x88;

    /** Where Tyrus closes by itself: against the protocol, against UTF-8, unexpected. */
    private static final Set<Integer> CODES_OF_TYRUS = Set.of(1002, 1007, 1011);

    /** Nothing is written and nothing waits: whoever has a frame may begin to write it. */
    private static final int IDLE = 0;

    /** Somebody writes, and nothing waits behind it. */
    private static final int WRITING = 1;

    /** Somebody writes, and looks for what waits when it is done; or the end has come, and nobody writes any more. */
    private static final int WAITED_FOR = 2;

    private static final AtomicIntegerFieldUpdater<SocketWriter> BUSY =
            AtomicIntegerFieldUpdater.newUpdater(SocketWriter.class, "busy");

    private final NIOConnection connection;
    private final SocketChannel channel;
    private final ScheduledExecutorService timer;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>(1);

    @GuardedBy("lock")
    private long waitingBytes;

    // Volatile: goes from IDLE to WRITING and back without the lock, so a frame that finds nobody writing, as nearly
    // all do, takes none; WAITED_FOR comes and goes under the lock.
    private volatile int busy = IDLE;

    // Confined: whoever writes. The answer to the upgrade has left the connection's queue.
    private boolean queueEmpty;

    @GuardedBy("lock")
    private boolean closeFrameTaken;

    @GuardedBy("lock")
    private boolean finished;

    // Volatile: written under the lock by close() and breakOff(), read by the reader of the socket.
    private volatile boolean ending;

    /** A frame and who waits for it; the last one of a socket has no bytes and closes it. */
    private record Outgoing(ByteBuffer bytes, @Nullable CompletionHandler<ByteBuffer> handler, Kind kind) {
        enum Kind {
            FRAME,
            PING,
            PONG,
            CLOSE,
            END
        }

        /** As {@link #WAITING_BYTES} counts. */
        int counted() {
            return kind == Kind.FRAME ? bytes.remaining() : 0;
        }

        void written() {
            tell(told -> told.completed(bytes));
        }

        void lost(Throwable cause) {
            tell(told -> told.failed(cause));
        }

        /** What its handler makes of it is no matter of the socket's: the others are told all the same. */
        private void tell(Consumer<CompletionHandler<ByteBuffer>> news) {
            if (handler != null) {
                try {
                    news.accept(handler);
                } catch (RuntimeException | Error stumbled) {
                    LOG.log(Level.WARNING, "whoever sent a frame could not be told what became of it");
                    LOG.log(Level.DEBUG, "why", stumbled);
                }
            }
        }
    }

    SocketWriter(Connection<?> connection, ScheduledExecutorService timer) {
        this.connection = (NIOConnection) connection;
        this.channel = (SocketChannel) this.connection.getChannel();
        this.timer = timer;
    }

    @Override
    public void write(ByteBuffer frame, @Nullable CompletionHandler<ByteBuffer> handler) {
        offer(new Outgoing(frame, handler, Outgoing.Kind.FRAME));
    }

    /** Pieces of whole frames, which leave one behind the other with nothing in between; the handler is that of the last. */
    void write(List<ByteBuffer> pieces, CompletionHandler<ByteBuffer> handler) {
        if (pieces.size() == 1) {
            write(pieces.get(0), handler);
            return;
        }
        List<Outgoing> all = new ArrayList<>(pieces.size());
        for (int i = 0; i < pieces.size(); i++) {
            all.add(new Outgoing(pieces.get(i), i == pieces.size() - 1 ? handler : null, Outgoing.Kind.FRAME));
        }
        offer(all);
    }

    @Override
    public void write(ByteBuffer frame, @Nullable CompletionHandler<ByteBuffer> handler, @Nullable WriterInfo info) {
        offer(new Outgoing(withoutInternals(frame), handler, kind(info)));
    }

    private static Outgoing.Kind kind(@Nullable WriterInfo info) {
        return switch (info == null ? WriterInfo.MessageType.OBJECT : info.getMessageType()) {
            case PING -> Outgoing.Kind.PING;
            case PONG -> Outgoing.Kind.PONG;
            case CLOSE -> Outgoing.Kind.CLOSE;
            default -> Outgoing.Kind.FRAME;
        };
    }

    /**
     * Ends the socket behind the close frame. Tyrus calls this after that frame, whoever began; but where it stumbles over what
     * a peer sends while another thread is closing, before it.
     */
    @Override
    public void close() {
        boolean now;
        lock.lock();
        try {
            ending = true;
            now = closeFrameTaken;
        } finally {
            lock.unlock();
        }
        if (now) {
            end();
        }
        // Behind a peer that does not read, that end is never reached.
        later(this::abort);
    }

    private void end() {
        offer(List.of(new Outgoing(ByteBuffer.allocate(0), null, Outgoing.Kind.END)));
    }

    /** Cuts the connection at once, with what the kernel holds; the write in flight fails. Calls @OnClose. */
    void abort() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException | UnsupportedOperationException e) {
            // Closed already, or it cannot linger: the end is the same, only the kernel's copy lives longer.
        }
        connection.terminateSilently();
    }

    /** At most a close frame leaves yet, and nothing that arrives matters. */
    boolean ending() {
        return ending;
    }

    /** The connection is gone: everything that waits fails. */
    void breakOff(Throwable cause) {
        List<Outgoing> lost;
        lock.lock();
        try {
            ending = true;
            finished = true;
            busy = WAITED_FOR; // nobody begins, and whoever drains finds nothing
            lost = List.copyOf(waiting);
            waiting.clear();
            waitingBytes = 0;
        } finally {
            lock.unlock();
        }
        lost.forEach(frame -> frame.lost(cause));
    }

    private void offer(Outgoing frame) {
        if (frame.kind() == Outgoing.Kind.FRAME && BUSY.compareAndSet(this, IDLE, WRITING)) {
            drain(new Batch(List.of(frame), frame.bytes().remaining(), false));
        } else {
            offer(List.of(frame));
        }
        if (frame.kind() == Outgoing.Kind.CLOSE && ending) {
            end();
        }
    }

    private void offer(List<Outgoing> frames) {
        Outgoing last = frames.get(frames.size() - 1);
        long bytes = 0;
        for (Outgoing frame : frames) {
            bytes += frame.counted();
        }
        Outgoing replaced = null;
        boolean refused;
        boolean overflow = false;
        Batch first = null;
        lock.lock();
        try {
            overflow = bytes > 0 && waitingBytes > 0 && waitingBytes + bytes > WAITING_BYTES;
            refused = finished || overflow;
            if (!refused) {
                if (last.kind() == Outgoing.Kind.PONG) {
                    replaced = takeWaitingPongLocked();
                }
                closeFrameTaken |= last.kind() == Outgoing.Kind.CLOSE;
                finished = last.kind() == Outgoing.Kind.END;
                waiting.addAll(frames);
                waitingBytes += bytes;
                if (beginsLocked()) {
                    first = nextBatchLocked();
                }
            }
        } finally {
            lock.unlock();
        }
        if (refused) {
            last.lost(new IOException(overflow ? "the peer does not read" : "the socket is closed"));
        }
        if (overflow) {
            abort();
        }
        if (replaced != null) {
            replaced.written();
        }
        if (first != null) {
            drain(first);
        }
    }

    /** Whether nobody writes, so that this thread does; else whoever does is told that something waits. */
    @GuardedBy("lock")
    private boolean beginsLocked() {
        while (true) {
            if (BUSY.compareAndSet(this, IDLE, WRITING)) {
                return true;
            }
            if (busy == WAITED_FOR || BUSY.compareAndSet(this, WRITING, WAITED_FOR)) {
                return false;
            }
        }
    }

    /** Only the latest ping needs an answer (RFC 6455, 5.5.3); else a peer that pings and never reads fills memory. */
    @GuardedBy("lock")
    private @Nullable Outgoing takeWaitingPongLocked() {
        for (Iterator<Outgoing> all = waiting.iterator(); all.hasNext(); ) {
            Outgoing frame = all.next();
            if (frame.kind() == Outgoing.Kind.PONG) {
                all.remove();
                return frame;
            }
        }
        return null;
    }

    /** Writes until nothing waits or a write stays in flight; then its completion goes on. Never runs twice at once. */
    private void drain(@Nullable Batch first) {
        for (Batch batch = first; batch != null; batch = nextBatchOrNull()) {
            if (batch.end) {
                endOutput();
                return;
            }
            boolean written;
            try {
                written = write(batch);
            } catch (IOException | RuntimeException | Error e) {
                // Out of memory, for example: it costs this socket and no other.
                batch.failed(e);
                return;
            }
            if (!written) {
                return;
            }
        }
    }

    /**
     * Writes to the channel itself: nobody else writes to an upgraded connection, and Grizzly's queue takes about as much
     * user time again as the write of a small frame. What the system does not take at once, or is larger than what a thread
     * should keep a buffer for, goes through that queue, and so does what comes while something is in it.
     *
     * @return whether all is with the system and the frames were told; else the completion does that, and goes on
     */
    private boolean write(Batch batch) throws IOException {
        ByteBuffer bytes = batch.bytes();
        // Asked until it is so: with nothing of ours in flight it stays empty, since nobody else writes.
        queueEmpty = queueEmpty || connection.getAsyncWriteQueue().isEmpty();
        if (batch.size <= COALESCED_BYTES && queueEmpty) {
            channel.write(bytes);
            if (!bytes.hasRemaining()) {
                batch.written();
                return true;
            }
        }
        return new InQueue(batch).write(bytes);
    }

    private @Nullable Batch nextBatchOrNull() {
        if (BUSY.compareAndSet(this, WRITING, IDLE)) {
            return null;
        }
        lock.lock();
        try {
            if (finished && waiting.isEmpty()) {
                return null;
            }
            if (waiting.isEmpty()) {
                busy = IDLE;
                return null;
            }
            return nextBatchLocked();
        } finally {
            lock.unlock();
        }
    }

    /** What is next, of which there is something. */
    @GuardedBy("lock")
    private Batch nextBatchLocked() {
        List<Outgoing> frames = new ArrayList<>(1);
        long bytes = 0;
        Outgoing next = waiting.peek();
        boolean end = next != null && next.kind() == Outgoing.Kind.END;
        while (next != null
                && (frames.isEmpty()
                        || (next.kind() != Outgoing.Kind.END
                                && bytes + next.bytes().remaining() <= COALESCED_BYTES))) {
            frames.add(waiting.remove());
            bytes += next.bytes().remaining();
            waitingBytes -= next.counted();
            next = waiting.peek();
        }
        if (!finished) {
            busy = waiting.isEmpty() ? WRITING : WAITED_FOR;
        }
        return new Batch(frames, (int) bytes, end);
    }

    /**
     * Says that no more will come, and leaves it to the peer to close. Closing at once could reset the connection while
     * the close frame is on its way, when the peer is still sending. (On a TLS listener this would need its filter.)
     */
    private void endOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException | RuntimeException e) {
            connection.terminateSilently();
        }
    }

    private void later(Runnable task) {
        try {
            var unused = timer.schedule(task, CLOSING_SECONDS, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            task.run(); // the server is stopping
        }
    }

    /** Tyrus puts the text of an exception into its close frames; only the code leaves (law 9). */
    private static ByteBuffer withoutInternals(ByteBuffer frame) {
        int at = frame.position();
        if (frame.remaining() > 4
                && frame.get(at) == CLOSE_FRAME
                && CODES_OF_TYRUS.contains(frame.getShort(at + 2) & 0xffff)) {
            return ByteBuffer.wrap(new byte[] {CLOSE_FRAME, 2, frame.get(at + 2), frame.get(at + 3)});
        }
        return frame;
    }

    /** The frames of one write. */
    private final class Batch {
        private final List<Outgoing> frames;
        private final int size;
        private final boolean end;

        Batch(List<Outgoing> frames, int size, boolean end) {
            this.frames = frames;
            this.size = size;
            this.end = end;
        }

        ByteBuffer bytes() {
            if (frames.size() == 1) {
                return frames.get(0).bytes().duplicate();
            }
            ByteBuffer joined = ByteBuffer.allocate(size);
            frames.forEach(frame -> joined.put(frame.bytes().duplicate()));
            return joined.flip();
        }

        void written() {
            frames.forEach(Outgoing::written);
        }

        void failed(Throwable cause) {
            try {
                frames.forEach(frame -> frame.lost(cause));
                breakOff(cause);
            } finally {
                // Even with no memory left to say why.
                connection.terminateSilently();
            }
        }
    }

    /** A batch whose bytes, or the rest of them, are in the connection's queue. */
    private final class InQueue extends org.glassfish.grizzly.EmptyCompletionHandler<Object> {
        private final Batch batch;
        private final AtomicBoolean first = new AtomicBoolean(true);

        InQueue(Batch batch) {
            this.batch = batch;
        }

        /**
         * To the connection's queue itself: the listener's filters are HTTP's, which let these bytes pass at some cost. True
         * if it has completed by now.
         */
        @SuppressWarnings({"rawtypes", "unchecked"}) // Grizzly's NIOConnection is a raw type
        boolean write(ByteBuffer bytes) {
            Transport transport = connection.getTransport();
            Buffer buffer = Buffers.wrap(transport.getMemoryManager(), bytes);
            ((org.glassfish.grizzly.Writer) transport.getWriter(connection)).write(connection, buffer, this);
            return isSecond();
        }

        /**
         * The write call's return and the completion meet here. Whoever comes second goes on draining: so a write
         * that completes inside its call makes the loop go round, without recursion.
         */
        private boolean isSecond() {
            return !first.compareAndSet(true, false);
        }

        @Override
        public void completed(Object result) {
            batch.written();
            if (isSecond()) {
                drain(nextBatchOrNull());
            }
        }

        @Override
        public void failed(Throwable cause) {
            batch.failed(cause);
        }

        @Override
        public void cancelled() {
            failed(new IOException("the write was cancelled"));
        }
    }
}
