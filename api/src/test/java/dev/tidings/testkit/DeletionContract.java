package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Approval;
import dev.tidings.Head;
import dev.tidings.Role;
import dev.tidings.RunStatus;
import dev.tidings.SessionStatus;
import dev.tidings.StreamKey;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.spi.Directory.RunQuery;
import dev.tidings.spi.Directory.SessionQuery;
import dev.tidings.spi.RunFence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What every {@link dev.tidings.spi.DirectoryWriter} deletes. Threads: as said. */
public abstract class DeletionContract extends PortsContract {

    private final String owner = fresh("owner");
    private final String guest = fresh("guest");

    private String sharedAgent() {
        String agent = newAgent(owner);
        inTransaction(() -> {
            ports().grantsWriter().invite(agent, guest, Role.READER, 5);
            ports().grantsWriter().accept(agent, guest, 6);
            ports().grantsWriter().invite(agent, fresh("pending"), Role.READER, 5);
        });
        return agent;
    }

    private void say(StreamKey session, String id) {
        inTransaction(() -> ports().writer().append(session, event(id, "{\"type\":\"message\",\"role\":\"user\"}")));
    }

    private void deleteSession(StreamKey session) {
        inTransaction(() -> assertTrue(ports().directoryWriter().deleteSession(session.id())));
    }

    private void run(String id, String root, String agent, String session, RunStatus status) {
        inTransaction(() -> ports().directoryWriter().create(runInfo(id, root, agent, session, status, 1_000)));
    }

    @Test
    void deleteSession_withEntriesAndRuns_leavesNothingOfItAndIsToldOnce() {
        String agent = sharedAgent();
        StreamKey session = newSession(owner, agent);
        StreamKey other = newSession(owner, agent);
        say(session, "a");
        say(session, "b");
        say(other, "c");
        String run = newRun(agent, session.id(), RunStatus.SUCCEEDED);
        inTransaction(() -> ports().writer().append(StreamKey.run(run), journal("j", run)));
        Approval approval =
                new Approval(fresh("approval"), session.id(), run, "call", "tool", Approval.Status.PENDING, 1, 2, null);
        inTransaction(() -> ports().approvals().ask(approval));
        ports().takeEvents();

        deleteSession(session);
        assertTrue(ports().approvals().find(approval.id()).isEmpty(), "a tool's name and call are the session's");

        assertEquals(List.of(new SessionDeleted(session.id(), agent, Set.of(owner, guest))), ports().takeEvents());
        assertTrue(ports().directory().session(session.id()).isEmpty());
        assertTrue(ports().directory().run(run).isEmpty());
        for (StreamKey gone : List.of(session, StreamKey.run(run))) {
            assertEquals(List.of(), all(gone));
            assertEquals(new Head(0, 0), ports().log().head(gone));
        }
        assertEquals(List.of("c"), ids(other));
        assertEquals(
                other.id(), ports().directory().activity(agent).orElseThrow().sessionId());
    }

    @Test
    void deleteSession_unknown_isFalseAndUntold() {
        ports().takeEvents();
        inTransaction(() -> {
            assertFalse(ports().directoryWriter().deleteSession(fresh("none")));
            assertFalse(ports().directoryWriter().deleteSession("a\0"));
            assertFalse(ports().directoryWriter().deleteAgent(fresh("none")));
        });
        assertEquals(List.of(), ports().takeEvents());
    }

