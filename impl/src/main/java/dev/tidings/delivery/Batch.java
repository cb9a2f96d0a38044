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

    private record Joined(int at, Merge merge) {}

    /** Stands where a joined frame will be. */
    private static final Frame PLACE = Frame.ofText("");

    private final int maxBytes;
    // Confined, all of them: the drain.
    private final List<Frame> frames = new ArrayList<>();
    private final List<Joined> joined = new ArrayList<>();
    private int bytes;
    private int ownBytes;
    private int turnEnds;
    private int quantum;

    /** What the batch took, for the counters. */
    // Confined, all of them: the drain.
    long fromWindow;

    long fromLog;
    long merged;
    long dropped;

    Batch(int maxBytes) {
        this.maxBytes = maxBytes;
        this.turnEnds = maxBytes;
        this.quantum = maxBytes;
    }

    /** Begins the turn of the next subscription. */
    void beginTurn(int turnBytes) {
        quantum = turnBytes;
        turnEnds = bytes + turnBytes;
    }

    /** What a turn may hold: a subscription for which more waits than that lags. */
    int quantum() {
        return quantum;
    }

    /** Takes frames, all or none. */
    Offer offer(List<Frame> more, int moreBytes) {
        Offer offer = room(moreBytes);
        if (offer == Offer.TAKEN) {
            frames.addAll(more);
            bytes += moreBytes;
        }
        return offer;
    }

    /** Takes frames that nobody else holds. */
    Offer offerOwn(Frame frame) {
        Offer offer = offer(List.of(frame), frame.size());
        if (offer == Offer.TAKEN) {
            ownBytes += frame.size();
        }
        return offer;
    }

    /** Takes pieces of text that become one frame. */
    Offer offer(Merge merge) {
        return offerJoined(List.of(merge));
    }

    /** The same for several texts, all or none. */
    Offer offerJoined(List<Merge> merges) {
        int all = 0;
        for (Merge merge : merges) {
            all += merge.bytes();
        }
        Offer offer = room(all);
        if (offer == Offer.TAKEN) {
            for (Merge merge : merges) {
                joined.add(new Joined(frames.size(), merge));
                frames.add(PLACE);
                merged += merge.pieces();
            }
            bytes += all;
            ownBytes += all;
        }
        return offer;
    }

    private Offer room(int moreBytes) {
        if (!frames.isEmpty() && (long) bytes + moreBytes > maxBytes) {
            return Offer.FULL;
        }
        return bytes >= turnEnds ? Offer.TURN_OVER : Offer.TAKEN;
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    int size() {
        return frames.size();
    }

    int bytes() {
        return bytes;
    }

    /** The bytes that live in this batch alone. */
    int ownBytes() {
        return ownBytes;
    }

    /**
     * The frames, in order, but for those that were withdrawn; perhaps none. Calls protocols if there is text to be joined: not
     * under a lock.
     */
    List<Frame> frames(Trouble trouble) {
        List<Frame> made = made(trouble);
        for (Frame frame : made) {
            if (frame.withdrawn()) {
                return made.stream().filter(each -> !each.withdrawn()).toList();
            }
        }
        return List.copyOf(made);
    }

    private List<Frame> made(Trouble trouble) {
        if (joined.isEmpty()) {
            return frames;
        }
        List<Frame> all = new ArrayList<>(frames.size());
        int from = 0;
        for (Joined one : joined) {
            all.addAll(frames.subList(from, one.at()));
            try {
                all.add(one.merge().made());
            } catch (RuntimeException | Error bug) {
                if (one.merge().originals().isEmpty()) {
                    // Nothing else says it: the socket is given up, and comes back.
                    throw bug;
                }
                // The pieces themselves say the same at greater length.
                trouble.survived(bug, "a protocol cannot join pieces of text");
                all.addAll(one.merge().originals());
            }
            from = one.at() + 1;
        }
        all.addAll(frames.subList(from, frames.size()));
        return all;
    }
}
