package dev.tidings.delivery;

/**
 * Everything that goes to one socket: answers, and what its subscriptions pull.
 *
 * <p>Threads: any.
 */
public final class Outbox {
    Outbox() {}

    /** Sends a frame behind the answers before it, and before anything of a subscription that is started later. */
    public void answer(Frame frame) {
        throw new UnsupportedOperationException();
    }

    /**
     * Registers a subscription. One to the same channel is replaced: nothing of the old one is sent once the new one
     * has started, and nothing twice.
     *
     * @param gate must be open for anything of it to be sent
     */
    public Subscription subscribe(Channel channel, Gate gate) {
        throw new UnsupportedOperationException();
    }

    /** Something came in from the peer. */
    public void heard() {
        throw new UnsupportedOperationException();
    }

    /** Sends what answers wait, then closes the socket. */
    public void disconnect(Disconnect reason) {
        throw new UnsupportedOperationException();
    }

    /** The socket is gone: frees everything. */
    public void closed() {
        throw new UnsupportedOperationException();
    }
}
