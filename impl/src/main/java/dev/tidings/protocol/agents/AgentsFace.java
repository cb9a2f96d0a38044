package dev.tidings.protocol.agents;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.EnvelopeVerifier;
import jakarta.websocket.Session;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the sockets of the Agents protocol share, and the sockets that are open.
 *
 * <p>Made once by whoever wires the parts together; the endpoint gets it injected.
 *
 * <p>Threads: any.
 */
public final class AgentsFace {
    private final AgentsSocket.Shared shared;
    private final Function<Session, Sink> sinks;
    private final Admission admission;
    private final Set<AgentsSocket> open = ConcurrentHashMap.newKeySet();

    /**
     * The two clocks.
     *
     * @param wall epoch time, by which the age of messages is judged
     * @param nanoTime never goes back
     */
    public record Clocks(InstantSource wall, LongSupplier nanoTime) {}

    /**
     * A face.
     *
     * @param decoder takes messages apart as they come
     * @param executor runs what may block; must not run tasks on the caller's thread
     * @param sinks makes the writer of a socket
     */
    public AgentsFace(
            AgentsPorts ports,
            EnvelopeDecoder decoder,
            EnvelopeVerifier verifier,
            AgentsLimits limits,
            AdmissionLimits admission,
            Executor executor,
            Clocks clocks,
            Function<Session, Sink> sinks) {
        this.shared = new AgentsSocket.Shared(
                ports,
                decoder,
                verifier,
                limits,
                executor,
                new BoundedExecutor(executor, limits.maxVerifications()),
                clocks.wall(),
                clocks.nanoTime());
        this.sinks = sinks;
        this.admission = new Admission(admission, clocks.nanoTime());
    }

    /** The limits that it was made with. */
    public AgentsLimits limits() {
        return shared.limits();
    }

    /** The sockets that are open. */
    public int openSockets() {
        return open.size();
    }

    /** Closes sockets on which nothing was subscribed in time; call it about once a second. */
    public void tick() {
        open.forEach(AgentsSocket::tick);
    }

    Sink sink(Session session) {
        return sinks.apply(session);
    }

    AgentsSocket open(Sink sink) {
        return open(sink, null);
    }

    /** @param address where the peer is, if the container tells it */
    AgentsSocket open(Sink sink, @Nullable String address) {
        Watched watched = new Watched(sink);
        AgentsSocket socket =
                AgentsSocket.open(shared, shared.ports().delivery().open(watched), admission.enter(address));
        open.add(socket);
        watched.opened(socket);
        return socket;
    }

    void closed(AgentsSocket socket) {
        open.remove(socket);
        socket.closed();
    }

    /** The writer of a socket; when the engine gives the socket up, the face does too, whether or not the container says so. */
    private final class Watched implements Sink {
        private final Sink sink;
        // Volatile: written once the socket is made; ended may come before that.
        private volatile @Nullable AgentsSocket socket;
        private volatile boolean ended;

        Watched(Sink sink) {
            this.sink = sink;
        }

        void opened(AgentsSocket made) {
            socket = made;
            if (ended) {
                letGo();
            }
        }

        @Override
        public void send(List<Frame> batch, Completion completion) {
            AgentsDebug.sending(batch);
            sink.send(batch, completion);
        }

        @Override
        public void ping(Completion completion) {
            sink.ping(completion);
        }

        @Override
        public void close(Disconnect reason) {
            ended = true;
            letGo();
            sink.close(reason);
        }

        @Override
        public void abort(Disconnect reason) {
            ended = true;
            letGo();
            sink.abort(reason);
        }

        private void letGo() {
            AgentsSocket known = socket;
            if (known != null) {
                open.remove(known);
                known.ended();
            }
        }
    }
}
