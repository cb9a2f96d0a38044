package dev.tidings.bench;

import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Jakarta WebSocket used the obvious way: for each text, for each session, {@code getAsyncRemote().sendText}. Public for the
 * container; not API.
 */
public final class ObviousEndpoint extends Endpoint {
    private static final Set<Session> WATCHING = ConcurrentHashMap.newKeySet();
    private static final PeerScript SCRIPT = new PeerScript();

    @Override
    public void onOpen(Session session, EndpointConfig config) {
        if (session.getRequestURI().getPath().endsWith("/publish")) {
            session.addMessageHandler(String.class, ObviousEndpoint::tell);
        } else {
            session.addMessageHandler(byte[].class, subscribe -> {
                // First this: the publisher begins when the last socket has been told.
                WATCHING.add(session);
                session.getAsyncRemote().sendText(PeerScript.SUBSCRIBED);
            });
        }
    }

    private static void tell(String told) {
        for (String text : SCRIPT.texts(told)) {
            for (Session session : WATCHING) {
                session.getAsyncRemote().sendText(text);
            }
        }
    }

    @Override
    public void onClose(Session session, jakarta.websocket.CloseReason reason) {
        WATCHING.remove(session);
    }

    @Override
    public void onError(Session session, Throwable error) {
        WATCHING.remove(session);
    }
}
