package dev.tidings.protocol.commands;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Sink;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.http.Query;
import dev.tidings.transport.Chatter;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The socket of {@code /ws/sessions/{id}}, as the container sees it. Public for the container; not API.
 *
 * <p>There is one a socket. It does nothing but hand on, and no callback blocks. Whom the filter let in comes as the
 * principal of the handshake; where a container hands on none, the socket is closed with 4401 before any frame.
 */
@Dependent
@ServerEndpoint(value = "/ws/sessions/{id}", subprotocols = "tidings.commands", encoders = CommandsFrameEncoder.class)
public class CommandsEndpoint {
    // Not through a constructor: the WebSocket specification asks for one without parameters.
    @Inject
    CommandsFace face;

    // Volatile: written by onOpen and by the end; callbacks of one socket may come on several threads.
    private volatile @Nullable Sink sink;
    private volatile @Nullable CommandsSocket socket;

    @OnOpen
    public void onOpen(Session session, @PathParam("id") String sessionId) {
        // One character more than allowed is let in, so that the close code is ours.
        session.setMaxTextMessageBufferSize(CommandsSocket.MAX_MESSAGE + 1);
        session.setMaxBinaryMessageBufferSize(CommandsSocket.MAX_MESSAGE + 1);
        // Silence is judged by the engine; a container's own idle time knows nothing of pings.
        session.setMaxIdleTimeout(0);
        Sink made = face.sink(session);
        sink = made;
        List<String> cursors = session.getRequestParameterMap().getOrDefault("cursor", List.of());
        Object address = session.getUserProperties().get(Admission.PEER_ADDRESS);
        CommandsSocket opened = face.open(
                made,
                new CommandsSocket.Asked(
                        Caller.of(face.auth(), session.getUserPrincipal()),
                        sessionId,
                        // One that is wrong was refused by the filter.
                        cursors.isEmpty()
                                ? 0
                                : Query.wholeNumber(cursors.get(0)).orElse(0)),
                address instanceof String known ? known : null);
        socket = opened;
        Chatter.listen(session, opened::frames);
    }

    @OnMessage
    public void onText(String message) {
        CommandsSocket known = socket;
        if (known != null) {
            known.received(message);
        }
    }

    @OnMessage
    public void onBinary(byte[] message) {
        CommandsSocket known = socket;
        if (known != null) {
            known.receivedBinary();
        }
    }

    @OnMessage
    public void onPong(PongMessage pong) {
        CommandsSocket known = socket;
        if (known != null) {
            known.frames(1);
        }
    }

    @OnClose
    public void onClose() {
        CommandsSocket known = socket;
        if (known != null) {
            socket = null;
            face.closed(known);
        }
    }

    /** An error ends the socket, as a close does: some containers tell only one of the two. Its text goes nowhere. */
    @OnError
    public void onError(Throwable error) {
        onClose();
        Sink known = sink;
        if (known != null) {
            sink = null;
            known.abort(Disconnect.OVERLOADED);
        }
    }
}
