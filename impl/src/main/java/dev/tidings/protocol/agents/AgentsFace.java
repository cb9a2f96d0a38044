package dev.tidings.protocol.agents;

import dev.tidings.delivery.Sink;
import dev.tidings.envelope.EnvelopeVerifier;
import jakarta.websocket.Session;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;

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
     * @param executor runs what may block; must not run tasks on the caller's thread
     * @param sinks makes the writer of a socket
     */
    public AgentsFace(
            AgentsPorts ports,
            EnvelopeVerifier verifier,
            AgentsLimits limits,
            Executor executor,
            Clocks clocks,
            Function<Session, Sink> sinks) {
        this.shared = new AgentsSocket.Shared(
                ports,
                verifier,
                limits,
                executor,
                new BoundedExecutor(executor, limits.maxVerifications()),
                clocks.wall(),
                clocks.nanoTime());
        this.sinks = sinks;
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
        AgentsSocket socket =
                AgentsSocket.open(shared, shared.ports().delivery().open(sink));
        open.add(socket);
        return socket;
    }

    void closed(AgentsSocket socket) {
        open.remove(socket);
        socket.closed();
    }
}
