package dev.tidings.testkit;

import dev.tidings.AgentActivity;
import dev.tidings.AgentInfo;
import dev.tidings.Collaborator;
import dev.tidings.EntryOrigin;
import dev.tidings.NewEntry;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.event.AgentChanged;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.spi.Directory;
import dev.tidings.spi.DirectoryWriter;
import dev.tidings.testkit.InMemoryStore.Row;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Agents, sessions and runs in memory.
 *
 * <p>Threads: safe; a transaction belongs to one thread.
 */
final class InMemoryDirectory implements Directory, DirectoryWriter {

    private static final Comparator<SessionInfo> NEWEST_FIRST = Comparator.comparing(SessionInfo::updatedAt)
            .thenComparing(SessionInfo::id)
            .reversed();

    record AgentRow(AgentInfo info, long version) {}

    record SessionRow(SessionInfo info, long version) {}

    record RunRow(RunInfo info, long version, @Nullable String owner, long attempt, boolean cancelAsked) {}

    static Row<AgentRow> agentRow(String id) {
        return new Row<>(AgentRow.class, id);
    }

    static Row<SessionRow> sessionRow(String id) {
        return new Row<>(SessionRow.class, id);
    }

    static Row<RunRow> runRow(String id) {
        return new Row<>(RunRow.class, id);
    }

    private final InMemoryStore store;
    private final InMemoryLog log;
    private final InMemoryDeletion deletion;

    InMemoryDirectory(InMemoryStore store, InMemoryLog log) {
        this.store = store;
        this.log = log;
        this.deletion = new InMemoryDeletion(store, log, this::release);
    }

    @Override
    public void create(AgentInfo agent) {
        requireNew(agentRow(agent.id()));
        store.put(agentRow(agent.id()), new AgentRow(agent, 1));
        store.fire(new AgentChanged(agent, 1, true));
    }

    @Override
    public void create(SessionInfo session) {
        requireNew(sessionRow(session.id()));
        store.put(sessionRow(session.id()), new SessionRow(session, 1));
        log.create(StreamKey.session(session.id()));
        store.fire(new SessionChanged(session, 1, true));
    }

    @Override
    public void create(RunInfo run) {
        requireNew(runRow(run.id()));
        store.put(runRow(run.id()), new RunRow(run, 1, null, 0, false));
        if (run.rootRunId().equals(run.id())) {
            log.create(StreamKey.run(run.id()));
        }
        store.fire(new RunChanged(run, 1, true));
    }

    private void requireNew(Row<?> row) {
        if (store.lockRow(row).isPresent()) {
            throw new IllegalStateException("the id is taken: " + row.key());
        }
    }

    /** The row with its children, which are counted and not stored. */
    private SessionRow counted(SessionRow row) {
        long children = store.all(SessionRow.class).stream()
                .filter(other -> row.info().id().equals(other.info().parentSessionId()))
                .count();
        return row.info().childSessionCount() == children
                ? row
                : new SessionRow(row.info().withChildSessionCount((int) children), row.version());
    }

    private RunRow counted(RunRow row) {
        long children = store.all(RunRow.class).stream()
                .filter(other -> row.info().id().equals(other.info().lineage().parentRunId()))
                .count();
        return row.info().lineage().childRunCount() == children
                ? row
                : new RunRow(
                        row.info().withChildRunCount((int) children),
                        row.version(),
                        row.owner(),
                        row.attempt(),
                        row.cancelAsked());
    }

    @Override
    public Optional<Versioned<AgentInfo>> changeAgent(String agentId, UnaryOperator<AgentInfo> change) {
        return store.lockRow(agentRow(agentId)).map(row -> {
            AgentInfo changed = change.apply(row.info());
            if (changed == row.info()) {
                return new Versioned<>(row.info(), row.version());
            }
            store.put(agentRow(agentId), new AgentRow(changed, row.version() + 1));
            store.fire(new AgentChanged(changed, row.version() + 1, false));
            if (!changed.account().equals(row.info().account())) {
                store.fire(new GrantChanged(agentId, null, null));
            } else if (changed.publicRead() != row.info().publicRead()) {
                store.fire(GrantChanged.publicRead(agentId, changed.publicRead()));
            }
            return new Versioned<>(changed, row.version() + 1);
        });
    }

