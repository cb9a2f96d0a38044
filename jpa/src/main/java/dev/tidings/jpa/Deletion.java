package dev.tidings.jpa;

import dev.tidings.StreamKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes sessions with everything that hangs on them, in one transaction.
 *
 * <p>Runs of a deleted tree may work in sessions that stay: those are no longer busy. Order of the locks: sessions, runs,
 * heads in the order of their ids, as everywhere; a session that stays is one of a child, and comes behind its parent. A
 * run that has not ended may start children until its session is held, so the runs are looked for until all such sessions
 * are. From when a head is gone nobody appends to its stream: who was first has committed, and what it inserted is found by the
 * deletion of the entries, which comes later; who comes later finds no head.
 *
 * <p>Size: a statement for at most {@value #IDS_A_STATEMENT} ids of streams or rows, each by a key of its table: MariaDB
 * would read the whole table for a delete with a sub-select. All of them are one transaction, because half a session must
 * not be seen; a database takes its time over very many entries, and only who wants the same sessions waits for it.
 *
 * <p>Confined: one transaction's thread.
 */
final class Deletion {

    private static final int IDS_A_STATEMENT = 256;
    private static final String RUNS = "select id, root_run_id, session_id, status from tidings_run where ";
    private static final Set<String> LIVE = Set.of("claimed", "running", "waiting");
    private static final String QUEUED = "queued";

    private final Sql sql;
    private final Dialect dialect;
    private final Set<String> roots = new TreeSet<>(Staging.ID_ORDER);
    private final Set<String> runs = new TreeSet<>(Staging.ID_ORDER);
    private final Set<String> sessionsElsewhere = new TreeSet<>(Staging.ID_ORDER);
    /** Sessions that stay, and in which a run has not ended, or is live. */
    private final Set<String> unended = new TreeSet<>(Staging.ID_ORDER);

    private final Set<String> working = new TreeSet<>(Staging.ID_ORDER);
    private final Consumer<String> release;

    /** @param release told of each session that stays and whose live run goes; it is held, and the run is not yet */
    Deletion(Sql sql, Dialect dialect, Consumer<String> release) {
        this.sql = sql;
        this.dialect = dialect;
        this.release = release;
    }

    /** The sessions, by id and locked, and what belongs to them; those of an agent with the agent's other runs. */
    void delete(List<String> sessionIds, @Nullable String agentId) {
        List<String> sorted = sessionIds.stream().sorted(Staging.ID_ORDER).toList();
        Set<String> known = new HashSet<>(sorted);
        Set<String> held = new HashSet<>();
        collect(sorted, agentId, known);
        while (!held.containsAll(unended)) {
            each("select id from tidings_session where id in (?) order by id for update", unended, true);
            held.addAll(unended);
            collect(sorted, agentId, known);
        }
        working.forEach(release);
        each("select id from tidings_run where id in (?) order by id for update", runs, true);
        Set<String> heads = new HashSet<>(sorted);
        heads.addAll(sessionsElsewhere);
        lockHeads(StreamKey.Kind.SESSION, heads);
        deleteOf("tidings_head", StreamKey.Kind.SESSION, sorted);
        closeFences();
        lockHeads(StreamKey.Kind.RUN, roots);
        deleteOf("tidings_head", StreamKey.Kind.RUN, roots);
        deleteOf("tidings_fence", StreamKey.Kind.SESSION, sorted);
        deleteOf("tidings_fence", StreamKey.Kind.RUN, roots);
        deleteOf("tidings_entry", StreamKey.Kind.SESSION, sorted);
        deleteOf("tidings_entry", StreamKey.Kind.RUN, roots);
        each("delete from tidings_approval where run_id in (?)", runs, false);
        each("delete from tidings_run where id in (?)", runs, false);
        each("delete from tidings_session where id in (?)", sorted, false);
    }

    /** What belongs to the sessions as of now. */
    private void collect(List<String> sessionIds, @Nullable String agentId, Set<String> known) {
        unended.clear();
        working.clear();
        if (agentId != null) {
            collect(RUNS + "agent_id = ?", List.of(agentId), known);
        }
        collectIn(RUNS + "session_id in (?)", sessionIds, known);
        collectIn(RUNS + "root_run_id in (?)", roots, known);
    }

    private void collectIn(String select, Iterable<String> ids, Set<String> sessions) {
        for (List<String> chunk : chunks(ids)) {
            collect(select, chunk, sessions);
        }
    }

    private void collect(String select, Object argument, Set<String> sessions) {
        for (Row row : sql.rows(select, argument)) {
            runs.add(row.text(0));
            if (row.text(1).equals(row.text(0))) {
                roots.add(row.text(0));
            }
            String session = row.textOrNull(2);
            if (session != null && !sessions.contains(session)) {
                sessionsElsewhere.add(session);
                boolean live = LIVE.contains(row.text(3));
                if (live) {
                    working.add(session);
                }
                if (live || row.text(3).equals(QUEUED)) {
                    unended.add(session);
                }
            }
        }
    }

    /** A delete or an update locks rows in any order, a query in its own. */
    private void lockHeads(StreamKey.Kind kind, Set<String> ids) {
        Set<String> inOrder = new TreeSet<>(Staging.ID_ORDER);
        inOrder.addAll(ids);
        each(
                "select stream_id from tidings_head" + dialect.byKey() + " where stream_kind = '" + Streams.code(kind)
                        + "' and stream_id in (?) order by stream_id for update",
                inOrder,
                true);
    }

    /** The rows of some streams; their heads go first: without one nothing is appended. */
    private void deleteOf(String table, StreamKey.Kind kind, Iterable<String> ids) {
        each(
                "delete from " + table + " where stream_kind = '" + Streams.code(kind) + "' and stream_id in (?)",
                ids,
                false);
    }

    /** Runs of a deleted tree may work in sessions that stay; their heads are held. */
    private void closeFences() {
        for (String session : sessionsElsewhere) {
            for (List<String> chunk : chunks(runs)) {
                sql.update(
                        "update tidings_fence set ended = 1 where stream_kind = 's' and stream_id = ? and run_id in (?)",
                        session,
                        chunk);
            }
        }
    }

    private void each(String statement, Iterable<String> ids, boolean query) {
        for (List<String> chunk : chunks(ids)) {
            if (query) {
                sql.rows(statement, chunk);
            } else {
                sql.update(statement, chunk);
            }
        }
    }

    private static List<List<String>> chunks(Iterable<String> ids) {
        List<List<String>> chunks = new ArrayList<>();
        List<String> chunk = new ArrayList<>();
        for (String id : ids) {
            chunk.add(id);
            if (chunk.size() == IDS_A_STATEMENT) {
                chunks.add(chunk);
                chunk = new ArrayList<>();
            }
        }
        if (!chunk.isEmpty()) {
            chunks.add(chunk);
        }
        return chunks;
    }
}
