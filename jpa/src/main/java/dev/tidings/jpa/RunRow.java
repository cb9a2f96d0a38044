package dev.tidings.jpa;

import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.Versioned;
import org.jspecify.annotations.Nullable;

/** A run in its table; its children are counted, and its owner and attempt are the ledger's and not written here. */
final class RunRow {

    /** The columns that {@link #read} expects. */
    static final String COLUMNS = "r.id, r.account, r.root_run_id, r.parent_run_id, r.parent_tool_call_id, r.depth,"
            + " (select count(*) from tidings_run c where c.parent_run_id = r.id), r.kind, r.agent_id, r.session_id, r.origin, r.title, r.status, r.details,"
            + " r.usage_input, r.usage_output, r.usage_cache_read, r.usage_cache_write, r.usage_total, r.created_at,"
            + " r.started_at, r.finished_at, r.updated_at, r.version";

    /** How many columns that is. */
    static final int WIDTH = 24;

    private RunRow() {}

    static Versioned<RunInfo> read(Row row) {
        RunInfo run = new RunInfo(
                row.text(0),
                row.text(1),
                row.text(2),
                new RunInfo.Lineage(
                        row.textOrNull(3),
                        row.utf8OrNull(4),
                        Math.toIntExact(row.number(5)),
                        Math.toIntExact(row.number(6))),
                row.text(7),
                row.textOrNull(8),
                row.textOrNull(9),
                row.text(10),
                row.utf8(11),
                RunStatus.ofCode(row.text(12)),
                row.payloadOrNull(13),
                usage(row),
                row.number(19),
                row.numberOrNull(20),
                row.numberOrNull(21),
                row.number(22));
        return new Versioned<>(run, row.number(23));
    }

    private static @Nullable RunUsage usage(Row row) {
        return row.numberOrNull(14) == null
                ? null
                : new RunUsage(row.number(14), row.number(15), row.number(16), row.number(17), row.number(18));
    }

    static void insert(Sql sql, RunInfo run) {
        StoredId.require(run.id());
        sql.update(
                "insert into tidings_run (account, root_run_id, parent_run_id, parent_tool_call_id, depth,"
                        + " kind, agent_id, session_id, origin, title, status, details, usage_input,"
                        + " usage_output, usage_cache_read, usage_cache_write, usage_total, created_at, started_at,"
                        + " finished_at, updated_at, version, id, attempt) values"
                        + " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
                columns(run, 1));
    }

    static void update(Sql sql, RunInfo run, long version) {
        sql.update(
                "update tidings_run set account = ?, root_run_id = ?, parent_run_id = ?, parent_tool_call_id = ?,"
                        + " depth = ?, kind = ?, agent_id = ?, session_id = ?, origin = ?,"
                        + " title = ?, status = ?, details = ?, usage_input = ?, usage_output = ?,"
                        + " usage_cache_read = ?, usage_cache_write = ?, usage_total = ?, created_at = ?,"
                        + " started_at = ?, finished_at = ?, updated_at = ?, version = ? where id = ?",
                columns(run, version));
    }

    private static @Nullable Object[] columns(RunInfo run, long version) {
        RunUsage usage = run.usage();
        return new Object[] {
            StoredId.require(run.account()),
            StoredId.require(run.rootRunId()),
            StoredId.requireOrNull(run.lineage().parentRunId()),
            Sql.utf8OrNull(run.lineage().parentToolCallId()),
            run.lineage().depth(),
            run.kind(),
            StoredId.requireOrNull(run.agentId()),
            StoredId.requireOrNull(run.sessionId()),
            run.origin(),
            Sql.utf8OrNull(run.title()),
            run.status().code(),
            run.details(),
            usage == null ? null : usage.input(),
            usage == null ? null : usage.output(),
            usage == null ? null : usage.cacheRead(),
            usage == null ? null : usage.cacheWrite(),
            usage == null ? null : usage.total(),
            run.createdAt(),
            run.startedAt(),
            run.finishedAt(),
            run.updatedAt(),
            version,
            run.id()
        };
    }
}
