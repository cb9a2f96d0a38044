package dev.tidings.protocol.commands;

import dev.tidings.Head;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Sink;
import dev.tidings.delivery.WatchedSink;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.SessionDeleted;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.http.Auth;
import dev.tidings.protocol.http.HttpExchanges;
import jakarta.websocket.Session;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the sockets of this protocol share, and the sockets that are open.
 *
 * <p>Made once by whoever wires the parts together; the endpoint gets it injected.
 *
 * <p>Threads: any.
 */
public final class CommandsFace {
    private final CommandsSocket.Shared shared;
    private final Admission admission;
    private final SessionsHttp http;
    private final HttpExchanges exchanges;
    private final Function<Session, Sink> sinks;
    private final Set<CommandsSocket> open = ConcurrentHashMap.newKeySet();

    /**
     * A face.
     *
     * @param admission who may come in
     * @param executor runs what may block; must not run tasks on the caller's thread
     * @param exchanges what all requests over HTTP share
     * @param sinks makes the writer of a socket
     */
    public CommandsFace(
            CommandsPorts ports,
            Admission admission,
            CommandsSettings settings,
            Executor executor,
            HttpExchanges exchanges,
            InstantSource clock,
            Function<Session, Sink> sinks) {
        Permissions permissions = new Permissions(ports, settings);
        this.shared = new CommandsSocket.Shared(
                ports, settings, permissions, new Messages(ports, settings, executor, clock), executor);
        this.http = new SessionsHttp(ports, permissions, exchanges, clock);
        this.exchanges = exchanges;
        this.admission = admission;
        this.sinks = sinks;
    }

    /** The sockets that are open. */
    public int openSockets() {
        return open.size();
    }

    /** A session was deleted, by a transaction that has committed: its sockets are closed. Never blocks. */
    public void deleted(SessionDeleted event) {
        close(socket -> socket.sessionId().equals(event.sessionId()));
    }

    /** Likewise for all sessions of an agent. */
    public void deleted(AgentDeleted event) {
        close(socket -> socket.belongsTo(event.agentId()));
    }

    /**
     * Closes the sockets of sessions that were deleted without an event, on another node or by hand. Called every {@code
     * tidings.access.recheck}; blocks on the ports and throws what they throw.
     */
    public void recheck() {
        Set<StreamKey> watched = open.stream()
                .map(socket -> StreamKey.session(socket.sessionId()))
                .collect(Collectors.toSet());
        if (watched.isEmpty()) {
            return;
        }
        // One query tells of nearly all that they are there: what has entries has a head.
        Map<StreamKey, Head> heads = shared.ports().log().heads(watched);
        for (StreamKey session : watched) {
            if (heads.getOrDefault(session, Head.EMPTY).position() == 0
                    && shared.ports().directory().session(session.id()).isEmpty()) {
                close(socket -> socket.sessionId().equals(session.id()));
            }
        }
    }

    private void close(Predicate<CommandsSocket> which) {
        open.stream().filter(which).forEach(socket -> socket.disconnect(Disconnect.NOT_FOUND));
    }

    Auth auth() {
        return shared.settings().auth();
    }

    Permissions permissions() {
        return shared.permissions();
    }

    SessionsHttp http() {
        return http;
    }

    HttpExchanges exchanges() {
        return exchanges;
    }

    Sink sink(Session session) {
        return sinks.apply(session);
    }

    /** @param address where the peer is, if the container tells it */
    CommandsSocket open(Sink sink, CommandsSocket.Asked asked, @Nullable String address) {
        WatchedSink watched = new WatchedSink(sink);
        CommandsSocket socket =
                new CommandsSocket(shared, asked, shared.ports().delivery().open(watched), admission.enter(address));
        // Before it looks for its session: a deletion in between finds the socket.
        open.add(socket);
        watched.opened(() -> letGo(socket));
        socket.begin();
        return socket;
    }

    void closed(CommandsSocket socket) {
        open.remove(socket);
        socket.closed();
    }

    private void letGo(CommandsSocket socket) {
        open.remove(socket);
        socket.ended();
    }
}