    @Test
    void deleteSession_rolledBack_keepsEverythingAndIsUntold() {
        StreamKey session = newSession(owner, sharedAgent());
        say(session, "a");
        ports().takeEvents();
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    ports().directoryWriter().deleteSession(session.id());
                    ports().setRollbackOnly();
                }));
        assertEquals(List.of("a"), ids(session));
        assertEquals(List.of(), ports().takeEvents());
    }

    @Test
    void deleteSession_withoutTransaction_throws() {
        StreamKey session = newSession();
        assertThrows(RuntimeException.class, () -> ports().directoryWriter().deleteSession(session.id()));
        assertTrue(ports().directory().session(session.id()).isPresent());
    }

    /** Law 10: a live run stores nothing any more, with its fence or without. */
    @Test
    void append_toADeletedSession_failsAndStoresNothing() {
        String agent = sharedAgent();
        StreamKey session = newSession(owner, agent);
        RunFence fence = new RunFence(newRun(agent, session.id(), RunStatus.RUNNING), 1);
        inTransaction(() -> ports().writer().openFence(session, fence));
        deleteSession(session);
        assertThrows(RuntimeException.class, () -> say(session, "late"));
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> ports().writer().append(session, event("late", "{}"), fence)));
        assertEquals(List.of(), all(session));
    }

    /** Law 10: runs elsewhere that belong to a deleted tree are fenced; the sessions that they work in stay. */
    @Test
    void deleteSession_withAChildInAnotherSession_fencesTheChild() {
        String agent = sharedAgent();
        StreamKey session = newSession(owner, agent);
        StreamKey child = newSession(owner, agent);
        String root = fresh("run");
        String inside = fresh("run");
        run(root, root, agent, session.id(), RunStatus.RUNNING);
        run(inside, root, agent, child.id(), RunStatus.RUNNING);
        RunFence fence = new RunFence(inside, 1);
        inTransaction(() -> {
            ports().writer().openFence(child, fence);
            ports().directoryWriter().changeSession(child.id(), s -> s.withStatus(SessionStatus.STREAMING, 2_000));
        });

        deleteSession(session);

        assertEquals(
                SessionStatus.IDLE,
                ports().directory().session(child.id()).orElseThrow().value().status(),
                "nobody works in it any more");
        assertTrue(ports().directory().run(inside).isEmpty());
        assertTrue(ports().directory().session(child.id()).isPresent());
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> ports().writer().append(child, event("late", "{}"), fence)));
        say(child, "by hand");
        assertEquals(List.of("by hand"), ids(child));
    }

    @Test
    void deleteSession_ofAChild_keepsTheTree() {
        String agent = sharedAgent();
        StreamKey session = newSession(owner, agent);
        StreamKey child = newSession(owner, agent);
        String root = fresh("run");
        String inside = fresh("run");
        run(root, root, agent, session.id(), RunStatus.RUNNING);
        run(inside, root, agent, child.id(), RunStatus.SUCCEEDED);
        inTransaction(() -> ports().writer().append(StreamKey.run(root), journal("j", root)));

        deleteSession(child);

        assertTrue(ports().directory().run(root).isPresent());
        assertTrue(ports().directory().run(inside).isEmpty());
        assertEquals(List.of("j"), ids(StreamKey.run(root)));
    }

    @Test
    void deleteAgent_withSessionsRunsAndGuests_leavesNothingAndIsToldOnce() {
        String agent = sharedAgent();
        List<StreamKey> sessions = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sessions.add(newSession(owner, agent));
        }
        say(sessions.get(0), "a");
        say(sessions.get(299), "b");
        String run = newRun(agent, sessions.get(7).id(), RunStatus.SUCCEEDED);
        String loose = newRun(agent, null, RunStatus.QUEUED);
        StreamKey foreign = newSession(owner, newAgent(owner));
        ports().takeEvents();

        inTransaction(() -> assertTrue(ports().directoryWriter().deleteAgent(agent)));

        List<Object> told = ports().takeEvents();
        // Callbacks of one transaction come in any order (law 13).
        assertEquals(2, told.size());
        assertEquals(
                Set.of(
                        new AgentDeleted(
                                agent,
                                Set.of(owner, guest),
                                sessions.stream().map(StreamKey::id).collect(Collectors.toSet())),
                        new GrantChanged(agent, null, null)),
                Set.copyOf(told));
        assertTrue(ports().directory().agent(agent).isEmpty());
        assertEquals(Set.of(), ports().grants().members(agent));
        assertEquals(List.of(), ports().directory().collaborators(agent));
        assertEquals(List.of(), ports().directory().runs(new RunQuery(null, null, agent, null, 200)));
        assertTrue(ports().directory().run(run).isEmpty());
        assertTrue(ports().directory().run(loose).isEmpty());
        for (StreamKey gone : sessions) {
            assertTrue(ports().directory().session(gone.id()).isEmpty());
            assertEquals(List.of(), all(gone));
        }
        assertTrue(ports().directory().activity(agent).isEmpty());
        assertEquals(
                List.of(foreign.id()),
                ports().directory().sessions(new SessionQuery(owner, null, null, null, 200)).stream()
                        .map(session -> session.id())
                        .toList());
    }

    /** Law 3: whoever appends at the same time is stored and deleted, or fails; nothing is left behind. */
    @Test
    void deleteSession_whileOthersAppend_leavesNoEntry() {
        for (int round = 0; round < 5; round++) {
            StreamKey session = newSession(owner, sharedAgent());
            List<CompletableFuture<Boolean>> writers = new ArrayList<>();
            for (int w = 0; w < 3; w++) {
                String prefix = round + "-" + w + "-";
                writers.add(CompletableFuture.supplyAsync(
                        () -> {
                            for (int i = 0; i < 200; i++) {
                                try {
                                    say(session, prefix + i);
                                } catch (RuntimeException gone) {
                                    return true;
                                }
                            }
                            return true;
                        },
                        task -> new Thread(task).start()));
            }
            deleteSession(session);
            writers.forEach(writer -> writer.orTimeout(60, TimeUnit.SECONDS).join());
            assertEquals(List.of(), all(session));
        }
    }
}
