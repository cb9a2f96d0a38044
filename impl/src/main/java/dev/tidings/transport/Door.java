package dev.tidings.transport;

import dev.tidings.delivery.Sink;

/**
 * What a container offers one open socket beyond its Jakarta API: a write for many messages, whose completion is true.
 *
 * <p>Order: what a door sends and what the container sends by itself (pongs, the close frame) leave in the order of the
 * calls, frame by frame. Threads: any; {@code send} and {@code ping} never two at once; no method but {@code drop} may call
 * back into the application, and none blocks but {@code drop}.
 */
public interface Door {

    /** The user property of a session under which a container leaves the door of that socket. */
    String PROPERTY = "dev.tidings.door";

    /**
     * Sends messages in one write, if the connection takes it.
     *
     * @param completion called when the last byte is with the system, on any thread, perhaps before this returns, or when
     *     it is known that it never will be
     */
    void send(Burst burst, Sink.Completion completion);

    /** Sends a ping; the completion likewise. */
    void ping(Sink.Completion completion);

    /** Resets the connection, whatever is stuck in it. May call the endpoint's {@code @OnClose} on this thread. */
    void drop();
}
