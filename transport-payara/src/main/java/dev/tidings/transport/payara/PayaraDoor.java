package dev.tidings.transport.payara;

import dev.tidings.delivery.Sink;
import dev.tidings.transport.Burst;
import dev.tidings.transport.Door;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.CompletionHandler;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.EmptyCompletionHandler;
import org.glassfish.grizzly.memory.Buffers;
import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;

/**
 * The door of one of Payara's sockets: whole frames written to Grizzly's connection, next to those that Tyrus writes through
 * the servlet stream. Both end in the connection's one queue; Tyrus' own, pongs and the close frame, are a write each, so none
 * is cut by one of ours.
 *
 * <p>Threads: any; no call blocks, but for {@code drop}, which calls @OnClose.
 */
final class PayaraDoor implements Door {
    private final Connection<?> connection;

    private PayaraDoor(Connection<?> connection) {
        this.connection = connection;
    }

    /** The door of a connection; null if Payara was told that writes hold whoever calls. */
    static @Nullable PayaraDoor of(Connection<?> connection) {
        return connection.isBlocking() ? null : new PayaraDoor(connection);
    }

    /** Looks for every method that is called here. */
    static void test() throws ReflectiveOperationException {
        Connection.class.getMethod("write", Object.class, CompletionHandler.class);
        Connection.class.getMethod("getMemoryManager");
        Connection.class.getMethod("isBlocking");
        Connection.class.getMethod("terminateSilently");
        Buffers.class.getMethod("wrap", MemoryManager.class, ByteBuffer.class);
        Buffers.class.getMethod("appendBuffers", MemoryManager.class, Buffer.class, Buffer.class);
        NIOConnection.class.getMethod("getChannel");
        SocketChannel.class.getMethod("setOption", SocketOption.class, Object.class);
    }

    @Override
    public void send(Burst burst, Sink.Completion completion) {
        write(burst.wire(), completion);
    }

    @Override
    public void ping(Sink.Completion completion) {
        write(List.of(Burst.pingOnTheWire()), completion);
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // whose connection it is, a type parameter says, which nobody has
    private void write(List<ByteBuffer> pieces, Sink.Completion completion) {
        MemoryManager<?> memory = connection.getMemoryManager();
        Buffer bytes = Buffers.wrap(memory, pieces.get(0));
        for (ByteBuffer piece : pieces.subList(1, pieces.size())) {
            // Not one write a piece: what Tyrus writes would come between.
            bytes = Buffers.appendBuffers(memory, bytes, Buffers.wrap(memory, piece));
        }
        ((Connection) connection).write(bytes, new Told(completion));
    }

    @Override
    public void drop() {
        if (connection instanceof NIOConnection known && known.getChannel() instanceof SocketChannel channel) {
            try {
                // A reset: what is stuck would stay with the system until the peer goes.
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException | UnsupportedOperationException alreadyGone) {
                // The end is the same.
            }
        }
        connection.terminateSilently();
    }

    private static final class Told extends EmptyCompletionHandler<Object> {
        private final Sink.Completion completion;

        Told(Sink.Completion completion) {
            this.completion = completion;
        }

        @Override
        public void completed(Object result) {
            completion.succeeded();
        }

        @Override
        public void failed(Throwable cause) {
            completion.failed();
        }

        @Override
        public void cancelled() {
            completion.failed();
        }
    }
}
