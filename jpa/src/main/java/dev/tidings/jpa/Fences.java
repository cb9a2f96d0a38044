package dev.tidings.jpa;

import dev.tidings.FencedException;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.spi.RunFence;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks and moves the rights of runs to write to one stream, whose head this transaction has locked (law 10).
 *
 * <p>Each run has a row of its own in a stream, so that the runs of a tree write side by side. Whoever changes one holds
 * the head. A right that has ended keeps its row: no attempt of its run is ever let in again.
 *
 * <p>Confined: the transaction's thread.
 */
final class Fences {

    private static final String HEAD = "select h.position, h.seq, h.agent_id";

    private final Sql sql;
    private final Database database;
    private final HeadStep step;

    Fences(Database database, HeadStep step) {
        this.sql = database.sql();
        this.database = database;
        this.step = step;
    }

    private record Right(long attempt, boolean ended) {}

    /**
     * Does what the step asks of the fences.
     *
     * @return the head: position, seq, agent
     * @throws FencedException if a right that the step needs does not hold
     */
    Row settle() {
        Set<String> named = new LinkedHashSet<>(step.required().keySet());
        named.addAll(step.opened().keySet());
        named.addAll(step.ended().keySet());
        List<String> runs = List.copyOf(named);
        List<Row> rows = runs.isEmpty() ? head() : headWithRights(runs);
        Row head = rows.stream().findFirst().orElseThrow(() -> new UnknownStreamException(step.stream()));
        Map<String, Right> rights = new HashMap<>();
        for (Row row : runs.isEmpty() ? List.<Row>of() : rows) {
            String run = row.textOrNull(3);
            if (run != null) {
                rights.put(run, new Right(row.number(4), row.flag(5)));
            }
        }
        step.required().values().forEach(fence -> require(fence, rights.get(fence.runId())));
        step.opened().values().forEach(fence -> open(fence, rights.get(fence.runId())));
        step.ended().values().stream()
                .filter(fence -> !step.opened().containsKey(fence.runId()))
                .forEach(fence -> end(fence, rights.get(fence.runId())));
        return head;
    }

    private List<Row> head() {
        StreamKey stream = step.stream();
        return sql.rows(
                HEAD + " from tidings_head h where h.stream_kind = ? and h.stream_id = ?",
                Streams.code(stream),
                stream.id());
    }

    private List<Row> headWithRights(List<String> runs) {
        StreamKey stream = step.stream();
        return sql.rows(
                HEAD + ", f.run_id, f.attempt, f.ended from tidings_head h left join tidings_fence f"
                        + " on f.stream_kind = h.stream_kind and f.stream_id = h.stream_id and f.run_id in (?)"
                        + " where h.stream_kind = ? and h.stream_id = ?"
                        + database.dialect().newestRead(),
                runs,
                Streams.code(stream),
                stream.id());
    }

    private static void require(RunFence fence, @Nullable Right right) {
        if (right == null || right.ended() || right.attempt() != fence.attempt()) {
            throw new FencedException(fence.runId());
        }
    }

    private void open(RunFence fence, @Nullable Right before) {
        int ended = step.ended().containsKey(fence.runId()) ? 1 : 0;
        if (before == null) {
            insert(fence, ended);
            return;
        }
        if (before.ended() || before.attempt() > fence.attempt()) {
            throw new FencedException(fence.runId());
        }
        sql.update(
                "update tidings_fence set attempt = ?, ended = ? where stream_kind = ? and stream_id = ? and run_id = ?",
                fence.attempt(),
                ended,
                Streams.code(step.stream()),
                step.stream().id(),
                fence.runId());
    }

    private void insert(RunFence fence, int ended) {
        sql.update(
                "insert into tidings_fence (stream_kind, stream_id, run_id, attempt, ended) values (?, ?, ?, ?, ?)",
                Streams.code(step.stream()),
                step.stream().id(),
                fence.runId(),
                fence.attempt(),
                ended);
    }

    private void end(RunFence fence, @Nullable Right before) {
        if (before == null) {
            insert(fence, 1);
            return;
        }
        sql.update(
                "update tidings_fence set ended = 1 where stream_kind = ? and stream_id = ? and run_id = ?"
                        + " and attempt = ?",
                Streams.code(step.stream()),
                step.stream().id(),
                fence.runId(),
                fence.attempt());
    }
}