    @Override
    public Optional<Versioned<SessionInfo>> changeSession(String sessionId, UnaryOperator<SessionInfo> change) {
        return store.lockRow(sessionRow(sessionId)).map(this::counted).map(row -> {
            SessionInfo changed = change.apply(row.info());
            if (changed == row.info()) {
                return new Versioned<>(row.info(), row.version());
            }
            store.put(sessionRow(sessionId), new SessionRow(changed, row.version() + 1));
            store.fire(new SessionChanged(changed, row.version() + 1, false));
            return new Versioned<>(changed, row.version() + 1);
        });
    }

    @Override
    public Optional<Versioned<RunInfo>> changeRun(String runId, UnaryOperator<RunInfo> change) {
        return store.lockRow(runRow(runId)).map(this::counted).map(row -> {
            RunInfo changed = change.apply(row.info());
            if (changed == row.info()) {
                return new Versioned<>(row.info(), row.version());
            }
            store.put(
                    runRow(runId),
                    new RunRow(changed, row.version() + 1, row.owner(), row.attempt(), row.cancelAsked()));
            store.fire(new RunChanged(changed, row.version() + 1, false));
            return new Versioned<>(changed, row.version() + 1);
        });
    }

    @Override
    public boolean deleteSession(String sessionId) {
        return store.lockRow(sessionRow(sessionId))
                .map(row -> {
                    deletion.session(sessionId);
                    String agentId = row.info().agentId();
                    store.fire(new SessionDeleted(sessionId, agentId, members(agentId)));
                    return true;
                })
                .orElse(false);
    }

    /** The live run of a session that stays goes. */
    private void release(String sessionId) {
        changeSession(
                sessionId,
                s -> s.status() == SessionStatus.STREAMING ? s.withStatus(SessionStatus.IDLE, s.updatedAt()) : s);
    }

    @Override
    public boolean deleteAgent(String agentId) {
        return store.lockRow(agentRow(agentId))
                .map(row -> {
                    Set<String> members = members(agentId);
                    Set<String> sessions = deletion.agent(agentId);
                    store.fire(new AgentDeleted(agentId, members, sessions));
                    store.fire(new GrantChanged(agentId, null, null));
                    return true;
                })
                .orElse(false);
    }

    private Set<String> members(String agentId) {
        Set<String> members = new HashSet<>();
        agent(agentId).ifPresent(agent -> {
            members.add(agent.value().account());
            collaborators(agentId).stream()
                    .filter(c -> c.status() == Collaborator.Status.ACCEPTED)
                    .forEach(c -> members.add(c.accountId()));
        });
        return members;
    }

    @Override
    public Optional<Versioned<AgentInfo>> agent(String agentId) {
        return store.find(agentRow(agentId)).map(row -> new Versioned<>(row.info(), row.version()));
    }

    @Override
    public Optional<Versioned<SessionInfo>> session(String sessionId) {
        return store.find(sessionRow(sessionId))
                .map(this::counted)
                .map(row -> new Versioned<>(row.info(), row.version()));
    }

    @Override
    public Optional<Versioned<RunInfo>> run(String runId) {
        return store.find(runRow(runId)).map(this::counted).map(row -> new Versioned<>(row.info(), row.version()));
    }

    @Override
    public List<AgentInfo> agents(AgentQuery query) {
        return store.all(AgentRow.class).stream()
                .map(AgentRow::info)
                .filter(agent -> isMember(agent, query.accountId()))
                .filter(agent -> isAfter(agent, query.createdAfter(), query.idAfter()))
                .sorted(Comparator.comparing(AgentInfo::createdAt).thenComparing(AgentInfo::id))
                .limit(query.limit())
                .toList();
    }

    private static boolean isAfter(AgentInfo agent, @Nullable Long createdAfter, @Nullable String idAfter) {
        return createdAfter == null
                || agent.createdAt() > createdAfter
                || agent.createdAt() == createdAfter
                        && idAfter != null
                        && agent.id().compareTo(idAfter) > 0;
    }

    private boolean isMember(AgentInfo agent, String accountId) {
        return agent.account().equals(accountId)
                || store.find(InMemoryGrants.row(agent.id(), accountId))
                        .filter(c -> c.status() == Collaborator.Status.ACCEPTED)
                        .isPresent();
    }

