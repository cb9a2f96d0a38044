package dev.tidings.protocol.commands;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.access.KeyPass;
import dev.tidings.delivery.Gate;
import dev.tidings.protocol.json.JsonText;
import dev.tidings.spi.EventLog;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session's events as one JSON object, page by page: the next page is read when the one before was taken, and only while
 * the caller may see it (law 6).
 *
 * <p>Threads: confined to whoever asks for pieces, one at a time; each is made on the executor.
 */
final class Transcript implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Transcript.class.getName());
    private static final int PAGE_ENTRIES = 256;
    private static final int PAGE_BYTES = 256 << 10;
    private static final byte[] END = {']', '}'};

    private final EventLog log;
    private final Executor executor;
    private final StreamKey stream;
    private final Range range;
    private final Gate gate;
    private final @Nullable KeyPass pass;

    // Confined: whoever asks for pieces; handed on through the executor and the consumer.
    private byte[] opening;
    private long position;
    private boolean ended;

    /**
     * Which events.
     *
     * @param after behind this position
     * @param last up to this one
     */
    record Range(long after, long last) {}

    /** A piece. */
    sealed interface Piece {

        /** More follows. */
        record Some(byte[] utf8) implements Piece {}

        /** Nothing follows. */
        record End() implements Piece {}

        /** The rest cannot be told: the answer must not look whole. */
        record Broken() implements Piece {}
    }

    Transcript(
            EventLog log,
            Executor executor,
            StreamKey stream,
            byte[] opening,
            Range range,
            Gate gate,
            @Nullable KeyPass pass) {
        this.log = log;
        this.executor = executor;
        this.stream = stream;
        this.opening = opening;
        this.range = range;
        this.gate = gate;
        this.pass = pass;
        this.position = range.after();
    }

    /** Makes the next piece and hands it over, on another thread. */
    void next(Consumer<Piece> taker) {
        try {
            executor.execute(() -> taker.accept(made()));
        } catch (RuntimeException | Error noThread) {
            // The server stops, or a pool is full; one that cannot start a thread says so with an error.
            taker.accept(new Piece.Broken());
        }
    }

    private Piece made() {
        try {
            return piece();
        } catch (RuntimeException | Error broken) {
            // Errors as well: whoever waits for the piece would wait for ever.
            LOG.log(System.Logger.Level.WARNING, "[api/sessions] a transcript could not be read to its end");
            return new Piece.Broken();
        }
    }

    private Piece piece() {
        if (ended) {
            return new Piece.End();
        }
        if (!gate.isOpen()) {
            return new Piece.Broken();
        }
        JsonText json = new JsonText(PAGE_BYTES + (16 << 10)).raw(opening);
        opening = new byte[0];
        if (position < range.last()) {
            int most = (int) Math.min(PAGE_ENTRIES, range.last() - position);
            List<StoredEntry> page = log.read(stream, position, most, PAGE_BYTES);
            if (page.isEmpty()) {
                // The session was deleted meanwhile.
                return new Piece.Broken();
            }
            for (StoredEntry entry : page) {
                json.raw(position == range.after() ? "" : ",").raw(CommandsTranslator.event(entry));
                position = entry.position();
            }
        }
        if (position >= range.last()) {
            ended = true;
            json.raw(END);
        }
        return new Piece.Some(json.bytes());
    }

    @Override
    public void close() {
        if (pass != null) {
            pass.close();
        }
    }
}
