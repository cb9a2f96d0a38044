package dev.tidings.envelope;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A content identifier: the target of a DAG-CBOR link.
 *
 * <p>Shape: binary form without the leading zero byte that DAG-CBOR puts before it. Version 0 is a SHA-256 multihash of 34
 * bytes and reads {@code Qm…} in base58btc; version 1 reads {@code b…} in base32.
 *
 * <p>Threads: immutable.
 */
public record Cid(Bytes bytes) {
    /** Version 1, DAG-CBOR, SHA-256, 32 bytes. */
    private static final byte[] PREFIX = {1, 0x71, 0x12, 32};

    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

    /** @throws IllegalArgumentException if the bytes are no CID */
    public Cid {
        if (!wellFormed(bytes.shared(), 0, bytes.size())) {
            throw new IllegalArgumentException("not a CID");
        }
    }

    /** The version 1 CID of a block of DAG-CBOR, by SHA-256. */
    static Cid ofDagCbor(Bytes block) {
        byte[] raw = new byte[PREFIX.length + 32];
        System.arraycopy(PREFIX, 0, raw, 0, PREFIX.length);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(block.shared());
            System.arraycopy(digest, 0, raw, PREFIX.length, digest.length);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
        return new Cid(Bytes.owning(raw));
    }

    /** Reads the text form; absent when the text is no CID in base32 or base58btc. */
    public static Optional<Cid> parse(String text) {
        byte @Nullable [] raw = null;
        if (text.startsWith("b")) {
            raw = base32OrNull(text);
        } else if (text.startsWith("z")) {
            raw = Base58.decodeOrNull(text.substring(1));
        } else if (text.startsWith("Qm")) {
            raw = Base58.decodeOrNull(text);
        }
        return raw != null && wellFormed(raw, 0, raw.length)
                ? Optional.of(new Cid(Bytes.owning(raw)))
                : Optional.empty();
    }

    /** The text form: base58btc for version 0, base32 in lower case for version 1. */
    public String text() {
        byte[] raw = bytes.shared();
        return versionZero(raw, 0, raw.length) ? Base58.encode(raw) : base32(raw);
    }

    @Override
    public String toString() {
        return text();
    }

    /** Whether bytes [from, to) are a CID: version 0, or 1 with codec, hash code and a digest of the declared length. */
    static boolean wellFormed(byte[] raw, int from, int to) {
        if (versionZero(raw, from, to)) {
            return true;
        }
        if (from >= to || raw[from] != 1) {
            return false;
        }
        int afterCodec = varintEnd(raw, from + 1, to);
        int afterHash = afterCodec < 0 ? -1 : varintEnd(raw, afterCodec, to);
        int afterLength = afterHash < 0 ? -1 : varintEnd(raw, afterHash, to);
        return afterLength >= 0 && varint(raw, afterHash, afterLength) == to - afterLength;
    }

    private static boolean versionZero(byte[] raw, int from, int to) {
        return to - from == 34 && raw[from] == 0x12 && raw[from + 1] == 0x20;
    }

    /** Where the minimal varint of at most nine bytes that starts at {@code from} ends, or -1. */
    private static int varintEnd(byte[] raw, int from, int to) {
        for (int i = from; i < to && i < from + 9; i++) {
            if (raw[i] >= 0) {
                return raw[i] == 0 && i > from ? -1 : i + 1;
            }
        }
        return -1;
    }

    private static long varint(byte[] raw, int from, int end) {
        long value = 0;
        for (int i = end - 1; i >= from; i--) {
            value = (value << 7) | (raw[i] & 0x7f);
        }
        return value;
    }

    private static String base32(byte[] raw) {
        StringBuilder text = new StringBuilder(raw.length * 8 / 5 + 2).append('b');
        int buffer = 0;
        int bits = 0;
        for (byte b : raw) {
            buffer = (buffer << 8) | (b & 0xff);
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                text.append(BASE32.charAt(buffer >> bits & 31));
            }
            buffer &= (1 << bits) - 1;
        }
        if (bits > 0) {
            text.append(BASE32.charAt(buffer << (5 - bits) & 31));
        }
        return text.toString();
    }

    private static byte @Nullable [] base32OrNull(String text) {
        byte[] raw = new byte[(text.length() - 1) * 5 / 8];
        int buffer = 0;
        int bits = 0;
        int used = 0;
        for (int i = 1; i < text.length(); i++) {
            int digit = BASE32.indexOf(text.charAt(i));
            if (digit < 0) {
                return null;
            }
            buffer = (buffer << 5) | digit;
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                raw[used++] = (byte) (buffer >> bits);
            }
            buffer &= (1 << bits) - 1;
        }
        return buffer == 0 && bits < 5 ? raw : null;
    }
}
