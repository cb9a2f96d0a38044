package dev.tidings.transport.undertow;

import dev.tidings.delivery.Sink;
import dev.tidings.transport.Burst;
import dev.tidings.transport.Door;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.websockets.core.StreamSinkFrameChannel;
import io.undertow.websockets.core.WebSocketCallback;
import io.undertow.websockets.core.WebSocketChannel;
import io.undertow.websockets.core.WebSocketFrameType;
import io.undertow.websockets.core.WebSockets;
import io.undertow.websockets.jsr.UndertowSession;
import jakarta.websocket.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The door of one Undertow socket: frames wait in the channel, unflushed, until the last one of a piece takes them along.
 *
 * <p>A burst goes in pieces of some frames: a channel in which more than 50 wait stops to read. It works on the channel's
 * I/O thread, whose the flag is that holds frames back; what the server itself sends meanwhile, a pong for example, waits a
 * moment and leaves with the piece, in order.
 *
 * <p>Threads: any; everything but {@code drop} goes on on the channel's I/O thread.
 */
final class UndertowDoor implements Door {
    private static final int PIECE = 40;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final WebSocketChannel channel;
    private final Executor ioThread;

    private UndertowDoor(WebSocketChannel channel) {
        this.channel = channel;
        this.ioThread = channel.getIoThread();
    }

    /** The door of a session; null if it is not Undertow's, or an extension has to see each message. */
    static @Nullable Door of(Session session) {
        if (!(session instanceof UndertowSession known)) {
            return null;
        }
        WebSocketChannel channel = known.getWebSocketChannel();
        // Not what the session says: its list of extensions is empty even when messages are deflated.
        return channel.areExtensionsSupported() ? null : new UndertowDoor(channel);
    }

    /** Looks for every method that is called here; one that is missing would be missed in the middle of a batch. */
    static void test() throws ReflectiveOperationException {
        UndertowSession.class.getMethod("getWebSocketChannel");
        WebSocketChannel.class.getMethod("areExtensionsSupported");
        WebSocketChannel.class.getMethod("setRequireExplicitFlush", boolean.class);
        WebSocketChannel.class.getMethod("send", WebSocketFrameType.class);
        if (!Executor.class.isAssignableFrom(
                WebSocketChannel.class.getMethod("getIoThread").getReturnType())) {
            throw new NoSuchMethodException("getIoThread");
        }
        StreamSinkFrameChannel.class.getMethod("send", PooledByteBuffer.class);
        StreamSinkFrameChannel.class.getMethod("shutdownWrites");
        for (String method : new String[] {"sendText", "sendBinary", "sendPing"}) {
            WebSockets.class.getMethod(
                    method, ByteBuffer.class, WebSocketChannel.class, WebSocketCallback.class, Object.class);
        }
    }

    @Override
    public void send(Burst burst, Sink.Completion completion) {
        ioThread.execute(new Sending(burst, completion)::proceed);
    }

    @Override
    public void ping(Sink.Completion completion) {
        WebSockets.sendPing(NOTHING.duplicate(), channel, new Told(completion), (Object) this);
    }

    @Override
    public void drop() {
        abortOnClose();
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            // The channel tells of its end itself.
        }
    }

    /**
     * Has the close reset the connection, so that the system keeps nothing of it: an option of XNIO, whose class must not be
     * named here. Without it the connection ends as well, but what is stuck stays with the system until the peer goes.
     */
    private void abortOnClose() {
        try {
            ClassLoader servers = WebSocketChannel.class.getClassLoader();
            Class<?> option = Class.forName("org.xnio.Option", true, servers);
            Object abort = Class.forName("org.xnio.Options", true, servers)
                    .getField("CLOSE_ABORT")
                    .get(null);
            WebSocketChannel.class.getMethod("setOption", option, Object.class).invoke(channel, abort, Boolean.TRUE);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError anotherVersionOrGone) {
            // The close is what counts.
        }
    }

    /** One burst on its way. */
    private final class Sending implements WebSocketCallback<Object> {
        private final List<ByteBuffer> messages;
        private final boolean text;
        private final Sink.Completion completion;
        // Confined, all of them: the channel's I/O thread.
        private int next;
        private boolean calling;
        private boolean calledBack;
        private Object piece = this;

        Sending(Burst burst, Sink.Completion completion) {
            this.messages = burst.messages();
            this.text = burst.text();
            this.completion = completion;
        }

        void proceed() {
            do {
                if (next == messages.size()) {
                    completion.succeeded();
                    return;
                }
                calledBack = false;
                calling = true;
                try {
                    sendPiece(Math.min(messages.size(), next + PIECE));
                } catch (IOException | RuntimeException | Error broken) {
                    // Out of memory, for example: it costs this socket and no other.
                    completion.failed();
                    return;
                } finally {
                    calling = false;
                }
            } while (calledBack);
        }

        private void sendPiece(int end) throws IOException {
            Object mine = new Object();
            piece = mine;
            int last = end - 1;
            if (next < last) {
                channel.setRequireExplicitFlush(true);
                try {
                    while (next < last) {
                        queue(messages.get(next++).duplicate());
                    }
                } finally {
                    // Before the last one, which flushes: whatever another thread queued meanwhile leaves too.
                    channel.setRequireExplicitFlush(false);
                }
            }
            next = end;
            ByteBuffer payload = messages.get(last).duplicate();
            if (text) {
                WebSockets.sendText(payload, channel, this, mine);
            } else {
                WebSockets.sendBinary(payload, channel, this, mine);
            }
        }

        private void queue(ByteBuffer payload) throws IOException {
            StreamSinkFrameChannel frame = channel.send(text ? WebSocketFrameType.TEXT : WebSocketFrameType.BINARY);
            frame.send(new Shared(payload));
            frame.shutdownWrites();
        }

        /** On the I/O thread, within the call or later; perhaps more than once. */
        @Override
        public void complete(WebSocketChannel of, Object context) {
            if (context != piece) {
                return;
            }
            piece = this;
            if (calling) {
                calledBack = true;
            } else {
                proceed();
            }
        }

        @Override
        public void onError(WebSocketChannel of, Object context, Throwable cause) {
            completion.failed();
        }
    }

    /** The end of a ping. */
    private record Told(Sink.Completion completion) implements WebSocketCallback<Object> {
        @Override
        public void complete(WebSocketChannel of, Object context) {
            completion.succeeded();
        }

        @Override
        public void onError(WebSocketChannel of, Object context, Throwable cause) {
            completion.failed();
        }
    }

    /** A payload that is nobody's to give back. */
    private static final class Shared implements PooledByteBuffer {
        // Confined: the channel, which has it after the call.
        private @Nullable ByteBuffer payload;

        Shared(ByteBuffer payload) {
            this.payload = payload;
        }

        @Override
        public ByteBuffer getBuffer() {
            ByteBuffer known = payload;
            if (known == null) {
                throw new IllegalStateException("closed");
            }
            return known;
        }

        @Override
        public void close() {
            payload = null;
        }

        @Override
        public boolean isOpen() {
            return payload != null;
        }
    }
}
