package dev.tidings.protocol.conversations;

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
import java.util.Optional;

/**
 * The socket of {@code /conversations/{id}/ws}: one conversation, as the container sees it. Public for the container; not API.
 *
 * <p>There is one a socket. It does nothing but hand on, and no callback blocks. Whom the filter let in comes as the
 * principal of the handshake; where a container hands on none, the socket is closed with 4401 before any frame.
 */
@Dependent
@ServerEndpoint(
        value = "/conversations/{id}/ws",
        subprotocols = "tidings.conversations",
        encoders = ConversationsFrameEncoder.class)
public class ConversationEndpoint {
    // Not through a constructor: the WebSocket specification asks for one without parameters.
    @Inject
    ConversationsFace face;

    private final SocketHandle socket = new SocketHandle();

    @OnOpen
    public void onOpen(Session session, @PathParam("id") String conversationId) {
        socket.opened(face, session, Optional.of(conversationId));
    }

    @OnMessage
    public void onText(String message) {
        socket.heard();
    }

    @OnMessage
    public void onBinary(byte[] message) {
        socket.heard();
    }

    @OnMessage
    public void onPong(PongMessage pong) {
        socket.heard();
    }

    @OnClose
    public void onClose() {
        socket.closed();
    }

    @OnError
    public void onError(Throwable error) {
        socket.failed();
    }
}
