package dev.tidings.jpa;

import dev.tidings.AgentInfo;
import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.event.AgentChanged;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.spi.Grants;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Writes agents, sessions and runs in the caller's transaction, each under its row's lock, and fires what changed.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.MANDATORY)
class JpaDirectoryWriter implements DirectoryWriter {

    private final Database database;
    private final Grants grants;
    private final Event<Object> events;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaDirectoryWriter() {
        this(null, null, null);
    }

    @Inject
    JpaDirectoryWriter(Database database, JpaGrants grants, Event<Object> events) {
        this.database = database;
        this.grants = grants;
        this.events = events;
    }

    @Override
    public void create(AgentInfo agent) {
        AgentRow.insert(sql(), agent);
        events.fire(new AgentChanged(agent, 1, true));
    }

    @Override
    public void create(SessionInfo session) {
        SessionRow.insert(sql(), session);
        Streams.create(sql(), StreamKey.session(session.id()), session.agentId());
        events.fire(new SessionChanged(session, 1, true));
    }

    @Override
    public void create(RunInfo run) {
        RunRow.insert(sql(), run);
        if (run.rootRunId().equals(run.id())) {
            Streams.create(sql(), StreamKey.run(run.id()), "");
        }
        events.fire(new RunChanged(run, 1, true));
    }

    @Override
    public Optional<Versioned<AgentInfo>> changeAgent(String agentId, UnaryOperator<AgentInfo> change) {
        return locked(agentId, AgentRow.COLUMNS, "tidings_agent a where a.id = ?")
                .map(AgentRow::read)
                .map(before -> {
                    AgentInfo after = change.apply(before.value());
                    if (after == before.value()) {
                        return before;
                    }
                    requireSameId(agentId, after.id());
                    AgentRow.update(sql(), after, before.version() + 1);
                    events.fire(new AgentChanged(after, before.version() + 1, false));
                    if (!after.account().equals(before.value().account())) {
                        events.fire(new GrantChanged(agentId, null, null));
                    } else if (after.publicRead() != before.value().publicRead()) {
                        events.fire(GrantChanged.publicRead(agentId, after.publicRead()));
                    }
                    return new Versioned<>(after, before.version() + 1);
                });
    }

    @Override
    public Optional<Versioned<SessionInfo>> changeSession(String sessionId, UnaryOperator<SessionInfo> change) {
        return locked(sessionId, SessionRow.COLUMNS, "tidings_session s where s.id = ?")
                .map(SessionRow::read)
                .map(before -> {
                    SessionInfo after = change.apply(before.value());
                    if (after == before.value()) {
                        return before;
                    }
                    requireSameId(sessionId, after.id());
                    SessionRow.update(sql(), after, before.version() + 1);
                    events.fire(new SessionChanged(after, before.version() + 1, false));
                    return new Versioned<>(after, before.version() + 1);
                });
    }

    @Override
    public Optional<Versioned<RunInfo>> changeRun(String runId, UnaryOperator<RunInfo> change) {
        return locked(runId, RunRow.COLUMNS, "tidings_run r where r.id = ?")
                .map(RunRow::read)
                .map(before -> {
                    RunInfo after = change.apply(before.value());
                    if (after == before.value()) {
                        return before;
                    }
                    requireSameId(runId, after.id());
                    RunRow.update(sql(), after, before.version() + 1);
                    events.fire(new RunChanged(after, before.version() + 1, false));
                    return new Versioned<>(after, before.version() + 1);
                });
    }

    @Override
    public boolean deleteSession(String sessionId) {
        Optional<SessionInfo> session = locked(sessionId, SessionRow.COLUMNS, "tidings_session s where s.id = ?")
                .map(row -> SessionRow.read(row).value());
        session.ifPresent(found -> {
            Set<String> members = grants.members(found.agentId());
            deletion().delete(List.of(sessionId), null);
            events.fire(new SessionDeleted(sessionId, found.agentId(), members));
        });
        return session.isPresent();
    }

    @Override
    public boolean deleteAgent(String agentId) {
        if (locked(agentId, "a.id", "tidings_agent a where a.id = ?").isEmpty()) {
            return false;
        }
        Set<String> members = grants.members(agentId);
        Set<String> sessions = lockSessions(agentId);
        deletion().delete(List.copyOf(sessions), agentId);
        sql().update("delete from tidings_collaborator where agent_id = ?", agentId);
        sql().update("delete from tidings_agent where id = ?", agentId);
        events.fire(new AgentDeleted(agentId, members, sessions));
        events.fire(new GrantChanged(agentId, null, null));
        return true;
    }

    /**
     * All sessions of an agent, locked. A statement finds what was there when it began: while it waited for a session, a run
     * in that one may have made another, of a child. Once all are held there is nobody left to make one.
     */
    private Set<String> lockSessions(String agentId) {
        Set<String> sessions = new HashSet<>();
        int before;
        do {
            before = sessions.size();
            sql().rows("select id from tidings_session where agent_id = ? order by id for update", agentId)
                    .forEach(row -> sessions.add(row.text(0)));
        } while (sessions.size() > before);
        return Set.copyOf(sessions);
    }

    private Deletion deletion() {
        return new Deletion(
                sql(),
                database.dialect(),
                sessionId -> changeSession(
                        sessionId,
                        s -> s.status() == SessionStatus.STREAMING
                                ? s.withStatus(SessionStatus.IDLE, s.updatedAt())
                                : s));
    }

    private Optional<Row> locked(String id, String columns, String fromWhere) {
        return StoredId.possible(id)
                ? sql().row("select " + columns + " from " + fromWhere + " for update", id)
                : Optional.empty();
    }

    private static void requireSameId(String before, String after) {
        if (!after.equals(before)) {
            throw new IllegalArgumentException("an id never changes");
        }
    }

    private Sql sql() {
        return database.sql();
    }
}
