package dev.tidings.protocol.agents;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The bytes of one message while they come in, counted against what all messages may hold together.
 *
 * <p>Memory follows the bytes that came, not the length that was declared.
 *
 * <p>Threads: confined to the request; a container never reads one from two threads at once.
 */
final class IncomingMessage {
    private static final int FIRST = 4 << 10;

    private final AgentsHttp http;
    // Confined: the thread that the container reads the request on.
    private byte[] bytes = new byte[0];
    // Confined: likewise.
    private int size;
    // Confined: likewise. What counts for this message.
    private long reserved;

    IncomingMessage(AgentsHttp http) {
        this.http = http;
    }

    /** Takes the next bytes; the refusal, if there are too many, after which nothing more is added. */
    Optional<HttpAnswer> add(byte[] from, int length) {
        int max = http.limits().maxMessageBytes();
        if (length > max - size) {
            abandon();
            return Optional.of(AgentsHttp.tooLarge());
        }
        if (size + length > bytes.length) {
            int room = Math.min(max, Math.max(size + length, Math.max(FIRST, bytes.length * 2)));
            if (!http.reserve(room - reserved)) {
                abandon();
                return Optional.of(AgentsHttp.busy());
            }
            reserved = room;
            bytes = Arrays.copyOf(bytes, room);
        }
        System.arraycopy(from, 0, bytes, size, length);
        size += length;
        return Optional.empty();
    }

    /** All bytes have come. */
    CompletionStage<HttpAnswer> end() {
        byte[] message = size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
        long held = reserved;
        bytes = new byte[0];
        size = 0;
        reserved = 0;
        return http.handle(message, held);
    }

    /** Lets go of the bytes; nothing comes of the message. */
    void abandon() {
        http.release(reserved);
        bytes = new byte[0];
        size = 0;
        reserved = 0;
    }
}
