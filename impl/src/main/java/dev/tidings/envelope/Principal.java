package dev.tidings.envelope;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who signs or owns: an Ed25519 public key with its two-byte multicodec prefix.
 *
 * <p>Shape: 34 bytes, {@code ed 01} and the key; text form base58btc multibase, {@code z…}. A principal may name a key that
 * is no curve point; verification decides that.
 *
 * <p>Threads: immutable.
 */
public final class Principal {
    /** The length of the binary form. */
    public static final int SIZE = 34;

    private static final int PREFIX_SIZE = 2;

    private final byte[] raw;
    private final String text;

    private Principal(byte[] raw) {
        this.raw = raw;
        this.text = "z" + Base58.encode(raw);
    }

    /** The principal with this binary form; absent when the bytes are none. */
    public static Optional<Principal> fromBytes(byte[] bytes) {
        return Optional.ofNullable(fromBytesOrNull(bytes));
    }

    static @Nullable Principal fromBytesOrNull(byte[] bytes) {
        boolean matches = bytes.length == SIZE && bytes[0] == (byte) 0xed && bytes[1] == 1;
        return matches ? new Principal(bytes.clone()) : null;
    }

    /** The principal with this text form; absent when the text is none. */
    public static Optional<Principal> parse(String text) {
        if (!text.startsWith("z")) {
            return Optional.empty();
        }
        byte[] decoded = Base58.decodeOrNull(text.substring(1));
        return decoded == null ? Optional.empty() : fromBytes(decoded);
    }

    /** The text form, {@code z…}. */
    public String text() {
        return text;
    }

    /** The binary form, 34 bytes. */
    public Bytes bytes() {
        return Bytes.copyOf(raw);
    }

    /** Where the 32 key bytes begin in {@link #shared()}. */
    static int keyOffset() {
        return PREFIX_SIZE;
    }

    byte[] shared() {
        return raw;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Principal that && Arrays.equals(raw, that.raw);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(raw);
    }

    @Override
    public String toString() {
        return text;
    }
}
