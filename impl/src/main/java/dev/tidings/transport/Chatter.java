package dev.tidings.transport;

import jakarta.websocket.Session;
import java.util.function.IntConsumer;

/**
 * Frames of a peer that no endpoint is shown: pings, which the container answers, and small pieces of messages that do not
 * end them. A container that sees the frames leaves one in the user properties of a session, and tells it.
 *
 * <p>Threads: told by the one thread that reads the socket at a time; the listener is set when the socket opens.
 */
public final class Chatter {

    /** The user property of a session under which a container leaves it. */
    public static final String PROPERTY = "dev.tidings.chatter";

    // Volatile: written when the socket opens, read by whoever reads the socket.
    private volatile IntConsumer listener = frames -> {};

    /** Nobody listens yet. */
    public Chatter() {}

    /**
     * Listens, where the container tells; elsewhere nobody is ever told.
     *
     * @param listener is told how many came, one or more; must not block
     */
    public static void listen(Session session, IntConsumer listener) {
        if (session.getUserProperties().get(PROPERTY) instanceof Chatter known) {
            known.listener = listener;
        }
    }

    /** So many frames came. */
    public void told(int frames) {
        listener.accept(frames);
    }
}
