package dev.tidings.jpa;

import dev.tidings.EntryOrigin;
import dev.tidings.NewEntry;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.event.EntriesStored;
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
 * <p>The head is taken by the statement that raises it: from then until the commit the row is locked, so that position
 * order is commit order and a rollback takes its numbers back. The fences are read by the statement behind it (law 10):
 * one statement for both would judge them by what was committed before it began to wait for the head.
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

    private final Database database;

    @Inject
    Numbering(Database database) {
        this.database = database;
    }

    /** The event that tells of the entries; empty if the step only moved the fence. */
    Optional<EntriesStored> apply(HeadStep step) {
        StreamKey stream = step.stream();
        if (!Streams.possible(stream)) {
            throw new UnknownStreamException(stream);
        }
        takeHead(step);
        Row head = new Fences(database, step).settle();
        if (step.entries().isEmpty()) {
            return Optional.empty();
        }
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
        int taken = database.sql()
                .update(
                        "update tidings_head set position = position + ?, seq = seq + ?"
                                + " where stream_kind = ? and stream_id = ?",
                        step.entries().size(),
                        sessionNumbers(step),
                        Streams.code(stream),
                        stream.id());
        if (taken == 0) {
            throw new UnknownStreamException(stream);
        }
    }

    private static int sessionNumbers(HeadStep step) {
        return step.stream().kind() == StreamKey.Kind.SESSION
                ? (int) step.entries().stream().filter(NewEntry::numbered).count()
                : 0;
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

    /** The tree's head is locked, so nobody else counts meanwhile; what is read must be as new as the lock. */
    private long lastSeqOfRun(StreamKey tree, String runId) {
        return database.sql()
                .row(
                        "select seq from tidings_entry where stream_kind = ? and stream_id = ? and seq_scope = ?"
                                + " and seq > 0 order by seq desc limit 1"
                                + database.dialect().newestRead(),
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
            database.sql().update(insert.toString(), arguments);
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
