package dev.tidings.testkit;

import dev.tidings.Approval;
import dev.tidings.Collaborator;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.StreamKey;
import dev.tidings.spi.RunFence;
import dev.tidings.testkit.InMemoryDirectory.AgentRow;
import dev.tidings.testkit.InMemoryDirectory.RunRow;
import dev.tidings.testkit.InMemoryDirectory.SessionRow;
import dev.tidings.testkit.InMemoryStore.Row;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Deletes sessions and agents with everything that hangs on them, rows before heads.
 *
 * <p>Threads: safe; a transaction belongs to one thread.
 */
final class InMemoryDeletion {

    private final InMemoryStore store;
    private final InMemoryLog log;
    private final Consumer<String> release;

    InMemoryDeletion(InMemoryStore store, InMemoryLog log, Consumer<String> release) {
        this.store = store;
        this.log = log;
        this.release = release;
    }

    void session(String sessionId) {
        delete(Set.of(sessionId), run -> sessionId.equals(run.sessionId()));
    }

    /** Gives the sessions that went with it. */
    Set<String> agent(String agentId) {
        Set<String> sessions = new HashSet<>();
        for (SessionRow row : store.all(SessionRow.class)) {
            if (row.info().agentId().equals(agentId)) {
                sessions.add(row.info().id());
            }
        }
        delete(
                sessions,
                run -> agentId.equals(run.agentId()) || run.sessionId() != null && sessions.contains(run.sessionId()));
        for (Collaborator c : store.all(Collaborator.class)) {
            if (c.agentId().equals(agentId)) {
                remove(InMemoryGrants.row(agentId, c.accountId()));
            }
        }
        remove(new Row<>(AgentRow.class, agentId));
        return sessions;
    }

    private void delete(Set<String> sessions, Predicate<RunInfo> theirs) {
        sessions.stream().sorted().forEach(id -> store.lockRow(InMemoryDirectory.sessionRow(id)));
        List<RunInfo> all = store.all(RunRow.class).stream().map(RunRow::info).toList();
        Set<String> roots = new HashSet<>();
        all.stream().filter(run -> theirs.test(run) && isRoot(run)).forEach(run -> roots.add(run.id()));
        Set<String> elsewhere = new HashSet<>();
        Set<String> gone = new HashSet<>();
        for (RunInfo run : all) {
            if (theirs.test(run) || roots.contains(run.rootRunId())) {
                remove(InMemoryDirectory.runRow(run.id()));
                gone.add(run.id());
                if (run.sessionId() != null && !sessions.contains(run.sessionId())) {
                    elsewhere.add(run.sessionId());
                    if (!run.status().terminal() && run.status() != RunStatus.QUEUED) {
                        release.accept(run.sessionId());
                    }
                }
            }
        }
        sessions.forEach(id -> {
            remove(InMemoryDirectory.sessionRow(id));
            remove(InMemoryLog.row(StreamKey.session(id)));
        });
        roots.forEach(id -> remove(InMemoryLog.row(StreamKey.run(id))));
        store.all(Approval.class).stream()
                .filter(approval -> gone.contains(approval.runId()))
                .forEach(approval -> remove(new Row<>(Approval.class, approval.id())));
        elsewhere.forEach(id -> closeFence(id, gone));
    }

    /** While the transaction commits, as every step at a head. */
    private void closeFence(String sessionId, Set<String> runIds) {
        StreamKey session = StreamKey.session(sessionId);
        log.stream(session).rights().forEach((runId, right) -> {
            if (runIds.contains(runId)) {
                log.closeFence(session, new RunFence(runId, right.attempt()));
            }
        });
    }

    private static boolean isRoot(RunInfo run) {
        return run.rootRunId().equals(run.id());
    }

    private void remove(Row<?> row) {
        store.lockRow(row);
        store.remove(row);
    }
}
