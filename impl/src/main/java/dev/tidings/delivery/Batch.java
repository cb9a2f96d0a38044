package dev.tidings.delivery;

import java.util.ArrayList;
import java.util.List;

/**
 * What goes out in one send, while it is put together.
 *
 * <p>Bounded in bytes, unless what shows a single item is larger. Each subscription has a turn, so that one with much
 * to send leaves room for the others.
 *
 * <p>Threads: confined to the drain that fills it.
 */
final class Batch {

    /** What became of an offer. */
    enum Offer {
        /** The frames are part of the batch. */
        TAKEN,
        /** The turn is over. */
        TURN_OVER,
        /** The batch has no room for it. */
        FULL
    }

    private final int maxBytes;
    // Confined: the drain.
    private final List<Frame> frames = new ArrayList<>();
    private int bytes;
    private int turnEnds;

    Batch(int maxBytes) {
        this.maxBytes = maxBytes;
        this.turnEnds = maxBytes;
    }

    /** Begins the turn of the next subscription. */
    void beginTurn(int quantum) {
        turnEnds = bytes + quantum;
    }

    /** Takes frames, all or none. */
    Offer offer(List<Frame> more, int moreBytes) {
        if (!frames.isEmpty() && (long) bytes + moreBytes > maxBytes) {
            return Offer.FULL;
        }
        if (bytes >= turnEnds) {
            return Offer.TURN_OVER;
        }
        assert frames.isEmpty() || bytes + moreBytes <= maxBytes : "a batch is bounded";
        frames.addAll(more);
        bytes += moreBytes;
        return Offer.TAKEN;
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    /** The frames, in order. */
    List<Frame> frames() {
        return List.copyOf(frames);
    }
}
