package dev.tidings.jpa;

import dev.tidings.Payload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Statements that name each row, for databases that have no better way. Threads: safe. */
final class PortableBulkSql implements BulkSql {

    /** The longest insert, in values and bytes; MariaDB refuses packets above 16 MiB by default. */
    private static final int MAX_VALUES = 450;

    private static final long MAX_BYTES = 1024 * 1024;

    private final Sql sql;
    private final Dialect dialect;

    PortableBulkSql(Sql sql, Dialect dialect) {
        this.sql = sql;
        this.dialect = dialect;
    }

    @Override
    public List<Row> raiseHeads(String kind, List<HeadStep> steps) {
        List<Object> arguments = new ArrayList<>();
        String update = "update tidings_head" + dialect.byKey() + " set position = position + "
                + increments(steps, steps.stream().map(HeadStep::positions).toList(), arguments)
                + ", seq = seq + "
                + increments(steps, steps.stream().map(HeadStep::sessionNumbers).toList(), arguments)
                + " where stream_kind = ? and stream_id in (?)"
                + dialect.inOrderOfStreams();
        arguments.add(kind);
        arguments.add(ids(steps));
        sql.update(update, arguments.toArray());
        return sql.rows(
                "select stream_id, position, seq, agent_id from tidings_head" + dialect.byKey()
                        + " where stream_kind = ? and stream_id in (?)" + dialect.newestRead(),
                kind,
                ids(steps));
    }

    private static String increments(List<HeadStep> steps, List<Integer> increments, List<Object> arguments) {
        if (increments.stream().distinct().count() == 1) {
            arguments.add(increments.get(0));
            return "?";
        }
        // As many cases as a power of two, so that statement caches see few statements.
        int cases = Integer.highestOneBit(steps.size() * 2 - 1);
        for (int i = 0; i < cases; i++) {
            int step = Math.min(i, steps.size() - 1);
            arguments.add(steps.get(step).stream().id());
            arguments.add(increments.get(step));
        }
        return "case stream_id" + " when ? then ?".repeat(cases) + " end";
    }

    @Override
    public List<Row> rights(String kind, List<HeadStep> steps) {
        List<Object> arguments = new ArrayList<>();
        arguments.add(kind);
        for (HeadStep step : steps) {
            arguments.add(step.stream().id());
            arguments.add(step.runs());
        }
        return sql.rows(
                "select stream_id, run_id, attempt, ended from tidings_fence" + dialect.byKey()
                        + " where stream_kind = ? and ("
                        + String.join(" or ", Collections.nCopies(steps.size(), "stream_id = ? and run_id in (?)"))
                        + ")"
                        + dialect.newestRead(),
                arguments.toArray());
    }

    private static List<String> ids(List<HeadStep> steps) {
        return steps.stream().map(step -> step.stream().id()).toList();
    }

    /** The numbers of rows are powers of two, so that statement caches see few statements. */
    @Override
    public void insert(BulkTable table, List<Object[]> rows) {
        int columns = table.columns().size();
        String values = "(?" + ", ?".repeat(columns - 1) + ")";
        int from = 0;
        while (from < rows.size()) {
            int count = Integer.highestOneBit(fitting(rows, from, MAX_VALUES / columns));
            Object[] arguments = new Object[count * columns];
            for (int i = 0; i < count; i++) {
                System.arraycopy(rows.get(from + i), 0, arguments, i * columns, columns);
            }
            sql.update(table.insertInto() + "values " + values + (", " + values).repeat(count - 1), arguments);
            from += count;
        }
    }

    private static int fitting(List<Object[]> rows, int from, int max) {
        long bytes = 0;
        int count = 0;
        while (count < max && from + count < rows.size()) {
            bytes += payloadBytes(rows.get(from + count));
            if (count > 0 && bytes > MAX_BYTES) {
                break;
            }
            count++;
        }
        return count;
    }

    private static long payloadBytes(Object[] row) {
        long bytes = 0;
        for (Object value : row) {
            bytes += value instanceof Payload payload ? payload.size() : 0;
        }
        return bytes;
    }
}
