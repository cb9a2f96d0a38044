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
import java.util.Objects;
import java.util.Optional;

/**
 * Takes the heads of the streams that a transaction writes to, numbers what is wanted of them and inserts the entries
 * (law 3), in few statements however many streams and entries there are.
 */
@Dependent
final class Numbering {

    private static final BulkTable ENTRIES = new BulkTable(
            "tidings_entry",
            List.of(
                    BulkTable.text("stream_kind"),
                    BulkTable.text("stream_id"),
                    BulkTable.number("position"),
                    BulkTable.text("seq_scope"),
                    BulkTable.number("seq"),
                    BulkTable.text("id"),
                    BulkTable.text("kind"),
                    BulkTable.payload("payload"),
                    BulkTable.number("payload_size"),
                    BulkTable.text("run_id"),
                    BulkTable.number("created_at"),
                    BulkTable.text("agent_id"),
                    BulkTable.text("origin"),
                    BulkTable.number("message")));

    private final Database database;

    @Inject
    Numbering(Database database) {
        this.database = database;
    }

    /**
     * Does what the steps ask for.
     *
     * @param steps in key order, of which two never name the same stream
     * @return the events that tell of the entries; a step that only moves fences has none
     */
    List<EntriesStored> apply(List<HeadStep> steps) {
        for (HeadStep step : steps) {
            if (!Streams.possible(step.stream())) {
                throw new UnknownStreamException(step.stream());
            }
        }
        Map<StreamKey, Heads.Head> heads = Heads.take(database, steps);
        List<Object[]> rows = new ArrayList<>();
        List<EntriesStored> events = new ArrayList<>();
        for (HeadStep step : steps) {
            Heads.Head head = Objects.requireNonNull(heads.get(step.stream()));
            new Fences(database.sql(), step, head.rights()).settle();
            if (step.entries().isEmpty()) {
                continue;
            }
            List<StoredEntry> stored = number(step, head.position(), head.seq());
            for (int i = 0; i < stored.size(); i++) {
                rows.add(columns(stored.get(i), step.entries().get(i), head.agentId()));
            }
            events.add(new EntriesStored(step.stream(), stored));
        }
        database.bulk().insert(ENTRIES, rows);
        return events;
    }

    private List<StoredEntry> number(HeadStep step, long lastPosition, long lastSeq) {
        long position = lastPosition - step.positions();
        Map<String, Long> seqs = new HashMap<>();
        seqs.put("", lastSeq - step.sessionNumbers());
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

    private static Object[] columns(StoredEntry stored, NewEntry entry, String agentId) {
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
}
