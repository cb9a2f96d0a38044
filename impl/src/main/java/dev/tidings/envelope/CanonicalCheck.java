package dev.tidings.envelope;

import dev.tidings.envelope.Checked.Accepted;
import dev.tidings.envelope.Checked.Refused;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One strict pass over received bytes that decides whether they are one item of canonical DAG-CBOR.
 *
 * <p>The pass is a loop with an explicit stack of {@code maxDepth} places, so no nesting can exhaust the thread's stack, and a
 * declared length is only ever compared with what the message holds: nothing is allocated by it.
 */
final class CanonicalCheck {
    private static final byte[] SIG = "sig".getBytes(StandardCharsets.US_ASCII);
    private static final int INFO_ONE_BYTE = 24;
    private static final int INFO_INDEFINITE = 31;
    private static final int NO_KEY = -1;

    private final byte[] bytes;
    private final int maxDepth;

    // Confined: one check runs on one thread and is thrown away.
    private int at;
    private int depth;
    private long argument;
    private int signatureOffset = -1;
    /** Items still to come at each level; in a map an even number means that a key comes next. */
    private final long[] remaining;

    private final boolean[] map;
    /** Where the last key of each level's map starts, or {@link #NO_KEY}. */
    private final int[] lastKey;

    private CanonicalCheck(byte[] bytes, int maxDepth) {
        this.bytes = bytes;
        this.maxDepth = maxDepth;
        this.remaining = new long[maxDepth];
        this.map = new boolean[maxDepth];
        this.lastKey = new int[maxDepth];
    }

    /** Checks bytes that nobody writes to any more. */
    static Checked<CheckedBytes> check(byte[] bytes, int maxDepth) {
        CanonicalCheck check = new CanonicalCheck(bytes, maxDepth);
        int[] faultAt = {0};
        CborFault fault = check.run(faultAt);
        return fault == null
                ? new Accepted<>(new CheckedBytes(bytes, check.signatureOffset))
                : new Refused<>(Refusal.of(fault, faultAt[0]));
    }

    private @Nullable CborFault run(int[] faultAt) {
        if (bytes.length == 0) {
            return CborFault.EMPTY;
        }
        do {
            faultAt[0] = at;
            CborFault fault = item();
            if (fault != null) {
                return fault;
            }
            while (depth > 0 && remaining[depth - 1] == 0) {
                depth--;
            }
        } while (depth > 0);
        faultAt[0] = at;
        return at == bytes.length ? null : CborFault.TRAILING_BYTES;
    }

    private @Nullable CborFault item() {
        if (at == bytes.length) {
            return CborFault.TRUNCATED;
        }
        boolean isKey = takesKey();
        int start = at;
        int major = Heads.major(bytes, at);
        if (isKey && major != Heads.TEXT) {
            return CborFault.KEY_NOT_TEXT;
        }
        if (major == Heads.SIMPLE) {
            return simple();
        }
        CborFault fault = head(major);
        if (fault != null) {
            return fault;
        }
        return switch (major) {
            case Heads.BYTES -> byteString();
            case Heads.TEXT -> text(isKey, start);
            case Heads.LIST -> open(1, false);
            case Heads.MAP -> open(2, true);
            case Heads.TAG -> link();
            default -> null;
        };
    }

    /** Counts the item that starts here, and tells whether it stands where a map has its key. */
    private boolean takesKey() {
        if (depth == 0) {
            return false;
        }
        int level = depth - 1;
        boolean isKey = map[level] && (remaining[level] & 1) == 0;
        remaining[level]--;
        return isKey;
    }

    /** Reads a head of a major type other than 7: its number into {@link #argument}, in shortest form. */
    private @Nullable CborFault head(int major) {
        int info = bytes[at] & 31;
        if (info < INFO_ONE_BYTE) {
            argument = info;
            at++;
            return null;
        }
        if (info == INFO_INDEFINITE) {
            return major >= Heads.BYTES && major <= Heads.MAP ? CborFault.INDEFINITE_LENGTH : CborFault.RESERVED;
        }
        if (info > 27) {
            return CborFault.RESERVED;
        }
        int size = 1 << (info - INFO_ONE_BYTE);
        if (size > bytes.length - at - 1) {
            return CborFault.TRUNCATED;
        }
        argument = Heads.bigEndian(bytes, at + 1, size);
        // The number must not fit the next smaller form: 24, 2^8, 2^16 and 2^32 are the first that need 1, 2, 4 and 8
        // bytes.
        long smallest = size == 1 ? INFO_ONE_BYTE : 1L << (4 * size);
        if (Long.compareUnsigned(argument, smallest) < 0) {
            return CborFault.NON_MINIMAL;
        }
        at += 1 + size;
        return null;
    }

