package dev.tidings.delivery;

import java.util.List;
import java.util.Map;

/**
 * How a subscription begins.
 *
 * <p>Threads: immutable.
 *
 * @param after the cursor: the position of the last entry that the peer has
 * @param frames the first frames, in order
 * @param seen snapshot keys that these show, with their versions; nothing as old or older is sent for them
 * @param until how far the log reached when this was put together: what comes up to there is replay
 * @param leaveOut entries of the replay with a number up to this are left out; 0 for none
 * @param behind what is sent once the replay is over, or before a later piece of a partial: the text so far of partials in
 *     progress
 * @param seenText partials whose text the frames show, with the offset up to which they do; of their pieces only what
 *     goes beyond it is sent
 */
public record Opening(
        long after,
        List<Frame> frames,
        Map<String, Long> seen,
        long until,
        long leaveOut,
        List<Frame> behind,
        Map<String, Long> seenText) {

    /** Copies the collections and checks the positions. */
    public Opening {
        if (after < 0 || until < 0 || leaveOut < 0) {
            throw new IllegalArgumentException("positions start at 1, cursors at 0");
        }
        frames = List.copyOf(frames);
        seen = Map.copyOf(seen);
        behind = List.copyOf(behind);
        seenText = Map.copyOf(seenText);
    }

    /** The bytes of what it shows. */
    long bytes() {
        long bytes = 0;
        for (Frame frame : frames) {
            bytes += frame.size();
        }
        for (Frame frame : behind) {
            bytes += frame.size();
        }
        return bytes;
    }

    /** The same without the text so far: the peer gets what follows, as if that was no longer kept. */
    Opening withoutText() {
        return new Opening(after, frames, seen, until, leaveOut, List.of(), Map.of());
    }
}
