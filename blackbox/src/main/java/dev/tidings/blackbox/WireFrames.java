package dev.tidings.blackbox;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Makes frames of bytes, however they are cut. Servers do not mask, and ours does not fragment; both are checked.
 *
 * <p>Threads: one.
 */
final class WireFrames {
    private static final int TEXT = 0x81;
    private static final int CLOSE = 0x88;
    private static final int PING = 0x89;
    private static final int PONG = 0x8a;
    private static final int NO_STATUS = 1005;
    private static final int MOST = 64 << 20;

    // Confined: its thread. Bytes of a frame of which more is to come.
    private byte[] rest = new byte[0];

    /** What the frames are. */
    interface Receiver {
        void text(byte[] utf8);

        void ping(byte[] payload) throws IOException;

        void pong(byte[] payload);

        void close(int code) throws IOException;
    }

    void take(ByteBuffer bytes, Receiver receiver) throws IOException {
        ByteBuffer all = joined(bytes);
        while (all.hasRemaining()) {
            all.mark();
            if (!next(all, receiver)) {
                all.reset();
                break;
            }
        }
        rest = new byte[all.remaining()];
        all.get(rest);
    }

    private ByteBuffer joined(ByteBuffer bytes) {
        if (rest.length == 0) {
            return bytes;
        }
        byte[] all = Arrays.copyOf(rest, rest.length + bytes.remaining());
        bytes.get(all, rest.length, bytes.remaining());
        return ByteBuffer.wrap(all);
    }

    private static boolean next(ByteBuffer all, Receiver receiver) throws IOException {
        if (all.remaining() < 2) {
            return false;
        }
        int kind = all.get() & 0xff;
        long length = all.get() & 0xff;
        if (length > 127) {
            throw new IOException("a server must not mask");
        }
        int more = length == 127 ? 8 : length == 126 ? 2 : 0;
        if (all.remaining() < more) {
            return false;
        }
        length = more == 8 ? all.getLong() : more == 2 ? all.getShort() & 0xffff : length;
        if (length > MOST || length < 0) {
            throw new IOException("a frame of " + length + " bytes");
        }
        if (all.remaining() < length) {
            return false;
        }
        byte[] payload = new byte[(int) length];
        all.get(payload);
        switch (kind) {
            case TEXT -> receiver.text(payload);
            case PING -> receiver.ping(payload);
            case PONG -> receiver.pong(payload);
            case CLOSE ->
                receiver.close(payload.length < 2 ? NO_STATUS : (payload[0] & 0xff) << 8 | (payload[1] & 0xff));
            default -> throw new IOException("a frame of kind " + kind);
        }
        return true;
    }
}
