package dev.tidings.protocol.conversations;

import java.util.Arrays;

/**
 * The positions of a view, and which of them are stored rows: one bit each, since what was only passing is forgotten once it
 * has left the memory, and its position shows nothing from then on.
 *
 * <p>Positions up to the base are rows, one for one; behind it come rows and passing events as they happened.
 *
 * <p>Threads: none of its own; guarded by the lock of the tape.
 */
final class Positions {
    private final long base;
    // Confined, all of them: under the tape's lock.
    private long count;
    private long[] words = new long[1];
    private long[] rowsBefore = new long[1];
    private long rows;

    Positions(long base) {
        this.base = base;
        this.rows = base;
        rowsBefore[0] = base;
    }

    /** The last position. */
    long head() {
        return base + count;
    }

    /** How many rows there are, up to the head. */
    long rows() {
        return rows;
    }

    /** Adds a position behind the last, and gives it. */
    long add(boolean row) {
        int word = (int) (count >>> 6);
        if (word == words.length) {
            words = Arrays.copyOf(words, word * 2);
            rowsBefore = Arrays.copyOf(rowsBefore, word * 2);
        }
        if ((count & 63) == 0) {
            rowsBefore[word] = rows;
        }
        if (row) {
            words[word] |= 1L << (count & 63);
            rows++;
        }
        count++;
        return base + count;
    }

    /** Whether there is a row at a position, from 1 to the head. */
    boolean isRow(long position) {
        long index = position - base - 1;
        return index < 0 || (words[(int) (index >>> 6)] >>> (index & 63) & 1) == 1;
    }

    /** How many rows there are up to a position, from 0 to the head. */
    long rowsUpTo(long position) {
        long index = position - base;
        if (index <= 0) {
            return position;
        }
        if (index == count) {
            return rows;
        }
        int word = (int) (index >>> 6);
        long below = (1L << (index & 63)) - 1;
        return rowsBefore[word] + Long.bitCount(words[word] & below);
    }

    /** The position of a row, from 0 to {@link #rows}; 0 for the row 0. */
    long positionOf(long row) {
        if (row <= base) {
            return row;
        }
        int low = 0;
        int high = (int) ((count - 1) >>> 6);
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (rowsBefore[middle] < row) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        long left = row - rowsBefore[low];
        long word = words[low];
        for (long passed = 1; passed < left; passed++) {
            word &= word - 1;
        }
        return base + ((long) low << 6) + Long.numberOfTrailingZeros(word) + 1;
    }
}
