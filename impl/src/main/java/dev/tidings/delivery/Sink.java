package dev.tidings.delivery;

import java.util.List;

/**
 * The sending side of one socket.
 *
 * <p>The engine has at most one {@link #send} or {@link #ping} in flight a sink (law 7) and calls it without holding a
 * lock (law 8). Threads: any, never two at once, but for {@link #abort}. No method blocks.
 */
public interface Sink {

    /**
     * Sends messages in order and completes once when all of them left, or one failed.
     *
     * @param completion called exactly once, on any thread, perhaps before this method returns
     */
    void send(List<Frame> batch, Completion completion);

    /**
     * How often the container copies a message for this socket alone, until it has left: 0 where all sockets share the
     * bytes. A constant.
     */
    int copies();

    /**
     * Whether {@link #send} is known to return at once, whatever the peer does: then other sockets may wait for it on the same
     * thread. False where a container might hold its caller all the same. A constant.
     */
    boolean prompt();

    /** Sends a ping; the completion as in {@link #send}. */
    void ping(Completion completion);

    /** Closes in good order; nothing is sent after it. Called with nothing in flight. */
    void close(Disconnect reason);

    /** Drops the connection at once, whatever is in flight; a completion that is due fails. May be called twice. */
    void abort(Disconnect reason);

    /** The end of one send. */
    interface Completion {
        /** Everything left. */
        void succeeded();

        /** Something did not leave; the connection is of no more use. */
        void failed();
    }
}
