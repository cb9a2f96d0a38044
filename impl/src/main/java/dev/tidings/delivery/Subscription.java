package dev.tidings.delivery;

import java.util.List;
import java.util.Map;

/**
 * A cursor over one channel, for one socket.
 *
 * <p>It is registered when it is made and sends nothing until {@link #start}: what is stored or published in between
 * waits in the window, so the caller reads the head and the snapshots it needs <em>after</em> registering and misses
 * nothing.
 *
 * <p>Threads: any; {@link #start} once.
 */
public final class Subscription {
    Subscription() {}

    /**
     * Sends the opening, then every entry behind the cursor, then what comes.
     *
     * @param afterPosition the cursor: the position of the last entry that the peer has
     * @param opening the first frames, in order
     * @param seen snapshot keys that the opening shows, with their versions; nothing as old or older is sent for them
     */
    public void start(long afterPosition, List<Frame> opening, Map<String, Long> seen) {
        throw new UnsupportedOperationException();
    }

    /** Takes the subscription away; nothing of it is sent any more. */
    public void cancel() {
        throw new UnsupportedOperationException();
    }
}