    @Override
    public List<SessionInfo> sessions(SessionQuery query) {
        return store.all(SessionRow.class).stream()
                .map(this::counted)
                .map(SessionRow::info)
                .filter(s -> query.agentId() == null || s.agentId().equals(query.agentId()))
                .filter(s -> agent(s.agentId())
                        .filter(a -> isMember(a.value(), query.accountId()))
                        .isPresent())
                .filter(s -> isBefore(s, query.updatedBefore(), query.idBefore()))
                .sorted(NEWEST_FIRST)
                .limit(query.limit())
                .toList();
    }

    private static boolean isBefore(SessionInfo session, @Nullable Long updatedBefore, @Nullable String idBefore) {
        if (updatedBefore == null) {
            return true;
        }
        return session.updatedAt() < updatedBefore
                || session.updatedAt() == updatedBefore
                        && idBefore != null
                        && session.id().compareTo(idBefore) < 0;
    }

    @Override
    public List<RunInfo> runs(RunQuery query) {
        Predicate<RunInfo> wanted =
                run -> (query.rootRunId() == null || run.rootRunId().equals(query.rootRunId()))
                        && (query.sessionId() == null || query.sessionId().equals(run.sessionId()))
                        && (query.agentId() == null || query.agentId().equals(run.agentId()))
                        && (query.status() == null || query.status() == run.status());
        return runs().filter(wanted).limit(query.limit()).toList();
    }

    @Override
    public List<Versioned<RunInfo>> tree(String rootRunId) {
        return store.all(RunRow.class).stream()
                .filter(row -> row.info().rootRunId().equals(rootRunId))
                .sorted(Comparator.<RunRow>comparingLong(row -> row.info().createdAt())
                        .thenComparing(row -> row.info().id()))
                .map(this::counted)
                .map(row -> new Versioned<>(row.info(), row.version()))
                .toList();
    }

    private java.util.stream.Stream<RunInfo> runs() {
        return store.all(RunRow.class).stream()
                .map(this::counted)
                .map(RunRow::info)
                .sorted(Comparator.comparing(RunInfo::createdAt).thenComparing(RunInfo::id));
    }

    @Override
    public Optional<RunInfo> activeRun(String sessionId) {
        List<RunInfo> active = runs().filter(run ->
                        sessionId.equals(run.sessionId()) && !run.status().terminal())
                .toList();
        return active.stream()
                .filter(run -> run.status() != RunStatus.QUEUED)
                .findFirst()
                .or(() -> active.stream().findFirst());
    }

    @Override
    public Optional<AgentActivity> activity(String agentId) {
        List<StoredEntry> events = store.all(SessionRow.class).stream()
                .filter(row -> row.info().agentId().equals(agentId))
                .flatMap(row -> log.stream(StreamKey.session(row.info().id())).entries().stream())
                .filter(StoredEntry::numbered)
                .sorted(Comparator.comparing(StoredEntry::createdAt)
                        .thenComparing(StoredEntry::position)
                        .reversed())
                .toList();
        boolean busy = runs().anyMatch(
                        run -> agentId.equals(run.agentId()) && !run.status().terminal());
        return events.stream().findFirst().map(last -> {
            Optional<StoredEntry> message =
                    events.stream().filter(entry -> origin(entry).message()).findFirst();
            return new AgentActivity(
                    last.createdAt(),
                    origin(last).kind(),
                    message.map(StoredEntry::createdAt).orElse(null),
                    message.map(entry -> origin(entry).kind()).orElse(null),
                    message.map(entry -> entry.stream().id()).orElse(null),
                    busy);
        });
    }

    private static EntryOrigin origin(StoredEntry entry) {
        return EntryOrigin.of(
                        new NewEntry(entry.id(), entry.kind(), true, entry.payload(), entry.runId(), entry.createdAt()))
                .orElseThrow();
    }

    @Override
    public List<Collaborator> collaborators(String agentId) {
        return store.all(Collaborator.class).stream()
                .filter(c -> c.agentId().equals(agentId))
                .sorted(Comparator.comparing(Collaborator::createdAt).thenComparing(Collaborator::accountId))
                .toList();
    }

    @Override
    public List<Collaborator> invites(String accountId) {
        return store.all(Collaborator.class).stream()
                .filter(c -> c.accountId().equals(accountId) && c.status() == Collaborator.Status.PENDING)
                .sorted(Comparator.comparing(Collaborator::createdAt).thenComparing(Collaborator::agentId))
                .toList();
    }
}
