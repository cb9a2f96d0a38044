package dev.tidings.delivery;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that is shown to the subscribers of a channel and is not an entry of its log.
 *
 * <p>Threads: immutable.
 */
public sealed interface Broadcast {

    /** The encoded message. */
    Frame frame();

    /** How much it holds, in bytes. */
    default int bytes() {
        return frame().size();
    }

    /** What must be open for a socket to get it, besides its subscription's own gate; null if nothing more. */
    @Nullable
    Gate gate();

    /**
     * A signal: shown in the order of publication, lost by a socket that lags.
     *
     * @param frame the message
     * @param partial names what the signal is a part of: once a part is lost for a socket, all later ones of the same
     *     partial are, up to and without its last; null if it stands alone
     * @param last whether the partial ends with it
     * @param gate what else must be open
     * @param text what it adds to its partial's text; null for a signal that adds none
     */
    record Signal(
            Frame frame,
            @Nullable String partial,
            boolean last,
            @Nullable Gate gate,
            @Nullable Text text) implements Broadcast {

        /** A signal that adds no text to a partial. */
        public Signal(Frame frame, @Nullable String partial, boolean last, @Nullable Gate gate) {
            this(frame, partial, last, gate, null);
        }
    }

    /**
     * A piece of a partial's text.
     *
     * @param offset where it begins, in UTF-16 units from the beginning of the partial's text
     * @param added the piece
     * @param pieces makes the frame of several adjacent pieces joined
     */
    record Text(long offset, String added, Pieces pieces) {

        /** Where it ends. */
        public long end() {
            return offset + added.length();
        }
    }

    /** Makes the frame of a piece of text. Pure; any thread. */
    @FunctionalInterface
    interface Pieces {

        /** The frame that adds this text at this offset. */
        Frame frame(long offset, String added);
    }

    /**
     * A snapshot: the latest of its key wins, by version, whatever the order of publication (law 4).
     *
     * @param snapshotKey what it is a snapshot of
     * @param version higher is newer; one that is not higher than what the stream has is ignored
     * @param frame the message; with views, one of theirs
     * @param gate what else must be open
     * @param views the messages by the view of a subscription, where they differ: one whose view is not here gets none;
     *     null if everybody gets the same
     */
    record Snapshot(
            String snapshotKey,
            long version,
            Frame frame,
            @Nullable Gate gate,
            @Nullable Map<String, Frame> views) implements Broadcast {

        /** Copies the views. */
        public Snapshot {
            views = views == null ? null : Map.copyOf(views);
        }

        /** A snapshot that is the same for everybody. */
        public Snapshot(String snapshotKey, long version, Frame frame, @Nullable Gate gate) {
            this(snapshotKey, version, frame, gate, null);
        }

        /** The message for a view, if there is one. */
        @Nullable
        Frame frameOrNull(String view) {
            return views == null ? frame : views.get(view);
        }

        @Override
        public int bytes() {
            if (views == null) {
                return frame.size();
            }
            Set<Frame> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
            distinct.addAll(views.values());
            return distinct.stream().mapToInt(Frame::size).sum();
        }
    }
}
