package dev.tidings.delivery;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One encoded message, shared by every socket that gets it.
 *
 * <p>Shape: the UTF-8 bytes of one text message, and its text and the bytes of a binary one that says the same, made when
 * they are asked for and kept while they are sent. Encoded once an event, never once a socket. What it tells of may be
 * deleted: then it is withdrawn, wherever it waits.
 *
 * <p>Threads: safe; the bytes never change.
 */
public final class Frame {

    /**
     * A frame of more bytes than this is large: it is never copied where that can be helped, and is counted in the node's
     * bound as long as a send in flight holds it.
     */
    public static final int LARGE_BYTES = 64 << 10;

    private static final BooleanSupplier NEVER = () -> false;

    private static final AtomicIntegerFieldUpdater<Frame> SENDS =
            AtomicIntegerFieldUpdater.newUpdater(Frame.class, "sends");

    private final byte[] utf8;
    private final BooleanSupplier withdrawn;

    // Volatile: changed by SENDS alone; the sends in flight that hold the frame, if it is large.
    @SuppressWarnings("UnusedVariable")
    private volatile int sends;

    // Volatile, both of them: derived from utf8, so whoever computes it computes the same. Kept while somebody sends it
    // and no longer: the node's budget counts the UTF-8 bytes alone.
    private volatile @Nullable WeakReference<String> text;
    private volatile @Nullable WeakReference<byte[]> binary;

    private Frame(byte[] utf8, BooleanSupplier withdrawn) {
        this.utf8 = utf8;
        this.withdrawn = withdrawn;
    }

    /** A frame over bytes that the caller never changes again. */
    public static Frame ofUtf8(byte[] utf8) {
        return new Frame(utf8, NEVER);
    }

    /** A frame of that text. */
    public static Frame ofText(String text) {
        return ofText(text, NEVER);
    }

    /**
     * A frame of that text, until what it tells of is deleted.
     *
     * @param withdrawn whether it is; asked whenever the frame is about to be sent, takes no lock, never goes back
     */
    public static Frame ofText(String text, BooleanSupplier withdrawn) {
        return new Frame(text.getBytes(StandardCharsets.UTF_8), withdrawn);
    }

    /** Whether it must not be sent any more. */
    boolean withdrawn() {
        // Asked for each frame of each socket; of most frames nothing is ever deleted.
        return withdrawn != NEVER && withdrawn.getAsBoolean();
    }

    /** The bytes, read-only, with a position of their own. */
    public ByteBuffer utf8() {
        return ByteBuffer.wrap(utf8).asReadOnlyBuffer();
    }

    /** The text, made when it is asked for and shared by all sockets that send it at about the same time. */
    public String text() {
        WeakReference<String> kept = text;
        String known = kept == null ? null : kept.get();
        if (known == null) {
            known = new String(utf8, StandardCharsets.UTF_8);
            text = new WeakReference<>(known);
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

    /** A send in flight holds it; true for the first. */
    boolean held() {
        return SENDS.getAndIncrement(this) == 0;
    }

    /** A send in flight has let go of it; true for the last. */
    boolean letGo() {
        int left = SENDS.decrementAndGet(this);
        assert left >= 0 : "a send lets go once";
        return left == 0;
    }

    /** Whether it is a large one. */
    public boolean large() {
        return utf8.length > LARGE_BYTES;
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
