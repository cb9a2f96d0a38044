package dev.tidings.delivery;

/**
 * Whether one account may see one agent, now; shared by everything of that pair that waits to be sent.
 *
 * <p>Once {@link #close} has returned, nothing behind the gate is taken into a send any more; only a send that had been
 * taken before may end (law 6). {@link #open} lets the subscriptions go on from their cursors.
 *
 * <p>Threads: any.
 */
public final class Gate {

    /** A gate. */
    public Gate(boolean open) {
        throw new UnsupportedOperationException();
    }

    /** Whether frames may pass. */
    public boolean isOpen() {
        throw new UnsupportedOperationException();
    }

    /** From now on nothing passes. */
    public void close() {
        throw new UnsupportedOperationException();
    }

    /** From now on frames pass; subscriptions behind it are woken. */
    public void open() {
        throw new UnsupportedOperationException();
    }
}
