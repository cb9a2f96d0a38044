package dev.tidings.transport;

import dev.tidings.delivery.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Whole messages that leave a socket in one write; sockets that send the same at about the same time share one.
 *
 * <p>Threads: any; the bytes never change.
 */
public final class Burst {
    private static final int FINAL_TEXT = 0x81;
    private static final int FINAL_BINARY = 0x82;
    private static final int ONE_BYTE = 125;
    private static final int TWO_BYTES = 0xffff;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;

    private final List<ByteBuffer> messages;
    private final boolean text;
    // Volatile: made of the messages, so whoever makes it makes the same.
    private volatile @Nullable List<ByteBuffer> wire;

    /**
     * A burst.
     *
     * @param messages the payloads in order, one or more, each read-only
     * @param text whether they are text messages in UTF-8; else binary ones
     */
    public Burst(List<ByteBuffer> messages, boolean text) {
        this.messages = List.copyOf(messages);
        this.text = text;
    }

    /** @param form makes the binary messages; null for text */
    static Burst of(List<Frame> frames, @Nullable UnaryOperator<byte[]> form) {
        List<ByteBuffer> messages = new ArrayList<>(frames.size());
        for (Frame frame : frames) {
            messages.add(form == null ? frame.utf8() : frame.binary(form));
        }
        return new Burst(messages, form == null);
    }

    /** The payloads in order; whoever moves a position moves that of a duplicate. */
    public List<ByteBuffer> messages() {
        return messages;
    }

    /** Whether they are text messages in UTF-8; else binary ones. */
    public boolean text() {
        return text;
    }

    /**
     * The bytes on the wire: a frame for each message, unmasked, as a server sends them (RFC 6455, 5.2). What is small is
     * joined; a large payload is a piece of its own, the very bytes that the message has. Made once for all sockets, so nobody
     * may change them.
     *
     * @return pieces in order, which follow each other with nothing in between, each with a position of its own
     */
    public List<ByteBuffer> wire() {
        List<ByteBuffer> made = wire;
        if (made == null) {
            made = pieces();
            wire = made;
        }
        // Once a socket and batch: nearly all are of one piece.
        return made.size() == 1
                ? List.of(made.get(0).duplicate())
                : made.stream().map(ByteBuffer::duplicate).toList();
    }

    private List<ByteBuffer> pieces() {
        List<ByteBuffer> pieces = new ArrayList<>();
        int from = 0;
        while (from < messages.size()) {
            int to = from;
            int size = 0;
            boolean large = false;
            while (to < messages.size() && !large) {
                int length = messages.get(to++).remaining();
                large = length > Frame.LARGE_BYTES;
                size = Math.addExact(size, headerSize(length) + (large ? 0 : length));
            }
            pieces.add(joined(messages.subList(from, to), size));
            if (large) {
                pieces.add(messages.get(to - 1));
            }
            from = to;
        }
        return List.copyOf(pieces);
    }

    /** Some messages; of the last one the header alone, if it is large. */
    private ByteBuffer joined(List<ByteBuffer> some, int size) {
        ByteBuffer joined = ByteBuffer.allocate(size);
        for (ByteBuffer message : some) {
            putHeader(joined, message.remaining());
            if (message.remaining() <= Frame.LARGE_BYTES) {
                joined.put(message.duplicate());
            }
        }
        return joined.flip();
    }

    private static int headerSize(int length) {
        return length <= ONE_BYTE ? 2 : length <= TWO_BYTES ? 4 : 10;
    }

    private void putHeader(ByteBuffer to, int length) {
        to.put((byte) (text ? FINAL_TEXT : FINAL_BINARY));
        if (length <= ONE_BYTE) {
            to.put((byte) length);
        } else if (length <= TWO_BYTES) {
            to.put((byte) LENGTH_16).putShort((short) length);
        } else {
            to.put((byte) LENGTH_64).putLong(length);
        }
    }

    /** A ping without a payload, on the wire. */
    public static ByteBuffer pingOnTheWire() {
        return ByteBuffer.wrap(new byte[] {(byte) 0x89, 0});
    }
}
