package dev.tidings.envelope;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable run of bytes, compared by content.
 *
 * <p>Threads: immutable.
 */
public final class Bytes {
    private static final Bytes EMPTY = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /** A copy of the given bytes. */
    public static Bytes copyOf(byte[] source) {
        return source.length == 0 ? EMPTY : new Bytes(source.clone());
    }

    /** Takes over an array that nobody else holds. */
    static Bytes owning(byte[] fresh) {
        return new Bytes(fresh);
    }

    /** The number of bytes. */
    public int size() {
        return content.length;
    }

    /** A copy of the bytes. */
    public byte[] toByteArray() {
        return content.clone();
    }

    /** The bytes themselves, for readers in this package that do not write to them. */
    byte[] shared() {
        return content;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(content, that.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /** Lower-case hexadecimal. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(content);
    }
}
