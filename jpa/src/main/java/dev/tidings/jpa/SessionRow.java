package dev.tidings.jpa;

import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.Versioned;
import org.jspecify.annotations.Nullable;

/** A session in its table; its children are counted. */
final class SessionRow {

    /** The columns that {@link #read} expects. */
    static final String COLUMNS = "s.id, s.account, s.agent_id, s.title, s.status, s.created_at, s.updated_at,"
            + " s.started_by_trigger, s.parent_session_id, s.run_id, s.plan,"
            + " (select count(*) from tidings_session c where c.parent_session_id = s.id), s.model_override,"
            + " s.description, s.version";

    private SessionRow() {}

    static Versioned<SessionInfo> read(Row row) {
        SessionInfo session = new SessionInfo(
                row.text(0),
                row.text(1),
                row.text(2),
                row.utf8OrNull(3),
                SessionStatus.ofCode(row.text(4)),
                row.number(5),
                row.number(6),
                row.payloadOrNull(7),
                row.textOrNull(8),
                row.textOrNull(9),
                row.payloadOrNull(10),
                Math.toIntExact(row.number(11)),
                row.payloadOrNull(12),
                row.utf8OrNull(13));
        return new Versioned<>(session, row.number(14));
    }

    static void insert(Sql sql, SessionInfo session) {
        StoredId.require(session.id());
        sql.update(
                "insert into tidings_session (account, agent_id, title, status, created_at, updated_at,"
                        + " started_by_trigger, parent_session_id, run_id, plan, model_override,"
                        + " description, version, id) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                columns(session, 1));
    }

    static void update(Sql sql, SessionInfo session, long version) {
        sql.update(
                "update tidings_session set account = ?, agent_id = ?, title = ?, status = ?, created_at = ?,"
                        + " updated_at = ?, started_by_trigger = ?, parent_session_id = ?, run_id = ?, plan = ?,"
                        + " model_override = ?, description = ?, version = ? where id = ?",
                columns(session, version));
    }

    private static @Nullable Object[] columns(SessionInfo session, long version) {
        return new Object[] {
            StoredId.require(session.account()),
            StoredId.require(session.agentId()),
            Sql.utf8OrNull(session.title()),
            session.status().code(),
            session.createdAt(),
            session.updatedAt(),
            session.startedByTrigger(),
            StoredId.requireOrNull(session.parentSessionId()),
            StoredId.requireOrNull(session.runId()),
            session.plan(),
            session.modelOverride(),
            Sql.utf8OrNull(session.description()),
            version,
            session.id()
        };
    }
}
