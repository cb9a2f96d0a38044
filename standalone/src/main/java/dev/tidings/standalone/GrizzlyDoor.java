package dev.tidings.standalone;

import dev.tidings.delivery.Sink;
import dev.tidings.transport.Burst;
import dev.tidings.transport.Door;
import java.nio.ByteBuffer;
import org.glassfish.tyrus.spi.CompletionHandler;

/**
 * The door of a socket of this server: its {@link SocketWriter}, which Tyrus' own frames go through too.
 *
 * <p>Threads: any; no call blocks, but for {@code drop}, which calls @OnClose.
 */
final class GrizzlyDoor implements Door {
    private final SocketWriter writer;

    GrizzlyDoor(SocketWriter writer) {
        this.writer = writer;
    }

    @Override
    public void send(Burst burst, Sink.Completion completion) {
        writer.write(burst.wire(), new Told(completion));
    }

    @Override
    public void ping(Sink.Completion completion) {
        writer.write(Burst.pingOnTheWire(), new Told(completion));
    }

    @Override
    public void drop() {
        writer.abort();
    }

    private static final class Told extends CompletionHandler<ByteBuffer> {
        private final Sink.Completion completion;

        Told(Sink.Completion completion) {
            this.completion = completion;
        }

        @Override
        public void completed(ByteBuffer written) {
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