    private boolean exceedsMessage(int bytesEach) {
        return Long.compareUnsigned(argument, (bytes.length - at) / bytesEach) > 0;
    }

    private @Nullable CborFault byteString() {
        if (exceedsMessage(1)) {
            return CborFault.TRUNCATED;
        }
        boolean memberOfRoot = depth == 1 && map[0];
        if (memberOfRoot && argument == Signature.SIZE && Heads.isText(bytes, lastKey[0], SIG)) {
            signatureOffset = at;
        }
        at += (int) argument;
        return null;
    }

    private @Nullable CborFault text(boolean isKey, int start) {
        if (exceedsMessage(1)) {
            return CborFault.TRUNCATED;
        }
        int from = at;
        at += (int) argument;
        if (!Utf8.valid(bytes, from, at)) {
            return CborFault.INVALID_UTF8;
        }
        return isKey ? keyOrder(start) : null;
    }

    private @Nullable CborFault keyOrder(int key) {
        int previous = lastKey[depth - 1];
        lastKey[depth - 1] = key;
        if (previous == NO_KEY) {
            return null;
        }
        int order = compareKeys(previous, key);
        return order < 0 ? null : order == 0 ? CborFault.KEY_REPEATED : CborFault.KEY_ORDER;
    }

    private int compareKeys(int left, int right) {
        int leftSize = (int) Heads.argument(bytes, left);
        int rightSize = (int) Heads.argument(bytes, right);
        if (leftSize != rightSize) {
            return Integer.compare(leftSize, rightSize);
        }
        int leftFrom = Heads.end(bytes, left);
        int rightFrom = Heads.end(bytes, right);
        return Arrays.compareUnsigned(bytes, leftFrom, leftFrom + leftSize, bytes, rightFrom, rightFrom + rightSize);
    }

    private @Nullable CborFault open(int itemsEach, boolean isMap) {
        if (exceedsMessage(itemsEach)) {
            return CborFault.TRUNCATED;
        }
        if (depth == maxDepth) {
            return CborFault.TOO_DEEP;
        }
        remaining[depth] = argument * itemsEach;
        map[depth] = isMap;
        lastKey[depth] = NO_KEY;
        depth++;
        return null;
    }

    private @Nullable CborFault link() {
        if (argument != 42) {
            return CborFault.UNKNOWN_TAG;
        }
        if (at == bytes.length) {
            return CborFault.TRUNCATED;
        }
        if (Heads.major(bytes, at) != Heads.BYTES) {
            return CborFault.INVALID_LINK;
        }
        CborFault fault = head(Heads.BYTES);
        if (fault != null) {
            return fault;
        }
        if (exceedsMessage(1)) {
            return CborFault.TRUNCATED;
        }
        int from = at;
        at += (int) argument;
        boolean isCid = argument > 0 && bytes[from] == 0 && Cid.wellFormed(bytes, from + 1, at);
        return isCid ? null : CborFault.INVALID_LINK;
    }

    private @Nullable CborFault simple() {
        int info = bytes[at] & 31;
        return switch (info) {
            case 20, 21, 22 -> {
                at++;
                yield null;
            }
            case 23 -> CborFault.UNDEFINED;
            case 25, 26 -> CborFault.SHORT_FLOAT;
            case 27 -> doubleFloat();
            case 28, 29, 30 -> CborFault.RESERVED;
            case INFO_INDEFINITE -> CborFault.INDEFINITE_LENGTH;
            default -> CborFault.SIMPLE_VALUE;
        };
    }

    private @Nullable CborFault doubleFloat() {
        if (bytes.length - at < 9) {
            return CborFault.TRUNCATED;
        }
        double value = Double.longBitsToDouble(Heads.bigEndian(bytes, at + 1, 8));
        at += 9;
        if (!Double.isFinite(value)) {
            return CborFault.NOT_FINITE;
        }
        return CborValue.FloatValue.integral(value) ? CborFault.INTEGRAL_FLOAT : null;
    }
}
