package dev.tidings.sample.chat;

import dev.tidings.AgentActivity;
import dev.tidings.AgentInfo;
import dev.tidings.Collaborator;
import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.Versioned;
import dev.tidings.spi.Directory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chats as agents and as sessions; there are no runs and no collaborators.
 *
 * <p>Threads: safe for use by many threads. Public for the container; not API.
 */
@ApplicationScoped
@Transactional
public class ChatDirectory implements Directory {

    @PersistenceContext(unitName = "chat")
    private @Nullable EntityManager entityManager;

    @Override
    public Optional<Versioned<AgentInfo>> agent(String agentId) {
        return Optional.ofNullable(entityManager().find(Chat.class, agentId)).map(Shown::agent);
    }

    @Override
    public Optional<Versioned<SessionInfo>> session(String sessionId) {
        return Optional.ofNullable(entityManager().find(Chat.class, sessionId)).map(Shown::session);
    }

    @Override
    public List<AgentInfo> agents(AgentQuery query) {
        long after = Objects.requireNonNullElse(query.createdAfter(), Long.MIN_VALUE);
        String id = Objects.requireNonNullElse(query.idAfter(), "");
        String oldestFirst = "where c.owner = ?1 and (c.createdAt > ?2 or (c.createdAt = ?2 and c.id > ?3))"
                + " order by c.createdAt, c.id";
        return chats(oldestFirst, query.accountId(), after, id)
                .setMaxResults(query.limit())
                .getResultStream()
                .map(chat -> Shown.agent(chat).value())
                .toList();
    }

    @Override
    public List<SessionInfo> sessions(SessionQuery query) {
        long before = Objects.requireNonNullElse(query.updatedBefore(), Long.MAX_VALUE);
        String id = Objects.requireNonNullElse(query.idBefore(), "");
        String newestFirst = "where c.owner = ?1 and (?4 = '' or c.id = ?4)"
                + " and (c.updatedAt < ?2 or (c.updatedAt = ?2 and c.id < ?3)) order by c.updatedAt desc, c.id desc";
        String agent = Objects.requireNonNullElse(query.agentId(), "");
        return chats(newestFirst, query.accountId(), before, id, agent)
                .setMaxResults(query.limit())
                .getResultStream()
                .map(chat -> Shown.session(chat).value())
                .toList();
    }

    private TypedQuery<Chat> chats(String where, Object... arguments) {
        TypedQuery<Chat> query = entityManager().createQuery("select c from Chat c " + where, Chat.class);
        for (int i = 0; i < arguments.length; i++) {
            query.setParameter(i + 1, arguments[i]);
        }
        return query;
    }

    @Override
    public Optional<Versioned<RunInfo>> run(String runId) {
        return Optional.empty();
    }

    @Override
    public List<RunInfo> runs(RunQuery query) {
        return List.of();
    }

    @Override
    public List<Versioned<RunInfo>> tree(String rootRunId) {
        return List.of();
    }

    @Override
    public Optional<RunInfo> activeRun(String sessionId) {
        return Optional.empty();
    }

    @Override
    public Optional<AgentActivity> activity(String agentId) {
        return Optional.empty();
    }

    @Override
    public List<Collaborator> collaborators(String agentId) {
        return List.of();
    }

    @Override
    public List<Collaborator> invites(String accountId) {
        return List.of();
    }

    private EntityManager entityManager() {
        return Objects.requireNonNull(entityManager);
    }
}
