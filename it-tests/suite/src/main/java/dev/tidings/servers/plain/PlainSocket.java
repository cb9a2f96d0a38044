package dev.tidings.servers.plain;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A socket that answers with the same, without waiting until that is sent.
 *
 * <p>Threads: the container's. Public for the container; not API.
 */
@Dependent
@ServerEndpoint("/echo")
public class PlainSocket {
    @Inject
    private @Nullable PlainBean bean;

    /** Answers with the same. */
    @OnMessage
    public void text(Session session, String text) {
        String answer = Objects.requireNonNull(bean).echo(text);
        session.getAsyncRemote().sendText(answer, sent -> {});
    }
}
