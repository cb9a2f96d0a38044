package dev.tidings.protocol.conversations;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Sink;
import dev.tidings.protocol.http.KeyPrincipal;
import jakarta.websocket.Session;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What both endpoints do with the container's calls: hand on.
 *
 * <p>Threads: any; callbacks of one socket may come on several.
 */
final class SocketHandle {
    private static final int MAX_MESSAGE = 8 << 10;

    // Volatile, both of them: written when the socket opens and when it ends.
    private volatile @Nullable Sink sink;
    private volatile @Nullable ConversationsSocket socket;
    private volatile @Nullable ConversationsFace face;

    void opened(ConversationsFace shared, Session session, Optional<String> conversationId) {
        session.setMaxTextMessageBufferSize(MAX_MESSAGE);
        session.setMaxBinaryMessageBufferSize(MAX_MESSAGE);
        // Silence is judged by the engine; a container's own idle time knows nothing of pings.
        session.setMaxIdleTimeout(0);
        face = shared;
        Sink made = shared.sink(session);
        sink = made;
        List<String> after = session.getRequestParameterMap().getOrDefault("lastEventSeq", List.of());
        // What is no number was refused by the filter; where a container let it through, the socket is closed.
        Optional<OptionalLong> number = SeqText.read(after.isEmpty() ? null : after.get(0));
        boolean known = session.getUserPrincipal() instanceof KeyPrincipal;
        socket = shared.open(
                made,
                ConversationsTranslator.SOCKET,
                new ConversationsSocket.Asked(
                        known ? ((KeyPrincipal) session.getUserPrincipal()).key() : null,
                        conversationId,
                        number.orElse(null)));
    }

    /** A peer has nothing to say; that it says something is a sign of life. */
    void heard() {
        ConversationsSocket known = socket;
        if (known != null) {
            known.heard();
        }
    }

    void closed() {
        ConversationsSocket known = socket;
        ConversationsFace shared = face;
        if (known != null && shared != null) {
            socket = null;
            shared.closed(known);
        }
    }

    /** An error ends the socket, as a close does: some containers tell only one of the two. */
    void failed() {
        closed();
        Sink known = sink;
        if (known != null) {
            sink = null;
            known.abort(Disconnect.OVERLOADED);
        }
    }
}
