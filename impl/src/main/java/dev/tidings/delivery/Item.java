package dev.tidings.delivery;

import java.util.List;

/**
 * What a window holds at one index.
 *
 * <p>Threads: immutable.
 */
sealed interface Item {

    /** What shows it, in order. */
    List<Frame> frames();

    /** The sum of the frames' sizes. */
    int bytes();

    /**
     * An entry that shows something.
     *
     * @param from the first position that it stands for: entries before it that show nothing are covered by it
     * @param position its own position
     * @param seq its number, 0 if it has none
     */
    record Entry(long from, long position, long seq, List<Frame> frames, int bytes) implements Item {}

    /**
     * A signal.
     *
     * @param signal what was published
     * @param partialFrom the index of the first signal of its partial
     */
    record Signal(Broadcast.Signal signal, long partialFrom) implements Item {
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
     */
    record Snapshot(Broadcast.Snapshot snapshot, int bytes) implements Item {
        Snapshot(Broadcast.Snapshot snapshot) {
            this(snapshot, snapshot.bytes());
        }

        @Override
        public List<Frame> frames() {
            return List.of(snapshot.frame());
        }
    }
}
