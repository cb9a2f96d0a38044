package dev.tidings.transport;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import jakarta.websocket.CloseReason;
import jakarta.websocket.SendHandler;
import jakarta.websocket.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A socket of any Jakarta WebSocket container, through the asynchronous remote endpoint. The endpoint has an encoder for
 * frames, which hands out the text that all sockets share.
 *
 * <p>Frames of a batch go out one after the other, each when the one before has left; a container may call back on the
 * sending thread (then the loop goes on, without recursion) or on another (then the rest goes out on an executor, since
 * sending from inside a callback overflows the stack of some containers). What may block, which is closing and pinging
 * in some containers, runs on an executor of its own.
 *
 * <p>A container that can drop a connection at once says how: a {@link Runnable} under {@link #ABORT} in the session's
 * user properties. Elsewhere a stuck connection is closed in the way that the API has.
 *
 * <p>Threads: as {@link Sink} demands.
 */
public final class PortableSink implements Sink {

    /** The user property, or attribute of a request, that holds a {@link Runnable} which drops the connection at once. */
    public static final String ABORT = "dev.tidings.abort";

    /**
     * The attribute of a request that is {@link Boolean#TRUE} if the container takes but little of an answer before it says
     * that it cannot take more.
     */
    public static final String LITTLE = "dev.tidings.little";

    private static final int COPIES = 2;
    private static final byte[] NOTHING = new byte[0];

    private final Session session;
    private final Executor sends;
    private final Executor blocking;
    private final @Nullable UnaryOperator<byte[]> binaryForm;
    // Volatile: written by the one send in flight, read by an abort.
    private volatile @Nullable Sending current;

    /**
     * A sink over an open session.
     *
     * @param sends goes on with a batch when a frame has left; must not run tasks on the caller's thread
     * @param blocking runs what may block; must not run tasks on the caller's thread
     * @param binaryForm makes the message of a frame's UTF-8 bytes; null to send these as text
     */
    public PortableSink(
            Session session, Executor sends, Executor blocking, @Nullable UnaryOperator<byte[]> binaryForm) {
        this.session = session;
        this.sends = sends;
        this.blocking = blocking;
        this.binaryForm = binaryForm;
    }

    /** The container makes bytes of the text, and a frame of the bytes. */
    @Override
    public int copies() {
        return COPIES;
    }

    @Override
    public void send(List<Frame> batch, Completion completion) {
        Sending sending = new Sending(batch, completion);
        current = sending;
        sending.proceed();
    }

    /** A container may hold who sends. */
    @Override
    public boolean prompt() {
        return false;
    }

    @Override
    public void ping(Completion completion) {
        boolean taken = offload(blocking, () -> {
            try {
                session.getAsyncRemote().sendPing(ByteBuffer.wrap(NOTHING));
            } catch (IOException | RuntimeException | Error e) {
                completion.failed();
                return;
            }
            completion.succeeded();
        });
        if (!taken) {
            completion.failed();
        }
    }

    @Override
    public void close(Disconnect reason) {
        offload(blocking, () -> closeSession(reason));
    }

    @Override
    public void abort(Disconnect reason) {
        drop(() -> drop(reason), this::endCurrent);
    }

    /**
     * Drops the connection where that may block.
     *
     * @param ended is told behind that, or at once if there is no thread for it
     */
    void drop(Runnable drop, Runnable ended) {
        boolean taken = offload(blocking, () -> {
            try {
                drop.run();
            } finally {
                ended.run();
            }
        });
        if (!taken) {
            ended.run();
        }
    }

    private void drop(Disconnect reason) {
        try {
            if (session.getUserProperties().get(ABORT) instanceof Runnable drop) {
                drop.run();
                return;
            }
            // The shortest idle time makes most containers fail a send that is stuck; close alone does not.
            session.setMaxIdleTimeout(1);
        } catch (RuntimeException alreadyGone) {
            // A session that is closed refuses even that; closing it again does no harm.
        }
        closeSession(reason);
    }

    /** Some containers never call back for a send that was cut off. */
    private void endCurrent() {
        Sending sending = current;
        if (sending != null) {
            sending.end(false);
        }
    }

    private void closeSession(Disconnect reason) {
        try {
            session.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(reason.code()), reason.reason()));
        } catch (IOException | RuntimeException alreadyGone) {
            // The container's own close callback tells the rest.
        }
    }

    private boolean offload(Executor executor, Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException stopping) {
            // The container is going down and closes its sockets itself.
            return false;
        } catch (RuntimeException | Error noThread) {
            // A pool that cannot start a thread says so with an error: whoever waits must be told.
            return false;
        }
    }

    /** One batch on its way. */
    private final class Sending {
        private static final int CALLING = 0;
        private static final int CALLED_BACK = 1;
        private static final int RETURNED = 2;

        private final List<Frame> batch;
        private final Completion completion;
        private final AtomicBoolean over = new AtomicBoolean();
        // Confined: the thread that sends the frame; handed on through the executor, or the callback that comes later.
        private int next;

        Sending(List<Frame> batch, Completion completion) {
            this.batch = batch;
            this.completion = completion;
        }

        void proceed() {
            while (next < batch.size() && !over.get()) {
                Frame frame = batch.get(next++);
                // Which comes first: the callback, or the return of the call?
                AtomicInteger race = new AtomicInteger(CALLING);
                try {
                    hand(frame, result -> {
                        if (!result.isOK()) {
                            end(false);
                        } else if (!race.compareAndSet(CALLING, CALLED_BACK)) {
                            goOn();
                        }
                    });
                } catch (RuntimeException | Error broken) {
                    // Out of memory, for example: it costs this socket and no other.
                    end(false);
                    return;
                }
                if (race.compareAndSet(CALLING, RETURNED) || over.get()) {
                    return;
                }
            }
            end(true);
        }

        /** A frame has left, after the call for it had returned. */
        private void goOn() {
            if (next == batch.size()) {
                end(true);
            } else if (!offload(sends, this::proceed)) {
                end(false);
            }
        }

        private void hand(Frame frame, SendHandler sent) {
            UnaryOperator<byte[]> form = binaryForm;
            if (form == null) {
                session.getAsyncRemote().sendObject(frame, sent);
            } else {
                session.getAsyncRemote().sendBinary(frame.binary(form), sent);
            }
        }

        private void end(boolean ok) {
            if (over.compareAndSet(false, true)) {
                // Before the completion, which may bring the next send; a socket at rest holds no frames.
                current = null;
                if (ok) {
                    completion.succeeded();
                } else {
                    completion.failed();
                }
            }
        }
    }
}
