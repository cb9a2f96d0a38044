package dev.tidings.transport;

import dev.tidings.delivery.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Whole messages that leave one socket in one write.
 *
 * <p>Threads: immutable; the bytes are shared with other sockets and never change.
 *
 * @param messages the payloads in order, one or more, each read-only with a position of its own
 * @param text whether they are text messages in UTF-8; else binary ones
 */
public record Burst(List<ByteBuffer> messages, boolean text) {
    private static final int FINAL_TEXT = 0x81;
    private static final int FINAL_BINARY = 0x82;
    private static final int ONE_BYTE = 125;
    private static final int TWO_BYTES = 0xffff;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;

    /** Copies the list. */
    public Burst {
        messages = List.copyOf(messages);
    }

    /** @param form makes the binary messages; null for text */
    static Burst of(List<Frame> frames, @Nullable UnaryOperator<byte[]> form) {
        List<ByteBuffer> messages = new ArrayList<>(frames.size());
        for (Frame frame : frames) {
            messages.add(form == null ? frame.utf8() : frame.binary(form));
        }
        return new Burst(messages, form == null);
    }

    /** The bytes on the wire: a frame for each message, unmasked, as a server sends them (RFC 6455, 5.2). */
    public ByteBuffer wire() {
        int size = 0;
        for (ByteBuffer message : messages) {
            size = Math.addExact(size, headerSize(message.remaining()) + message.remaining());
        }
        ByteBuffer wire = ByteBuffer.allocate(size);
        for (ByteBuffer message : messages) {
            putHeader(wire, message.remaining());
            wire.put(message.duplicate());
        }
        return wire.flip();
    }

    private static int headerSize(int length) {
        return length <= ONE_BYTE ? 2 : length <= TWO_BYTES ? 4 : 10;
    }

    private void putHeader(ByteBuffer wire, int length) {
        wire.put((byte) (text ? FINAL_TEXT : FINAL_BINARY));
        if (length <= ONE_BYTE) {
            wire.put((byte) length);
        } else if (length <= TWO_BYTES) {
            wire.put((byte) LENGTH_16).putShort((short) length);
        } else {
            wire.put((byte) LENGTH_64).putLong(length);
        }
    }

    /** A ping without a payload, on the wire. */
    public static ByteBuffer pingOnTheWire() {
        return ByteBuffer.wrap(new byte[] {(byte) 0x89, 0});
    }
}
