package dev.tidings.protocol.commands;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.access.KeyPass;
import dev.tidings.delivery.Gate;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.Pieces;
import dev.tidings.protocol.json.JsonText;
import dev.tidings.spi.EventLog;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A session's events as one JSON object, page by page: the next page is read when the one before was taken, and only while
 * the caller may see it (law 6).
 *
 * <p>Threads: confined to whoever asks for pieces, one at a time; each is made when it is its turn
 * among all that read. Holds one of the places for transcripts until it is closed.
 */
final class Transcript implements Pieces {
    private static final System.Logger LOG = System.getLogger(Transcript.class.getName());
    private static final int PAGE_ENTRIES = 256;
    private static final int PAGE_BYTES = 256 << 10;
    private static final byte[] END = {']', '}'};

    private final EventLog log;
    private final HttpExchanges exchanges;
    private final StreamKey stream;
    private final Range range;
    private final Reader reader;

    // Confined: whoever asks for pieces; handed on through the turn and the consumer.
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

    /**
     * For whom.
     *
     * @param holder whose place it has
     * @param gate must be open for anything to be told
     * @param pass of the key with which it was asked for; closed with it
     */
    record Reader(String holder, Gate gate, @Nullable KeyPass pass) {}

    Transcript(EventLog log, HttpExchanges exchanges, StreamKey stream, byte[] opening, Range range, Reader reader) {
        this.log = log;
        this.exchanges = exchanges;
        this.stream = stream;
        this.opening = opening;
        this.range = range;
        this.reader = reader;
        this.position = range.after();
    }

    @Override
    public void next(Consumer<Piece> taker) {
        exchanges.read(() -> taker.accept(made()), () -> taker.accept(new Piece.Broken()));
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
        if (!reader.gate().isOpen()) {
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
        exchanges.transcripts().give(reader.holder());
        KeyPass pass = reader.pass();
        if (pass != null) {
            pass.close();
        }
    }
}
