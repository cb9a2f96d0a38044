package dev.tidings.jpa;

import dev.tidings.FencedException;
import dev.tidings.spi.RunFence;
import java.util.Map;
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

    private final Sql sql;
    private final HeadStep step;
    private final Map<String, Right> rights;

    /**
     * The fences of a step.
     *
     * @param rights those of the runs that the step names, read after the head was locked
     */
    Fences(Sql sql, HeadStep step, Map<String, Right> rights) {
        this.sql = sql;
        this.step = step;
        this.rights = rights;
    }

    /** A run's right to write to a stream: which attempt has it, and whether it is over. */
    record Right(long attempt, boolean ended) {}

    /**
     * Does what the step asks of the fences.
     *
     * @throws FencedException if a right that the step needs does not hold
     */
    void settle() {
        step.required().values().forEach(fence -> require(fence, rights.get(fence.runId())));
        step.opened().values().forEach(fence -> open(fence, rights.get(fence.runId())));
        step.ended().values().stream()
                .filter(fence -> !step.opened().containsKey(fence.runId()))
                .forEach(fence -> end(fence, rights.get(fence.runId())));
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
