package dev.tidings.jpa;

import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes the heads of streams and reads what they and the rights of their runs are from then on.
 *
 * <p>A head is raised when it is taken: from then until the commit the row is locked, so that position order is commit
 * order and a rollback takes its numbers back. The rights are read by a statement behind it (law 10): one statement for both
 * would judge them by what was committed before it began to wait for the head.
 *
 * <p>Confined: the transaction's thread.
 */
final class Heads {

    private final Sql single;
    private final String byKey;
    private final String newestRead;
    private final BulkSql sql;
    private final int atOnce;
    private final Map<StreamKey, Head> heads = new HashMap<>();

    private Heads(Database database) {
        this.single = database.sql();
        this.byKey = database.dialect().byKey();
        this.newestRead = database.dialect().newestRead();
        this.sql = database.bulk();
        this.atOnce = database.dialect().headsAtOnce();
    }

    /**
     * A head that was raised, and what the runs that the step names may do.
     *
     * @param rights by run; a run without one has no right yet
     */
    record Head(long position, long seq, String agentId, Map<String, Fences.Right> rights) {}

    /**
     * Takes the heads of all steps.
     *
     * @param steps in key order, of which two never name the same stream
     * @throws UnknownStreamException if one of the streams does not exist
     */
    static Map<StreamKey, Head> take(Database database, List<HeadStep> steps) {
        Heads heads = new Heads(database);
        int from = 0;
        while (from < steps.size()) {
            StreamKey.Kind kind = steps.get(from).stream().kind();
            int to = from;
            while (to < steps.size()
                    && to - from < heads.atOnce
                    && steps.get(to).stream().kind() == kind) {
                to++;
            }
            heads.takeSome(Streams.code(kind), steps.subList(from, to));
            from = to;
        }
        return heads.heads;
    }

    private void takeSome(String kind, List<HeadStep> steps) {
        if (steps.size() == 1) {
            takeOne(kind, steps.get(0));
        } else {
            takeSeveral(kind, steps);
        }
        for (HeadStep step : steps) {
            if (!heads.containsKey(step.stream())) {
                throw new UnknownStreamException(step.stream());
            }
        }
    }

    /** Nearly every transaction: plain statements, which find the row by its key in any state of a database's statistics. */
    private void takeOne(String kind, HeadStep step) {
        String id = step.stream().id();
        single.update(
                "update tidings_head" + byKey
                        + " set position = position + ?, seq = seq + ? where stream_kind = ? and stream_id = ?",
                step.positions(),
                step.sessionNumbers(),
                kind,
                id);
        if (step.runs().isEmpty()) {
            single.row(
                            "select position, seq, agent_id from tidings_head" + byKey
                                    + " where stream_kind = ? and stream_id = ?" + newestRead,
                            kind,
                            id)
                    .ifPresent(row -> put(step, row, Map.of()));
        } else {
            readWithRights(kind, step);
        }
    }

    /** One statement reads the head and the rights. */
    private void readWithRights(String kind, HeadStep step) {
        List<Row> rows = single.rows(
                "select h.position, h.seq, h.agent_id, f.run_id, f.attempt, f.ended from tidings_head h" + byKey
                        + " left join tidings_fence f" + byKey
                        + " on f.stream_kind = h.stream_kind and f.stream_id = h.stream_id"
                        + " and f.run_id in (?) where h.stream_kind = ? and h.stream_id = ?"
                        + newestRead,
                step.runs(),
                kind,
                step.stream().id());
        Map<String, Fences.Right> rights = new HashMap<>();
        for (Row row : rows) {
            String run = row.textOrNull(3);
            if (run != null) {
                rights.put(run, new Fences.Right(row.number(4), row.flag(5)));
            }
        }
        rows.stream().findFirst().ifPresent(row -> put(step, row, rights));
    }

    private void put(HeadStep step, Row row, Map<String, Fences.Right> rights) {
        heads.put(step.stream(), new Head(row.number(0), row.number(1), row.text(2), rights));
    }

    private void takeSeveral(String kind, List<HeadStep> steps) {
        List<Row> rows = sql.raiseHeads(kind, steps);
        List<HeadStep> ofRuns =
                steps.stream().filter(step -> !step.runs().isEmpty()).toList();
        Map<String, Map<String, Fences.Right>> rights = new HashMap<>();
        if (!ofRuns.isEmpty()) {
            for (Row row : sql.rights(kind, ofRuns)) {
                rights.computeIfAbsent(row.text(0), id -> new HashMap<>())
                        .put(row.text(1), new Fences.Right(row.number(2), row.flag(3)));
            }
        }
        for (Row row : rows) {
            String id = row.text(0);
            heads.put(
                    Streams.key(kind, id),
                    new Head(row.number(1), row.number(2), row.text(3), rights.getOrDefault(id, Map.of())));
        }
    }
}
