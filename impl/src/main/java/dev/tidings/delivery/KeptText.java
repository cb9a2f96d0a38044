package dev.tidings.delivery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of text that have left the window, joined: one running text for each partial, and where in it each piece began.
 *
 * <p>Nothing but pieces of text stood between them that anybody could still be sent, so a subscription that lacks some of
 * them may take its partials one after the other: all of each from the first piece that it lacks.
 *
 * <p>Threads: none of its own; guarded by the lock of its stream.
 */
final class KeptText implements Item {
    private static final int RUN_BYTES = 256;
    private static final int PIECE_BYTES = 8;
    // The offset of a later piece may have more digits than that of the first.
    private static final int SLACK = 16;

    private final long first;
    private final long behind;
    private final Map<String, Run> runs = new LinkedHashMap<>();

    // Confined, all of them: under the stream's lock.
    private long last;
    private long signalsBehind;
    private int frameBytes;
    private int heldBytes;

    /**
     * @param first the index of its first piece
     * @param behind the position of the last entry before it
     */
    KeptText(long first, long behind) {
        this.first = first;
        this.behind = behind;
        this.last = first;
    }

    /** The running text of one partial. Confined: under the stream's lock. */
    final class Run {
        private final String partial;
        private final @Nullable Gate gate;
        private final Broadcast.Text begins;
        private final long partialFrom;
        private final StringBuilder text = new StringBuilder();
        // Of each piece, its index from the first of all, and where it ends in the text.
        private int[] indexes = new int[8];
        private int[] ends = new int[8];
        private int pieces;
        private int bytes;

        private Run(String partial, Item.Signal item, Broadcast.Text begins) {
            this.partial = partial;
            this.gate = item.signal().gate();
            this.begins = begins;
            this.partialFrom = item.partialFrom();
            this.bytes = item.bytes() + SLACK;
        }

        String partial() {
            return partial;
        }

        @Nullable
        Gate gate() {
            return gate;
        }

        /** The index at which its partial began. */
        long partialFrom() {
            return partialFrom;
        }

        /** The index of its last piece. */
        long lastIndex() {
            return first + indexes[pieces - 1];
        }

        private boolean goesOn(Item.Signal item, Broadcast.Text piece) {
            return gate == item.signal().gate()
                    && partialFrom == item.partialFrom()
                    && piece.offset() == begins.offset() + text.length();
        }

        private int add(long index, Item.Signal item, Broadcast.Text piece) {
            if (pieces == ends.length) {
                // Both made before either is put in place: memory may be short.
                int[] moreIndexes = Arrays.copyOf(indexes, pieces * 2);
                int[] moreEnds = Arrays.copyOf(ends, pieces * 2);
                indexes = moreIndexes;
                ends = moreEnds;
            }
            int more = pieces == 0 ? bytes : Math.min(item.bytes(), Merge.escapedBytes(piece.added()));
            text.append(piece.added());
            indexes[pieces] = (int) (index - first);
            ends[pieces] = text.length();
            bytes += pieces == 0 ? 0 : more;
            pieces++;
            return more;
        }

        /** How many pieces it has from an index on. */
        int piecesFrom(long index) {
            return pieces - before(index);
        }

        private int before(long index) {
            int piece = 0;
            while (piece < pieces && first + indexes[piece] < index) {
                piece++;
            }
            return piece;
        }

        /** Its text from an index on, and not before an offset; null if there is none. */
        @Nullable
        Merge fromOrNull(long index, long shown) {
            int piece = before(index);
            int begin = piece == 0 ? 0 : ends[piece - 1];
            long from = Math.max(begins.offset() + begin, shown);
            int cut = (int) (from - begins.offset());
            if (cut >= text.length()) {
                return null;
            }
            Broadcast.Text joined = new Broadcast.Text(from, text.substring(cut), begins.pieces());
            return new Merge(joined, pieces - piece, bytes);
        }
    }

    /** Whether a piece can be added and at most so many bytes come of it all. */
    boolean goesOn(Item.Signal item, Broadcast.Text piece, int mostBytes) {
        Run run = runs.get(item.signal().partial());
        return behind == item.behind()
                && frameBytes + item.bytes() <= mostBytes
                && (run == null || run.goesOn(item, piece));
    }

    /** Adds a piece that goes on; how many more bytes are held. */
    int add(long index, String partial, Item.Signal item, Broadcast.Text piece) {
        Run run = runs.get(partial);
        int more = 0;
        if (run == null) {
            run = new Run(partial, item, piece);
            more = RUN_BYTES;
        }
        int added = run.add(index, item, piece);
        runs.put(partial, run);
        last = index;
        signalsBehind = item.number() + 1;
        frameBytes += added;
        more += added + PIECE_BYTES;
        heldBytes += more;
        return more;
    }

    /** The texts, the partial whose piece came first first. */
    List<Run> runs() {
        return new ArrayList<>(runs.values());
    }

    /** The index of its first piece. */
    long first() {
        return first;
    }

    /** The index of its last piece. */
    long last() {
        return last;
    }

    /** The number of the signal behind its last piece. */
    long signalsBehind() {
        return signalsBehind;
    }

    /** The bytes that it holds. */
    int heldBytes() {
        return heldBytes;
    }

    @Override
    public long behind() {
        return behind;
    }

    /** None until somebody needs them. */
    @Override
    public List<Frame> frames() {
        return List.of();
    }

    /** The most that the frames of all its texts take. */
    @Override
    public int bytes() {
        return frameBytes;
    }
}
