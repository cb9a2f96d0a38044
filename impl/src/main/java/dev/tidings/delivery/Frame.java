package dev.tidings.delivery;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One encoded message, shared by every socket that gets it.
 *
 * <p>Shape: the UTF-8 bytes of one text message, and the bytes of a binary one that says the same, made when it is
 * asked for and kept while it is sent. Encoded once an event, never once a socket.
 *
 * <p>Threads: safe; the bytes never change.
 */
public final class Frame {
    private final byte[] utf8;
    // Volatile: derived from utf8, so whoever computes it computes the same.
    private volatile @Nullable String text;

    // Volatile: likewise. Kept while somebody sends it and no longer: the node's budget counts the UTF-8 bytes alone.
    private volatile @Nullable WeakReference<byte[]> binary;

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

    /**
     * The same message in a binary form, with a position of its own; made once and shared by all who send it at about the
     * same time, so that nobody may change it. It has an array all the same: Open Liberty asks for that, and loses a thread of
     * its own over a buffer that is read-only.
     *
     * @param form makes it of the UTF-8 bytes, which it must not change; the same for all who ask
     */
    public ByteBuffer binary(UnaryOperator<byte[]> form) {
        WeakReference<byte[]> kept = binary;
        byte[] known = kept == null ? null : kept.get();
        if (known == null) {
            known = form.apply(utf8);
            binary = new WeakReference<>(known);
        }
        return ByteBuffer.wrap(known);
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
