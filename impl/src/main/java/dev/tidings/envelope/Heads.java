package dev.tidings.envelope;

import java.util.Arrays;

/**
 * Structure of checked bytes: where an item's content starts and where the item ends. Nothing is validated here; the
 * callers hold {@link CheckedBytes}.
 */
final class Heads {
    static final int UNSIGNED = 0;
    static final int NEGATIVE = 1;
    static final int BYTES = 2;
    static final int TEXT = 3;
    static final int LIST = 4;
    static final int MAP = 5;
    static final int TAG = 6;
    static final int SIMPLE = 7;

    private Heads() {}

    static int major(byte[] bytes, int at) {
        return (bytes[at] & 0xff) >> 5;
    }

    /** Where the head that starts at {@code at} ends. */
    static int end(byte[] bytes, int at) {
        int info = bytes[at] & 31;
        return at + 1 + (info < 24 ? 0 : 1 << (info - 24));
    }

    /** The number in the head; for text, bytes, lists and maps of checked bytes it fits an int. */
    static long argument(byte[] bytes, int at) {
        int info = bytes[at] & 31;
        if (info < 24) {
            return info;
        }
        return bigEndian(bytes, at + 1, 1 << (info - 24));
    }

    static long bigEndian(byte[] bytes, int from, int size) {
        long value = 0;
        for (int i = from; i < from + size; i++) {
            value = (value << 8) | (bytes[i] & 0xff);
        }
        return value;
    }

    /** Where the item that starts at {@code start} ends. */
    static int itemEnd(byte[] bytes, int start) {
        long pending = 1;
        int at = start;
        while (pending > 0) {
            pending--;
            int major = major(bytes, at);
            long argument = major == SIMPLE ? 0 : argument(bytes, at);
            at = end(bytes, at);
            switch (major) {
                case BYTES, TEXT -> at += (int) argument;
                case LIST -> pending += argument;
                case MAP -> pending += 2 * argument;
                case TAG -> pending++;
                default -> {}
            }
        }
        return at;
    }

    /** Whether the text item that starts at {@code at} is these UTF-8 bytes. */
    static boolean isText(byte[] bytes, int at, byte[] utf8) {
        int from = end(bytes, at);
        int size = (int) argument(bytes, at);
        return size == utf8.length && Arrays.equals(bytes, from, from + size, utf8, 0, size);
    }

    /** Whether two items are the same bytes, which is to say, the same value. */
    static boolean sameItem(byte[] left, int leftStart, byte[] right, int rightStart) {
        return Arrays.equals(left, leftStart, itemEnd(left, leftStart), right, rightStart, itemEnd(right, rightStart));
    }
}
