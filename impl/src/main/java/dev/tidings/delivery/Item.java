package dev.tidings.delivery;

import java.util.List;

/**
 * What a stream holds at one index, or what it keeps of several.
 *
 * <p>Threads: immutable, but for {@link KeptText}.
 */
sealed interface Item permits Item.Entry, Item.Signal, Item.Snapshot, KeptText {

    /** What shows it, in order. */
    List<Frame> frames();

    /** The sum of the frames' sizes. */
    int bytes();

    /** The position of the last entry before it. */
    long behind();

    /**
     * An entry that shows something.
     *
     * @param from the first position that it stands for: entries before it that show nothing are covered by it
     * @param position its own position
     * @param seq its number, 0 if it has none
     */
    record Entry(long from, long position, long seq, List<Frame> frames, int bytes) implements Item {
        @Override
        public long behind() {
            return position - 1;
        }
    }

    /**
     * A signal.
     *
     * @param signal what was published
     * @param partialFrom the index of the first signal of its partial
     * @param behind the position of the last entry before it
     * @param number how many signals the stream had shown before it
     */
    record Signal(Broadcast.Signal signal, long partialFrom, long behind, long number) implements Item {
        @Override
        public List<Frame> frames() {
            return List.of(signal.frame());
        }

        @Override
        public int bytes() {
            return signal.frame().size();
        }
    }

    /**
     * A snapshot.
     *
     * @param snapshot what was published
     * @param bytes its bytes, added up once: with many views that takes long, and is asked for under locks
     * @param behind the position of the last entry before it
     */
    record Snapshot(Broadcast.Snapshot snapshot, int bytes, long behind) implements Item {
        Snapshot(Broadcast.Snapshot snapshot, long behind) {
            this(snapshot, snapshot.bytes(), behind);
        }

        @Override
        public List<Frame> frames() {
            return List.of(snapshot.frame());
        }
    }
}
