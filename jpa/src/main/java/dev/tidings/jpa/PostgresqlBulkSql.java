package dev.tidings.jpa;

import dev.tidings.Payload;
import dev.tidings.UnknownStreamException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Statements with one argument a column, however many rows: each statement has one text, which drivers and the server
 * prepare once, and a provider binds few arguments. Threads: safe.
 */
final class PostgresqlBulkSql implements BulkSql {

    /** The longest insert; what is beyond it would only be held in memory twice. */
    private static final int MAX_ROWS = 1_000;

    private static final long MAX_BYTES = 1024 * 1024;

    private static final String TEXTS = "cast(? as text[])";
    private static final String NUMBERS = "cast(? as bigint[])";
    private static final String NONE = "{}";

    private static final String WANTED =
            "unnest(" + TEXTS + ", " + NUMBERS + ", " + NUMBERS + ") as w (stream_id, positions, numbers)";
    // An update locks rows in any order; a look-up for each id locks them in the order of the ids. The limit keeps it a
    // look-up, whatever the statistics say: as long as there are none, a join would compare each id with each head.
    // What
    // the query gives is what the heads are behind the wait for them.
    private static final String LOCK = "select h.stream_id, h.position, h.seq, h.agent_id"
            + " from unnest(" + TEXTS + ") as w (stream_id) cross join lateral"
            + " (select stream_id, position, seq, agent_id from tidings_head where stream_kind = ?"
            + " and stream_id = w.stream_id limit 1 for update) h";
    private static final String RAISE = "update tidings_head h set position = h.position + w.positions,"
            + " seq = h.seq + w.numbers from " + WANTED + " where h.stream_kind = ? and h.stream_id = w.stream_id";
    // The limit keeps it a look-up for each, whatever the statistics say.
    private static final String RIGHTS = "select w.stream_id, w.run_id, f.attempt, f.ended"
            + " from unnest(" + TEXTS + ", " + TEXTS + ") as w (stream_id, run_id) cross join lateral"
            + " (select attempt, ended from tidings_fence where stream_kind = ? and stream_id = w.stream_id"
            + " and run_id = w.run_id limit 1) f";

    private final Sql sql;

    PostgresqlBulkSql(Sql sql) {
        this.sql = sql;
    }

    @Override
    public List<Row> raiseHeads(String kind, List<HeadStep> steps) {
        ArrayText ids = new ArrayText();
        ArrayText positions = new ArrayText();
        ArrayText numbers = new ArrayText();
        for (HeadStep step : steps) {
            ids.add(step.stream().id());
            positions.add(step.positions());
            numbers.add(step.sessionNumbers());
        }
        Map<String, Row> locked = new HashMap<>();
        sql.rows(LOCK, ids.toString(), kind).forEach(row -> locked.put(row.text(0), row));
        List<Row> raised = new ArrayList<>(steps.size());
        for (HeadStep step : steps) {
            Row row = locked.get(step.stream().id());
            if (row == null) {
                // What is committed only now would be locked out of order.
                throw new UnknownStreamException(step.stream());
            }
            long position = row.number(1) + step.positions();
            long seq = row.number(2) + step.sessionNumbers();
            raised.add(new Row(new Object[] {row.text(0), position, seq, row.text(3)}));
        }
        sql.update(RAISE, ids.toString(), positions.toString(), numbers.toString(), kind);
        return raised;
    }

    @Override
    public List<Row> rights(String kind, List<HeadStep> steps) {
        ArrayText ids = new ArrayText();
        ArrayText runs = new ArrayText();
        for (HeadStep step : steps) {
            for (String run : step.runs()) {
                ids.add(step.stream().id());
                runs.add(run);
            }
        }
        return sql.rows(RIGHTS, ids.toString(), runs.toString(), kind);
    }

