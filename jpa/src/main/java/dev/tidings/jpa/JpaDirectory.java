package dev.tidings.jpa;

import dev.tidings.AgentActivity;
import dev.tidings.AgentInfo;
import dev.tidings.Collaborator;
import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.Versioned;
import dev.tidings.spi.Directory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads agents, sessions and runs, in the caller's transaction or one of its own.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional
class JpaDirectory implements Directory {

    private static final String ACTIVE = "('queued', 'claimed', 'running', 'waiting')";

    /** The agents that an account owns or was accepted for; takes the account twice. */
    private static final String MEMBERSHIPS = "(select id from tidings_agent where account = ? union"
            + " select agent_id from tidings_collaborator where account_id = ? and status = 'accepted') m";

    private final Database database;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaDirectory() {
        this(null);
    }

    @Inject
    JpaDirectory(Database database) {
        this.database = database;
    }

    @Override
    public Optional<Versioned<AgentInfo>> agent(String agentId) {
        return byId(agentId, "select " + AgentRow.COLUMNS + " from tidings_agent a where a.id = ?")
                .map(AgentRow::read);
    }

    @Override
    public Optional<Versioned<SessionInfo>> session(String sessionId) {
        return byId(sessionId, "select " + SessionRow.COLUMNS + " from tidings_session s where s.id = ?")
                .map(SessionRow::read);
    }

    @Override
    public Optional<Versioned<RunInfo>> run(String runId) {
        return byId(runId, "select " + RunRow.COLUMNS + " from tidings_run r where r.id = ?")
                .map(RunRow::read);
    }

    private Optional<Row> byId(String id, String select) {
        return StoredId.possible(id) ? sql().row(select, id) : Optional.empty();
    }

    @Override
    public List<AgentInfo> agents(AgentQuery query) {
        Long createdAfter = query.createdAfter();
        String idAfter = query.idAfter();
        if (!StoredId.possible(query.accountId())) {
            return List.of();
        }
        StringBuilder select = new StringBuilder("select " + AgentRow.COLUMNS + " from " + MEMBERSHIPS
                + " join tidings_agent a on a.id = m.id where a.version > 0");
        List<Object> arguments = new ArrayList<>(List.of(query.accountId(), query.accountId()));
        if (createdAfter != null && idAfter != null && StoredId.possible(idAfter)) {
            select.append(" and (a.created_at > ? or (a.created_at = ? and a.id > ?))");
            arguments.addAll(List.of(createdAfter, createdAfter, idAfter));
        } else if (createdAfter != null) {
            select.append(" and a.created_at > ?");
            arguments.add(createdAfter);
        }
        select.append(" order by a.created_at, a.id limit ").append(query.limit());
        return sql().rows(select.toString(), arguments.toArray()).stream()
                .map(row -> AgentRow.read(row).value())
                .toList();
    }

    @Override
    public List<SessionInfo> sessions(SessionQuery query) {
        String agentId = query.agentId();
        Long updatedBefore = query.updatedBefore();
        String idBefore = query.idBefore();
        if (!StoredId.possible(query.accountId()) || agentId != null && !StoredId.possible(agentId)) {
            return List.of();
        }
        StringBuilder select = new StringBuilder("select " + SessionRow.COLUMNS + " from " + MEMBERSHIPS
                + " join tidings_session s on s.agent_id = m.id where s.version > 0");
        List<Object> arguments = new ArrayList<>(List.of(query.accountId(), query.accountId()));
        if (agentId != null) {
            select.append(" and s.agent_id = ?");
            arguments.add(agentId);
        }
        if (updatedBefore != null && idBefore != null && StoredId.possible(idBefore)) {
            select.append(" and (s.updated_at < ? or (s.updated_at = ? and s.id < ?))");
            arguments.addAll(List.of(updatedBefore, updatedBefore, idBefore));
        } else if (updatedBefore != null) {
            select.append(" and s.updated_at < ?");
            arguments.add(updatedBefore);
        }
        select.append(" order by s.updated_at desc, s.id desc limit ").append(query.limit());
        return sql().rows(select.toString(), arguments.toArray()).stream()
                .map(row -> SessionRow.read(row).value())
                .toList();
    }

