package dev.tidings.standalone;

import java.nio.ByteBuffer;

/**
 * Reads the frame headers of one socket's inbound bytes as they pass, and finds the frame that must not be taken in.
 *
 * <p>Tyrus buffers a whole frame before it looks at its size, and accepts unmasked ones. Spec: RFC 6455, 5.1 and 5.2.
 *
 * <p>Threads: confined to the one thread that reads the socket at a time.
 */
final class FrameMeter {
    /** What the scanned bytes are. */
    enum Verdict {
        /** All fits. */
        FINE,
        /** A message is longer than allowed. */
        TOO_BIG,
        /** A frame breaks the protocol. */
        MALFORMED
    }

    private static final int OPCODE = 0x0f;
    private static final int CONTROL = 0x08;
    private static final int MASKED = 0x80;
    private static final int LENGTH = 0x7f;
    private static final int FINAL = 0x80;
    private static final int PING = 0x09;

    /** A piece of a message that is smaller costs more than its bytes. */
    private static final int SMALL_PIECE = 64;

    private final long maxMessageBytes;
    // Confined: reader. The next three lines also.
    private final byte[] header = new byte[14];
    private int headerBytes;
    private long payloadLeft;
    private long messageBytes;
    private int chatter;

    FrameMeter(long maxMessageBytes) {
        this.maxMessageBytes = maxMessageBytes;
    }

    /**
     * Looks at the buffer's remaining bytes. When they are fine, the position is as before; otherwise they must not be
     * handed on from the returned frame's start, and the buffer's limit is set there.
     */
    Verdict scan(ByteBuffer bytes) {
        int at = bytes.position();
        int end = bytes.limit();
        int frameStart = at;
        while (at < end) {
            if (payloadLeft > 0) {
                long skipped = Math.min(payloadLeft, end - at);
                payloadLeft -= skipped;
                at += (int) skipped;
                continue;
            }
            if (headerBytes == 0) {
                frameStart = at;
            }
            header[headerBytes++] = bytes.get(at++);
            if (headerBytes < 2 || headerBytes < headerLength()) {
                continue;
            }
            headerBytes = 0;
            Verdict verdict = begin();
            if (verdict != Verdict.FINE) {
                bytes.limit(frameStart);
                return verdict;
            }
        }
        return Verdict.FINE;
    }

    private int headerLength() {
        int length = header[1] & LENGTH;
        return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + ((header[1] & MASKED) != 0 ? 4 : 0);
    }

    private Verdict begin() {
        long length = payloadLength();
        if ((header[1] & MASKED) == 0 || length < 0) {
            return Verdict.MALFORMED;
        }
        payloadLeft = length;
        if ((header[0] & OPCODE) == PING || ((header[0] & (FINAL | CONTROL)) == 0 && length < SMALL_PIECE)) {
            chatter++;
        }
        if ((header[0] & CONTROL) != 0) {
            return length > 125 ? Verdict.MALFORMED : Verdict.FINE;
        }
        boolean continues = (header[0] & OPCODE) == 0;
        messageBytes = continues ? messageBytes + length : length;
        return messageBytes < 0 || messageBytes > maxMessageBytes ? Verdict.TOO_BIG : Verdict.FINE;
    }

    /** How many pings came, and small pieces that do not end a message, since this was last asked. */
    int chatter() {
        int count = chatter;
        chatter = 0;
        return count;
    }

    private long payloadLength() {
        int length = header[1] & LENGTH;
        if (length < 126) {
            return length;
        }
        ByteBuffer extended = ByteBuffer.wrap(header, 2, 8);
        return length == 126 ? extended.getShort() & 0xffff : extended.getLong();
    }
}
