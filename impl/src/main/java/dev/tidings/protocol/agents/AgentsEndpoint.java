package dev.tidings.protocol.agents;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Sink;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.transport.Chatter;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * The socket of {@code /agents/ws}, as the container sees it. Public for the container; not API.
 *
 * <p>There is one a socket. It does nothing but hand on, and no callback blocks.
 */
@Dependent
@ServerEndpoint(
        value = "/agents/ws",
        decoders = {AgentsBinaryDecoder.class, AgentsTextDecoder.class},
        encoders = AgentsFrameEncoder.class,
        subprotocols = {Dialect.V2_NAME, Dialect.V2_CBOR_NAME})
public class AgentsEndpoint {
    // Not through a constructor: the WebSocket specification asks for one without parameters.
    @Inject
    AgentsFace face;

    // Volatile: written by onOpen and by the end; callbacks of one socket may come on several threads.
    private volatile @Nullable Sink sink;
    private volatile @Nullable AgentsSocket socket;

    @OnOpen
    public void onOpen(Session session) {
        // One byte more than allowed is let in, so that the close code is ours; containers that close by themselves
        // use the same one.
        int buffer = face.limits().maxMessageBytes() + 1;
        session.setMaxBinaryMessageBufferSize(buffer);
        session.setMaxTextMessageBufferSize(buffer);
        // Silence is judged by the engine; a container's own idle time knows nothing of pings.
        session.setMaxIdleTimeout(0);
        Dialect dialect = Dialect.of(session.getNegotiatedSubprotocol());
        Sink made = face.sink(session, dialect);
        sink = made;
        Object address = session.getUserProperties().get(Admission.PEER_ADDRESS);
        AgentsSocket opened = face.open(made, dialect, address instanceof String known ? known : null);
        socket = opened;
        Chatter.listen(session, opened::frames);
    }

    @OnMessage
    public void onBinary(AgentsMessage.OfBytes message) {
        received(message);
    }

    @OnMessage
    public void onText(AgentsMessage.OfText message) {
        received(message);
    }

    @OnMessage
    public void onPong(PongMessage pong) {
        AgentsSocket known = socket;
        if (known != null) {
            known.frames(1);
        }
    }

    @OnClose
    public void onClose() {
        AgentsSocket known = socket;
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

    private void received(AgentsMessage message) {
        AgentsSocket known = socket;
        if (known != null) {
            known.received(message);
        }
    }
}