    @Override
    public List<RunInfo> runs(RunQuery query) {
        StringBuilder select =
                new StringBuilder("select " + RunRow.COLUMNS + " from tidings_run r where r.version > 0");
        List<Object> arguments = new ArrayList<>();
        boolean possible = narrow(select, arguments, "root_run_id", query.rootRunId())
                & narrow(select, arguments, "session_id", query.sessionId())
                & narrow(select, arguments, "agent_id", query.agentId())
                & narrow(
                        select,
                        arguments,
                        "status",
                        query.status() == null ? null : query.status().code());
        if (!possible) {
            return List.of();
        }
        select.append(" order by r.created_at, r.id limit ").append(query.limit());
        return sql().rows(select.toString(), arguments.toArray()).stream()
                .map(row -> RunRow.read(row).value())
                .toList();
    }

    @Override
    public List<Versioned<RunInfo>> tree(String rootRunId) {
        if (!StoredId.possible(rootRunId)) {
            return List.of();
        }
        String select = "select " + RunRow.COLUMNS
                + " from tidings_run r where r.version > 0 and r.root_run_id = ? order by r.created_at, r.id";
        return sql().rows(select, rootRunId).stream().map(RunRow::read).toList();
    }

    private static boolean narrow(
            StringBuilder select, List<Object> arguments, String column, @Nullable String wanted) {
        if (wanted == null) {
            return true;
        }
        select.append(" and r.").append(column).append(" = ?");
        arguments.add(wanted);
        return StoredId.possible(wanted);
    }

    @Override
    public Optional<RunInfo> activeRun(String sessionId) {
        String select = "select " + RunRow.COLUMNS + " from tidings_run r where r.session_id = ? and r.status in "
                + ACTIVE + " order by case when r.status = 'queued' then 1 else 0 end, r.created_at, r.id limit 1";
        return byId(sessionId, select).map(row -> RunRow.read(row).value());
    }

    @Override
    public Optional<AgentActivity> activity(String agentId) {
        if (!StoredId.possible(agentId)) {
            return Optional.empty();
        }
        Optional<Row> message = lastEntry(agentId, 1);
        Optional<Row> last = Stream.concat(message.stream(), lastEntry(agentId, 0).stream())
                .max(Comparator.<Row>comparingLong(row -> row.number(0)).thenComparingLong(row -> row.number(1)));
        return last.map(row -> new AgentActivity(
                row.number(0),
                row.text(2),
                message.map(m -> m.number(0)).orElse(null),
                message.map(m -> m.text(2)).orElse(null),
                message.map(m -> m.text(3)).orElse(null),
                busy(agentId)));
    }

    private Optional<Row> lastEntry(String agentId, int message) {
        return sql().row(
                        "select created_at, position, origin, stream_id from tidings_entry where agent_id = ?"
                                + " and agent_id <> '' and message = ? order by created_at desc, position desc limit 1",
                        agentId,
                        message);
    }

    private boolean busy(String agentId) {
        return sql().row("select id from tidings_run where agent_id = ? and status in " + ACTIVE + " limit 1", agentId)
                .isPresent();
    }

    @Override
    public List<Collaborator> collaborators(String agentId) {
        return collaborators(agentId, "c.agent_id = ? order by c.created_at, c.account_id");
    }

    @Override
    public List<Collaborator> invites(String accountId) {
        return collaborators(accountId, "c.account_id = ? and c.status = 'pending' order by c.created_at, c.agent_id");
    }

    private List<Collaborator> collaborators(String id, String where) {
        if (!StoredId.possible(id)) {
            return List.of();
        }
        String select = "select " + CollaboratorRow.COLUMNS + " from tidings_collaborator c where ";
        return sql().rows(select + where, id).stream()
                .map(CollaboratorRow::read)
                .toList();
    }

    private Sql sql() {
        return database.sql();
    }
}
