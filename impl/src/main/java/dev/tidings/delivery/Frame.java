package dev.tidings.delivery;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One encoded message, shared by every socket that gets it.
 *
 * <p>Shape: the UTF-8 bytes of one text message. Encoded once an event, never once a socket.
 *
 * <p>Threads: safe; the bytes never change.
 */
public final class Frame {
    private final byte[] utf8;
    // Volatile: derived from utf8, so whoever computes it computes the same.
    private volatile @org.jspecify.annotations.Nullable String text;

    private Frame(byte[] utf8) {
        this.utf8 = utf8;
    }

    /** A frame over bytes that the caller never changes again. */
    public static Frame ofUtf8(byte[] utf8) {
        return new Frame(utf8);
    }

    /** A frame of that text. */
    public static Frame ofText(String text) {
        return new Frame(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes, read-only, with a position of their own. */
    public ByteBuffer utf8() {
        return ByteBuffer.wrap(utf8).asReadOnlyBuffer();
    }

    /** The text, made once and shared by all sockets that need it. */
    public String text() {
        String known = text;
        if (known == null) {
            known = new String(utf8, StandardCharsets.UTF_8);
            text = known;
        }
        return known;
    }

    /** The number of UTF-8 bytes. */
    public int size() {
        return utf8.length;
    }

    @Override
    public String toString() {
        return "Frame[" + utf8.length + " bytes]";
    }
}
