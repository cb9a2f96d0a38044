package dev.tidings.protocol.http;

import java.util.function.Consumer;

/**
 * A body that is made piece by piece, each when the one before was taken.
 *
 * <p>Threads: confined to whoever asks, one piece at a time; closed once, from any thread.
 */
public interface Pieces extends AutoCloseable {

    /** A piece. */
    sealed interface Piece {

        /** More follows; not to be written to. */
        record Some(byte[] utf8) implements Piece {}

        /** Nothing follows. */
        record End() implements Piece {}

        /** The rest cannot be told: the answer must not look whole. */
        record Broken() implements Piece {}
    }

    /** Has the next piece made and handed over. Never blocks. */
    void next(Consumer<Piece> taker);

    /** Nobody asks any more. */
    @Override
    void close();
}
