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
    private final int copies;
    private final CopyRoom room;
    // Confined, all of them: the drain.
    private final List<Frame> frames = new ArrayList<>();
    // Made when something is in them, which is seldom.
    private List<Frame> large = List.of();
    private List<Joined> joined = List.of();
    private int bytes;
    private int ownBytes;
    private int largeBytes;
    private int largest;
    private long copyRoom;
    private long lacking;
    private int turnEnds;
    private int quantum;

    /** What the batch took, for the counters. */
    // Confined, all of them: the drain.
    long fromWindow;

    long fromLog;
    long merged;
    long dropped;

    /**
     * An empty one.
     *
     * @param copies how many copies the container makes of a frame
     * @param room where room for those of large frames is taken
     */
    Batch(int maxBytes, int copies, CopyRoom room) {
        this.maxBytes = maxBytes;
        this.copies = copies;
        this.room = room;
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
        Offer offer = take(more, moreBytes);
        if (offer == Offer.TAKEN && moreBytes > Frame.LARGE_BYTES) {
            noteLarge(more);
        }
        return offer;
    }

    private void noteLarge(List<Frame> more) {
        for (Frame frame : more) {
            if (frame.large()) {
                if (large.isEmpty()) {
                    large = new ArrayList<>(1);
                }
                large.add(frame);
                largeBytes += frame.size();
            }
        }
    }

    private Offer take(List<Frame> more, int moreBytes) {
        Offer offer = room(moreBytes, moreBytes > Frame.LARGE_BYTES ? largestOf(more) : moreBytes);
        if (offer == Offer.TAKEN) {
            // One by one: nearly always it is one, and addAll would copy it first, for each entry and socket.
            for (int i = 0; i < more.size(); i++) {
                frames.add(more.get(i));
            }
            bytes += moreBytes;
        }
        return offer;
    }

    private static int largestOf(List<Frame> frames) {
        int most = 0;
        for (Frame frame : frames) {
            most = Math.max(most, frame.size());
        }
        return most;
    }

    /** Takes frames that nobody else holds. */
    Offer offerOwn(Frame frame) {
        Offer offer = take(List.of(frame), frame.size());
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
        int most = 0;
        for (Merge merge : merges) {
            all += merge.bytes();
            most = Math.max(most, merge.bytes());
        }
        Offer offer = room(all, most);
        if (offer == Offer.TAKEN) {
            if (joined.isEmpty()) {
                joined = new ArrayList<>(merges.size());
            }
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

    private Offer room(int moreBytes, int largestFrame) {
        if (!frames.isEmpty() && (long) bytes + moreBytes > maxBytes) {
            return Offer.FULL;
        }
        if (bytes >= turnEnds) {
            return Offer.TURN_OVER;
        }
        if (largestFrame > largest) {
            if (!copyable(largestFrame)) {
                return Offer.FULL;
            }
            largest = largestFrame;
        }
        return Offer.TAKEN;
    }

    /** A container copies one frame at a time: the largest one tells how much room there must be. */
    private boolean copyable(int size) {
        if (copies == 0 || size <= Frame.LARGE_BYTES) {
            return true;
        }
        long need = (long) copies * size - copyRoom;
        if (!room.take(need)) {
            lacking = need;
            return false;
        }
        copyRoom += need;
        return true;
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

    /** The large frames that it shares with others. */
    List<Frame> large() {
        return large;
    }

    /** Their bytes, as far as the batch is concerned. */
    int largeBytes() {
        return largeBytes;
    }

    /** Whether there was no room for the copies of a frame. */
    boolean heldBack() {
        return lacking > 0;
    }

    /** How much room for copies it would have needed; 0 if it found all that it needed. */
    long lacking() {
        return lacking;
    }

    /** The room that was taken for copies; to be given back when they are gone. */
    long copyRoom() {
        return copyRoom;
    }

    /** All that it may keep in memory if nothing else does, but for its large frames: those are counted once for all. */
    long allBytes() {
        return (long) bytes - largeBytes + (long) copies * largest;
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
