package dev.tidings.transport;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A socket with a {@link Door}: a batch is one write. It closes the portable way.
 *
 * <p>Threads: as {@link Sink} demands.
 */
final class DoorSink implements Sink {
    private final Door door;
    private final PortableSink portable;
    private final Bursts bursts;
    private final @Nullable UnaryOperator<byte[]> binaryForm;
    // Volatile: written by the one send in flight, read by an abort.
    private volatile @Nullable Once current;

    DoorSink(Door door, PortableSink portable, Bursts bursts, @Nullable UnaryOperator<byte[]> binaryForm) {
        this.door = door;
        this.portable = portable;
        this.bursts = bursts;
        this.binaryForm = binaryForm;
    }

    @Override
    public void send(List<Frame> batch, Completion completion) {
        Once once = new Once(completion);
        current = once;
        try {
            door.send(bursts.of(batch, binaryForm), once);
        } catch (RuntimeException | Error broken) {
            // Out of memory, for example: it costs this socket and no other.
            once.failed();
        }
    }

    /** No door's send waits. */
    @Override
    public boolean prompt() {
        return true;
    }

    /** All sockets share the bytes. */
    @Override
    public int copies() {
        return 0;
    }

    @Override
    public void ping(Completion completion) {
        Once once = new Once(completion);
        current = once;
        try {
            door.ping(once);
        } catch (RuntimeException | Error broken) {
            once.failed();
        }
    }

    @Override
    public void close(Disconnect reason) {
        portable.close(reason);
    }

    @Override
    public void abort(Disconnect reason) {
        portable.drop(door::drop, this::endCurrent);
    }

    private void endCurrent() {
        Once once = current;
        if (once != null) {
            once.failed();
        }
    }

    /** A completion that counts once: containers repeat theirs, and some never come for what was cut off. */
    private final class Once extends AtomicBoolean implements Completion {
        private static final long serialVersionUID = 1L;

        private final transient Completion completion;

        Once(Completion completion) {
            this.completion = completion;
        }

        @Override
        public void succeeded() {
            if (compareAndSet(false, true)) {
                // Before the completion, which may bring the next send.
                current = null;
                completion.succeeded();
            }
        }

        @Override
        public void failed() {
            if (compareAndSet(false, true)) {
                current = null;
                completion.failed();
            }
        }
    }
}
