package dev.tidings.jpa;

import dev.tidings.EntryOrigin;
import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.RunFence;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes the head of one stream, numbers what is wanted of it and inserts the entries (law 3).
 *
 * <p>The head is taken by the statement that raises it, which checks the fence as well (law 10): from then until the
 * commit the row is locked, so that position order is commit order and a rollback takes its numbers back.
 */
@Dependent
final class Numbering {

    /** The longest insert, in rows and bytes; MariaDB refuses packets above 16 MiB by default. */
    private static final int MAX_ROWS = 32;

    private static final long MAX_BYTES = 1024 * 1024;

    private static final String INSERT = "insert into tidings_entry (stream_kind, stream_id, position, seq_scope, seq,"
            + " id, kind, payload, payload_size, run_id, created_at, agent_id, origin, message) values ";
    private static final String VALUES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    private static final int COLUMNS = 14;

    private final Sql sql;

    @Inject
    Numbering(Database database) {
        this.sql = database.sql();
    }

    /** The event that tells of the entries; empty if the step only moved the fence. */
    Optional<EntriesStored> apply(HeadStep step) {
        StreamKey stream = step.stream();
        if (!Streams.possible(stream)) {
            throw new UnknownStreamException(stream);
        }
        takeHead(step);
        if (step.entries().isEmpty()) {
            return Optional.empty();
        }
        Row head = head(stream);
        String agentId = head.text(2);
        List<StoredEntry> stored = number(step, head.number(0), head.number(1));
        List<@Nullable Object[]> rows = new ArrayList<>(stored.size());
        for (int i = 0; i < stored.size(); i++) {
            rows.add(columns(stored.get(i), step.entries().get(i), agentId));
        }
        insert(rows);
        return Optional.of(new EntriesStored(stream, stored));
    }

    private void takeHead(HeadStep step) {
        StreamKey stream = step.stream();
        List<@Nullable Object> arguments = new ArrayList<>();
        StringBuilder update = new StringBuilder("update tidings_head set position = position + ?, seq = seq + ?");
        arguments.add(step.entries().size());
        arguments.add(sessionNumbers(step));
        RunFence opened = step.opened();
        RunFence closed = step.closed();
        RunFence required = step.required();
        if (step.replaced()) {
            update.append(", fence_run_id = ?, fence_attempt = ?");
            arguments.add(opened == null ? null : StoredId.require(opened.runId()));
            arguments.add(opened == null ? null : opened.attempt());
        } else if (closed != null) {
            update.append(", fence_run_id = case when fence_run_id = ? and fence_attempt = ? then null"
                    + " else fence_run_id end");
            arguments.add(closed.runId());
            arguments.add(closed.attempt());
        }
        update.append(" where stream_kind = ? and stream_id = ?");
        arguments.add(Streams.code(stream));
        arguments.add(stream.id());
        if (required != null) {
            update.append(" and fence_run_id = ? and fence_attempt = ?");
            arguments.add(StoredId.require(required.runId()));
            arguments.add(required.attempt());
        }
        if (sql.update(update.toString(), arguments.toArray()) == 0) {
            head(stream);
            throw new FencedException(required == null ? "" : required.runId());
        }
    }

    private static int sessionNumbers(HeadStep step) {
        return step.stream().kind() == StreamKey.Kind.SESSION
                ? (int) step.entries().stream().filter(NewEntry::numbered).count()
                : 0;
    }

    private Row head(StreamKey stream) {
        return sql.row(
                        "select position, seq, agent_id from tidings_head where stream_kind = ? and stream_id = ?",
                        Streams.code(stream),
                        stream.id())
                .orElseThrow(() -> new UnknownStreamException(stream));
    }

    private List<StoredEntry> number(HeadStep step, long lastPosition, long lastSeq) {
        long position = lastPosition - step.entries().size();
        Map<String, Long> seqs = new HashMap<>();
        seqs.put("", lastSeq - sessionNumbers(step));
        List<StoredEntry> stored = new ArrayList<>(step.entries().size());
        for (NewEntry entry : step.entries()) {
            position++;
            long seq = entry.numbered() ? nextSeq(step.stream(), scope(step.stream(), entry), seqs) : 0;
            stored.add(new StoredEntry(
                    step.stream(),
                    position,
                    seq,
                    entry.id(),
                    entry.kind(),
                    entry.payload(),
                    entry.runId(),
                    entry.createdAt()));
        }
        return stored;
    }

    /** What a number counts within: the session, or one run of a run tree. */
    private static String scope(StreamKey stream, NewEntry entry) {
        String runId = entry.runId();
        return stream.kind() == StreamKey.Kind.SESSION || runId == null ? "" : runId;
    }

    private long nextSeq(StreamKey stream, String scope, Map<String, Long> seqs) {
        long seq = seqs.computeIfAbsent(scope, run -> lastSeqOfRun(stream, run)) + 1;
        seqs.put(scope, seq);
        return seq;
    }

    /** The tree's head is locked, so nobody else counts meanwhile. */
    private long lastSeqOfRun(StreamKey tree, String runId) {
        return sql.row(
                        "select seq from tidings_entry where stream_kind = ? and stream_id = ? and seq_scope = ?"
                                + " and seq > 0 order by seq desc limit 1",
                        Streams.code(tree),
                        tree.id(),
                        runId)
                .map(row -> row.number(0))
                .orElse(0L);
    }

    private static @Nullable Object[] columns(StoredEntry stored, NewEntry entry, String agentId) {
        Optional<EntryOrigin> origin = stored.stream().kind() == StreamKey.Kind.SESSION && !agentId.isEmpty()
                ? EntryOrigin.of(entry)
                : Optional.empty();
        String runId = stored.runId();
        return new Object[] {
            Streams.code(stored.stream()),
            stored.stream().id(),
            stored.position(),
            scope(stored.stream(), entry),
            stored.seq(),
            stored.id(),
            stored.kind().code(),
            stored.payload(),
            (long) stored.payload().size(),
            runId == null ? "" : runId,
            stored.createdAt(),
            origin.isPresent() ? agentId : "",
            origin.map(EntryOrigin::kind).orElse(""),
            origin.filter(EntryOrigin::message).isPresent() ? 1 : 0
        };
    }

    /** Inserts in few statements; their lengths are powers of two, so that statement caches see few of them. */
    private void insert(List<@Nullable Object[]> rows) {
        int from = 0;
        while (from < rows.size()) {
            int count = Integer.highestOneBit(fitting(rows, from));
            StringBuilder insert = new StringBuilder(INSERT);
            @Nullable Object[] arguments = new Object[count * COLUMNS];
            for (int i = 0; i < count; i++) {
                insert.append(i == 0 ? "" : ", ").append(VALUES);
                System.arraycopy(rows.get(from + i), 0, arguments, i * COLUMNS, COLUMNS);
            }
            sql.update(insert.toString(), arguments);
            from += count;
        }
    }

    private static int fitting(List<@Nullable Object[]> rows, int from) {
        long bytes = 0;
        int count = 0;
        while (count < MAX_ROWS && from + count < rows.size()) {
            bytes += new Row(rows.get(from + count)).number(8);
            if (count > 0 && bytes > MAX_BYTES) {
                break;
            }
            count++;
        }
        return count;
    }
}