    @Override
    public void insert(BulkTable table, List<Object[]> rows) {
        int from = 0;
        while (from < rows.size()) {
            int to = from;
            long bytes = 0;
            do {
                bytes += payloadBytes(table, rows.get(to));
                to++;
            } while (to < rows.size()
                    && to - from < MAX_ROWS
                    && bytes + payloadBytes(table, rows.get(to)) <= MAX_BYTES);
            insertOnce(table, rows.subList(from, to));
            from = to;
        }
    }

    private static long payloadBytes(BulkTable table, Object[] row) {
        long bytes = 0;
        for (int column = 0; column < row.length; column++) {
            if (table.columns().get(column).type() == BulkTable.Type.PAYLOAD) {
                bytes += ((Payload) row[column]).size();
            }
        }
        return bytes;
    }

    /**
     * A column in which all rows have the same, which is most of them when a session is written to, goes as one value beside
     * an empty array: an array shorter than the others is filled up with nulls. At least one is as long as the rows, since
     * they differ in their key.
     */
    private void insertOnce(BulkTable table, List<Object[]> rows) {
        List<String> selected = new ArrayList<>();
        List<String> arrays = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<Object> values = new ArrayList<>();
        List<Object> arguments = new ArrayList<>();
        for (int column = 0; column < table.columns().size(); column++) {
            String name = "c" + column;
            switch (table.columns().get(column).type()) {
                case TEXT -> {
                    selected.add("coalesce(w." + name + ", cast(? as text))");
                    values.add(rows.get(0)[column]);
                    names.add(name);
                    arrays.add(TEXTS);
                    arguments.add(same(rows, column) ? NONE : texts(rows, column));
                }
                case NUMBER -> {
                    selected.add("coalesce(w." + name + ", cast(? as bigint))");
                    values.add(rows.get(0)[column]);
                    names.add(name);
                    arrays.add(NUMBERS);
                    arguments.add(same(rows, column) ? NONE : numbers(rows, column));
                }
                case PAYLOAD -> {
                    // All payloads one behind the other, and of each where it begins and how long it is.
                    Pieces pieces = Pieces.of(rows, column);
                    selected.add("substring(cast(? as bytea) from w." + name + "b for w." + name + "n)");
                    values.add(pieces.bytes());
                    names.add(name + "b");
                    names.add(name + "n");
                    arrays.add("cast(? as integer[])");
                    arrays.add("cast(? as integer[])");
                    arguments.add(pieces.begins());
                    arguments.add(pieces.sizes());
                }
            }
        }
        values.addAll(arguments);
        sql.update(
                table.insertInto() + "select " + String.join(", ", selected) + " from unnest("
                        + String.join(", ", arrays) + ") as w (" + String.join(", ", names) + ")",
                values.toArray());
    }

    private static boolean same(List<Object[]> rows, int column) {
        Object first = rows.get(0)[column];
        return rows.size() > 1 && rows.stream().allMatch(row -> row[column].equals(first));
    }

    private static String texts(List<Object[]> rows, int column) {
        ArrayText texts = new ArrayText();
        rows.forEach(row -> texts.add((String) row[column]));
        return texts.toString();
    }

    private static String numbers(List<Object[]> rows, int column) {
        ArrayText numbers = new ArrayText();
        rows.forEach(row -> numbers.add(((Number) row[column]).longValue()));
        return numbers.toString();
    }

    /** The payloads of some rows, one behind the other; the first byte is number 1. */
    private record Pieces(byte[] bytes, String begins, String sizes) {

        static Pieces of(List<Object[]> rows, int column) {
            List<Payload> payloads =
                    rows.stream().map(row -> (Payload) row[column]).toList();
            byte[] bytes = new byte[payloads.stream().mapToInt(Payload::size).sum()];
            ArrayText begins = new ArrayText();
            ArrayText sizes = new ArrayText();
            int at = 0;
            for (Payload payload : payloads) {
                payload.copyTo(bytes, at);
                begins.add(at + 1);
                sizes.add(payload.size());
                at += payload.size();
            }
            return new Pieces(bytes, begins.toString(), sizes.toString());
        }
    }
}
