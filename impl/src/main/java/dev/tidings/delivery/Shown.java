package dev.tidings.delivery;

import java.util.List;

/**
 * An entry of the log as one protocol shows it.
 *
 * <p>Threads: immutable.
 *
 * @param position its position
 * @param seq its number, 0 if it has none
 * @param frames what shows it; empty if nothing does
 * @param bytes the sum of the frames' sizes
 */
record Shown(long position, long seq, List<Frame> frames, int bytes) {

    static Shown of(long position, List<Frame> frames) {
        return of(position, 0, frames);
    }

    static Shown of(long position, long seq, List<Frame> frames) {
        int bytes = 0;
        for (Frame frame : frames) {
            bytes = Math.addExact(bytes, frame.size());
        }
        return new Shown(position, seq, List.copyOf(frames), bytes);
    }
}
