package dev.tidings.jpa;

import dev.tidings.EntryKind;
import dev.tidings.Head;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads heads and entries, in the caller's transaction or one of its own.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional
class JpaEventLog implements EventLog {

    private static final int HEADS_A_QUERY = 1024;
    private static final String RANGE =
            " from tidings_entry where stream_kind = ? and stream_id = ? and position > ? and position <= ?"
                    + " order by position";
    private static final String RUN_RANGE =
            " from tidings_entry where stream_kind = ? and stream_id = ? and seq_scope = ? and seq > ? and seq <= ?"
                    + " order by seq";

    private final Database database;
    // Volatile: written once it was read; every thread reads the same.
    private volatile @Nullable String epoch;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaEventLog() {
        this(null);
    }

    @Inject
    JpaEventLog(Database database) {
        this.database = database;
    }

    @Override
    public String epoch() {
        String known = epoch;
        if (known == null) {
            known = sql().row("select epoch from tidings_epoch where id = 1")
                    .orElseThrow(() -> new IllegalStateException("the database was not migrated"))
                    .text(0);
            epoch = known;
        }
        return known;
    }

    @Override
    public Head head(StreamKey stream) {
        return heads(List.of(stream)).getOrDefault(stream, Head.EMPTY);
    }

    @Override
    public Map<StreamKey, Head> heads(Collection<StreamKey> streams) {
        Map<StreamKey, Head> heads = new HashMap<>();
        List<StreamKey> possible =
                streams.stream().filter(Streams::possible).distinct().toList();
        for (int from = 0; from < possible.size(); from += HEADS_A_QUERY) {
            readHeads(possible.subList(from, Math.min(possible.size(), from + HEADS_A_QUERY)), heads);
        }
        return heads;
    }

    private void readHeads(List<StreamKey> streams, Map<StreamKey, Head> heads) {
        StringBuilder query = new StringBuilder("select stream_kind, stream_id, position, seq from tidings_head where");
        List<Object> arguments = new ArrayList<>();
        for (StreamKey.Kind kind : List.of(StreamKey.Kind.SESSION, StreamKey.Kind.RUN)) {
            List<StreamKey> ofKind =
                    streams.stream().filter(s -> s.kind() == kind).toList();
            if (!ofKind.isEmpty()) {
                query.append(arguments.isEmpty() ? "" : " or").append(" (stream_kind = ? and stream_id in (?))");
                arguments.add(Streams.code(ofKind.get(0)));
                arguments.add(ofKind.stream().map(StreamKey::id).toList());
            }
        }
        for (Row row : sql().rows(query.toString(), arguments.toArray())) {
            heads.put(Streams.key(row.text(0), row.text(1)), new Head(row.number(2), row.number(3)));
        }
    }

    @Override
    public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
        if (!Streams.possible(stream) || maxEntries < 1) {
            return List.of();
        }
        long after = Math.max(0, afterPosition);
        // Positions are consecutive, so a range needs no limit and no more than maxEntries rows are ever looked at.
        long upTo = after > Long.MAX_VALUE - maxEntries ? after : after + maxEntries;
        return page(stream, "position", RANGE, List.of(Streams.code(stream), stream.id()), after, upTo, maxBytes);
    }

    @Override
    public List<StoredEntry> readRun(StreamKey tree, String runId, long afterSeq, int maxEntries, int maxBytes) {
        if (!Streams.possible(tree) || !StoredId.possible(runId) || maxEntries < 1) {
            return List.of();
        }
        long after = Math.max(0, afterSeq);
        // The numbers of a run are consecutive, likewise.
        long upTo = after > Long.MAX_VALUE - maxEntries ? after : after + maxEntries;
        return page(tree, "seq", RUN_RANGE, List.of(Streams.code(tree), tree.id(), runId), after, upTo, maxBytes);
    }

    private List<StoredEntry> page(
            StreamKey stream, String order, String range, List<Object> of, long after, long upTo, int maxBytes) {
        long last = lastWithin(order, range, of, after, upTo, maxBytes);
        List<StoredEntry> page = new ArrayList<>();
        if (last > after) {
            String select = "select position, seq, id, kind, payload, run_id, created_at" + range;
            for (Row row : sql().rows(select, arguments(of, after, last))) {
                page.add(entry(stream, row));
            }
        }
        return page;
    }

    private static Object[] arguments(List<Object> of, long after, long upTo) {
        List<Object> arguments = new ArrayList<>(of);
        arguments.add(after);
        arguments.add(upTo);
        return arguments.toArray();
    }

    /** Reads the sizes first, so that payloads beyond the limit never leave the database. */
    private long lastWithin(String order, String range, List<Object> of, long after, long upTo, int maxBytes) {
        long bytes = 0;
        long last = after;
        for (Row row : sql().rows("select " + order + ", payload_size" + range, arguments(of, after, upTo))) {
            bytes += row.number(1);
            if (bytes > maxBytes && last > after) {
                break;
            }
            last = row.number(0);
        }
        return last;
    }

    private static StoredEntry entry(StreamKey stream, Row row) {
        String runId = row.text(5);
        return new StoredEntry(
                stream,
                row.number(0),
                row.number(1),
                row.text(2),
                EntryKind.ofCode(row.text(3)).orElseThrow(),
                row.payload(4),
                runId.isEmpty() ? null : runId,
                row.number(6));
    }

    @Override
    public long positionAfterSeq(StreamKey session, long seq) {
        if (seq < 1 || session.kind() != StreamKey.Kind.SESSION) {
            return 0;
        }
        Head head = head(session);
        if (seq > head.seq()) {
            return head.position();
        }
        Optional<Row> found = sql().row(
                        "select position from tidings_entry where stream_kind = 's' and stream_id = ?"
                                + " and seq_scope = '' and seq = ? and seq > 0",
                        session.id(),
                        seq);
        return found.orElseThrow(() -> new IllegalStateException("a number below the head is missing"))
                .number(0);
    }

    private Sql sql() {
        return database.sql();
    }
}
