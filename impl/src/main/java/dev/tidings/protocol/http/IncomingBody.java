package dev.tidings.protocol.http;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The bytes of one body while they come in, counted against what all bodies may hold together.
 *
 * <p>Memory follows the bytes that came, not the length that was declared.
 *
 * <p>Threads: confined to the request; a container never reads one from two threads at once.
 */
public final class IncomingBody {
    private static final int FIRST = 4 << 10;

    private final int maxBytes;
    private final HeldBytes budget;
    private final HttpExchange.Words words;
    private final Taker taker;
    // Confined: the thread that the container reads the request on.
    private byte[] bytes = new byte[0];
    // Confined: likewise.
    private int size;
    // Confined: likewise. What counts for this body.
    private long reserved;

    /** Who takes a body that has come whole. */
    @FunctionalInterface
    public interface Taker {

        /**
         * Takes it.
         *
         * @param reserved to be given back to the budget when the body is handled
         * @return what to answer
         */
        CompletionStage<HttpAnswer> take(byte[] body, long reserved);
    }

    /** Nothing yet. */
    public IncomingBody(int maxBytes, HeldBytes budget, HttpExchange.Words words, Taker taker) {
        this.maxBytes = maxBytes;
        this.budget = budget;
        this.words = words;
        this.taker = taker;
    }

    /** Takes the next bytes; the refusal, if there are too many, after which nothing more is added. */
    public Optional<HttpAnswer> add(byte[] from, int length) {
        if (length > maxBytes - size) {
            abandon();
            return Optional.of(words.tooLarge());
        }
        if (size + length > bytes.length) {
            int room = Math.min(maxBytes, Math.max(size + length, Math.max(FIRST, bytes.length * 2)));
            if (!budget.take(room - reserved)) {
                abandon();
                return Optional.of(words.busy());
            }
            reserved = room;
            bytes = Arrays.copyOf(bytes, room);
        }
        System.arraycopy(from, 0, bytes, size, length);
        size += length;
        return Optional.empty();
    }

    /** All bytes have come. */
    public CompletionStage<HttpAnswer> end() {
        byte[] body = size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
        long held = reserved;
        bytes = new byte[0];
        size = 0;
        reserved = 0;
        return taker.take(body, held);
    }

    /** Lets go of the bytes; nothing comes of the body. */
    public void abandon() {
        budget.give(reserved);
        bytes = new byte[0];
        size = 0;
        reserved = 0;
    }
}
