package dev.tidings.protocol.agents;

import dev.tidings.Head;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import dev.tidings.delivery.WatchedSink;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.EnvelopeVerifier;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.SessionDeleted;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.http.BoundedExecutor;
import jakarta.websocket.Session;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the sockets of the Agents protocol share, and the sockets that are open.
 *
 * <p>Made once by whoever wires the parts together; the endpoint gets it injected.
 *
 * <p>Threads: any.
 */
public final class AgentsFace {
    private static final int KEYS_A_QUERY = 500;

    private final AgentsSocket.Shared shared;
    private final Sinks sinks;
    private final Admission admission;
    private final Set<AgentsSocket> open = ConcurrentHashMap.newKeySet();

    /**
     * The two clocks.
     *
     * @param wall epoch time, by which the age of messages is judged
     * @param nanoTime never goes back
     */
    public record Clocks(InstantSource wall, LongSupplier nanoTime) {}

    /** Makes the writers of sockets. */
    @FunctionalInterface
    public interface Sinks {

        /**
         * The writer of a socket.
         *
         * @param binaryForm makes the binary message that a frame is sent as; null if it is sent as text
         */
        Sink of(Session session, @Nullable UnaryOperator<byte[]> binaryForm);
    }

    /**
     * A face.
     *
     * @param events the translation of events to its subscribers
     * @param decoder takes messages apart as they come
     * @param admission who may come in
     * @param executor runs what may block; must not run tasks on the caller's thread
     * @param sinks makes the writer of a socket
     */
    public AgentsFace(
            AgentsPorts ports,
            AgentsEvents events,
            EnvelopeDecoder decoder,
            EnvelopeVerifier verifier,
            AgentsLimits limits,
            Admission admission,
            Executor executor,
            Clocks clocks,
            Sinks sinks) {
        this.shared = new AgentsSocket.Shared(
                ports,
                decoder,
                verifier,
                limits,
                executor,
                new BoundedExecutor(executor, limits.maxVerifications(), AgentsSocket::dropVerification),
                clocks.wall(),
                clocks.nanoTime(),
                events.texts(),
                new Holders());
        this.sinks = sinks;
        this.admission = admission;
    }

    /** The limits that it was made with. */
    public AgentsLimits limits() {
        return shared.limits();
    }

    AgentsSocket.Shared shared() {
        return shared;
    }

    /** The sockets that are open. */
    public int openSockets() {
        return open.size();
    }

    /** Closes sockets on which nothing was subscribed in time; call it about once a second. */
    public void tick() {
        open.forEach(AgentsSocket::tick);
    }

    /**
     * Sends a heartbeat to those who want it; call it every {@code tidings.heartbeat.interval}. Blocks on the log, which is
     * asked once for all of them.
     */
    public void beat() {
        List<Subscriptions> beating = v2();
        Set<StreamKey> logs = new HashSet<>();
        beating.forEach(subscriptions -> subscriptions.addLogs(logs));
        Map<StreamKey, Head> heads = new HashMap<>();
        try {
            List<StreamKey> all = List.copyOf(logs);
            for (int from = 0; from < all.size(); from += KEYS_A_QUERY) {
                List<StreamKey> some = all.subList(from, Math.min(all.size(), from + KEYS_A_QUERY));
                some.forEach(key -> heads.put(key, Head.EMPTY));
                heads.putAll(shared.ports().log().heads(some));
            }
        } catch (RuntimeException unknown) {
            // A heartbeat without heads still says that the server lives.
            heads.clear();
        }
        beating.forEach(subscriptions -> subscriptions.beat(heads));
    }

    /** A session was deleted: on the thread that committed it. Never blocks. */
    public void deleted(SessionDeleted event) {
        String sessionId = event.sessionId();
        holders(event.agentId()).forEach(holder -> holder.end(target -> sessionId.equals(target.sessionId())));
    }

    /** An agent was deleted: on the thread that committed it. Never blocks. */
    public void deleted(AgentDeleted event) {
        String agentId = event.agentId();
        holders(agentId).forEach(holder -> holder.end(target -> agentId.equals(target.agentId())));
    }

    /** The access to an agent was looked at again after a change: tells those who lost it. May block on the grants. */
    public void accessSettled(String agentId) {
        holders(agentId).forEach(Subscriptions::tellRevoked);
    }

    /** All access was looked at again: tells those who lost it. May block on the grants. */
    public void accessSettled() {
        v2().forEach(Subscriptions::tellRevoked);
    }

    private List<Subscriptions> holders(String agentId) {
        return List.copyOf(shared.holders().of(agentId));
    }

    private List<Subscriptions> v2() {
        return open.stream()
                .map(AgentsSocket::subscriptions)
                .filter(Subscriptions::v2)
                .toList();
    }

    Sink sink(Session session, Dialect dialect) {
        return sinks.of(session, dialect.binaryForm());
    }

    AgentsSocket open(Sink sink, Dialect dialect) {
        return open(sink, dialect, null);
    }

    /** @param address where the peer is, if the container tells it */
    AgentsSocket open(Sink sink, Dialect dialect, @Nullable String address) {
        WatchedSink watched = new WatchedSink(new Logged(sink));
        AgentsSocket socket =
                AgentsSocket.open(shared, dialect, shared.ports().delivery().open(watched), admission.enter(address));
        open.add(socket);
        watched.opened(() -> letGo(socket));
        return socket;
    }

    void closed(AgentsSocket socket) {
        open.remove(socket);
        socket.closed();
    }

    private void letGo(AgentsSocket socket) {
        open.remove(socket);
        socket.ended();
    }

    /** Says in the log what is sent, where that is wanted. */
    private record Logged(Sink sink) implements Sink {
        @Override
        public void send(List<Frame> batch, Completion completion) {
            AgentsDebug.sending(batch);
            sink.send(batch, completion);
        }

        @Override
        public int copies() {
            return sink.copies();
        }

        @Override
        public boolean prompt() {
            return sink.prompt();
        }

        @Override
        public void ping(Completion completion) {
            sink.ping(completion);
        }

        @Override
        public void close(Disconnect reason) {
            sink.close(reason);
        }

        @Override
        public void abort(Disconnect reason) {
            sink.abort(reason);
        }
    }
}
