package dev.tidings.protocol.conversations;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Sink;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.http.KeyPrincipal;
import dev.tidings.protocol.http.Query;
import dev.tidings.transport.Chatter;
import dev.tidings.transport.TextSize;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Extension;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A socket of everything, or of one conversation, as the container sees it. Public for the container; not API.
 *
 * <p>There is one a socket. It does nothing but hand on, and no callback blocks. Whom the filter let in comes as the
 * principal of the handshake; where a container hands on none, the socket is closed with 4401 before any frame.
 *
 * <p>Without an annotation: its paths are configured, and while the face is switched off there is none.
 */
public final class ConversationsEndpoint extends Endpoint {
    private static final String SUB_PROTOCOL = "tidings.conversations";
    private static final String ID = "id";
    private static final int PIECE = 8 << 10;

    private final ConversationsFace face;

    // Volatile, both of them: written when the socket opens and when it ends.
    private volatile @Nullable Sink sink;
    private volatile @Nullable ConversationsSocket socket;

    private ConversationsEndpoint(ConversationsFace face) {
        this.face = face;
    }

    /**
     * The endpoints to register with a container.
     *
     * @param face asked for with the first socket
     */
    public static List<ServerEndpointConfig> configs(ConversationsPaths paths, Supplier<ConversationsFace> face) {
        return List.of(config(paths.all(), face), config(paths.one(), face));
    }

    private static ServerEndpointConfig config(String path, Supplier<ConversationsFace> face) {
        return ServerEndpointConfig.Builder.create(ConversationsEndpoint.class, path)
                .subprotocols(List.of(SUB_PROTOCOL))
                .encoders(List.of(ConversationsFrameEncoder.class))
                .configurator(new Configurator(face))
                .build();
    }

    /** Makes the instances, and answers by itself what containers would ask their own configurator. */
    private static final class Configurator extends ServerEndpointConfig.Configurator {
        private final Supplier<ConversationsFace> face;

        Configurator(Supplier<ConversationsFace> face) {
            this.face = face;
        }

        @Override
        public <T> T getEndpointInstance(Class<T> endpointClass) {
            return endpointClass.cast(new ConversationsEndpoint(face.get()));
        }

        @Override
        public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
            return requested.contains(SUB_PROTOCOL) ? SUB_PROTOCOL : "";
        }

        @Override
        public List<Extension> getNegotiatedExtensions(List<Extension> installed, List<Extension> requested) {
            return List.of();
        }

        /** The door has looked at it. */
        @Override
        public boolean checkOrigin(String originHeaderValue) {
            return true;
        }
    }

    @Override
    public void onOpen(Session session, EndpointConfig config) {
        session.setMaxTextMessageBufferSize(PIECE);
        session.setMaxBinaryMessageBufferSize(PIECE);
        // Silence is judged by the engine; a container's own idle time knows nothing of pings.
        session.setMaxIdleTimeout(0);
        Sink made = face.sink(session);
        sink = made;
        List<String> after = session.getRequestParameterMap().getOrDefault("lastEventSeq", List.of());
        // What is no number was refused by the filter; where a container let it through, the socket is closed.
        OptionalLong number = after.isEmpty() ? OptionalLong.empty() : Query.wholeNumber(after.get(0));
        boolean known = session.getUserPrincipal() instanceof KeyPrincipal;
        ConversationsSocket opened = face.open(
                made,
                Wire.SOCKET,
                new ConversationsSocket.Asked(
                        known ? ((KeyPrincipal) session.getUserPrincipal()).key() : null,
                        Optional.ofNullable(session.getPathParameters().get(ID)),
                        number.isEmpty() && !after.isEmpty() ? null : number),
                face.enter(
                        session.getUserProperties().get(Admission.PEER_ADDRESS) instanceof String address
                                ? address
                                : null));
        socket = opened;
        // A peer has nothing to say; that it says something is a sign of life. In pieces: what is passed over
        // is not put together first.
        session.addMessageHandler(String.class, (MessageHandler.Partial<String>)
                (text, last) -> opened.received(TextSize.utf8Bytes(text), last));
        session.addMessageHandler(
                byte[].class, (MessageHandler.Partial<byte[]>) (bytes, last) -> opened.received(bytes.length, last));
        session.addMessageHandler(PongMessage.class, pong -> opened.frames(1));
        Chatter.listen(session, opened::frames);
    }

    @Override
    public void onClose(Session session, CloseReason reason) {
        ended();
    }

    /** An error ends the socket, as a close does: some containers tell only one of the two. Its text goes nowhere. */
    @Override
    public void onError(Session session, Throwable error) {
        ended();
        Sink known = sink;
        if (known != null) {
            sink = null;
            known.abort(Disconnect.OVERLOADED);
        }
    }

    private void ended() {
        ConversationsSocket known = socket;
        if (known != null) {
            socket = null;
            face.closed(known);
        }
    }
}
