package dev.tidings.standalone;

import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;

/** Writes what comes, in a transaction; what begins with "!" rolls back. Public for the container. */
@Dependent
@ServerEndpoint("/notes")
public class NoteEndpoint {
    private final Notes notes;

    @Inject
    NoteEndpoint(Notes notes) {
        this.notes = notes;
    }

    @OnMessage
    public void message(String text, Session session) {
        if (text.startsWith("!")) {
            notes.writeAndFail(text);
        } else {
            notes.write(text);
        }
        session.getAsyncRemote().sendText("committed: " + String.join(",", notes.seen()), result -> {});
    }

    @OnError
    public void failed(Session session, Throwable cause) {
        session.getAsyncRemote().sendText("rolled back", result -> {});
    }
}
