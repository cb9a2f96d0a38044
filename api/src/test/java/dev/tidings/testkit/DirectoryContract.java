package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentActivity;
import dev.tidings.AgentInfo;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.Role;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.event.AgentChanged;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.spi.Directory.AgentQuery;
import dev.tidings.spi.Directory.RunQuery;
import dev.tidings.spi.Directory.SessionQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What every {@link dev.tidings.spi.Directory} and {@link dev.tidings.spi.DirectoryWriter} does. Threads: as said. */
public abstract class DirectoryContract extends PortsContract {

    @Test
    void create_agent_isReadBackAndTold() {
        AgentInfo agent = new AgentInfo(
                fresh("agent"),
                "owner",
                Payload.of("{\"name\":\"\u00e9\",\"n\":18446744073709551615,\"nul\":\"\\u0000\"}"),
                "/state",
                AgentInfo.AgentStatus.RUNNING,
                1,
                2,
                true);
        ports().takeEvents();
        inTransaction(() -> ports().directoryWriter().create(agent));
        assertEquals(Optional.of(new Versioned<>(agent, 1)), ports().directory().agent(agent.id()));
        assertEquals(List.of(new AgentChanged(agent, 1, true)), ports().takeEvents());
    }

    @Test
    void create_session_isReadBackAndTold() {
        SessionInfo full = new SessionInfo(
                fresh("session"),
                "owner",
                "agent",
                "title",
                SessionStatus.STREAMING,
                1,
                2,
                Payload.of("{\"trigger\":1}"),
                "parent",
                "run",
                Payload.of("{\"steps\":[]}"),
                0,
                Payload.of("\"model\""),
                "description");
        SessionInfo bare = SessionInfo.idle(fresh("session"), "owner", "agent", null, 1);
        ports().takeEvents();
        inTransaction(() -> ports().directoryWriter().create(full));
        inTransaction(() -> ports().directoryWriter().create(bare));
        assertEquals(Optional.of(new Versioned<>(full, 1)), ports().directory().session(full.id()));
        assertEquals(Optional.of(new Versioned<>(bare, 1)), ports().directory().session(bare.id()));
        assertEquals(
                List.of(new SessionChanged(full, 1, true), new SessionChanged(bare, 1, true)), ports().takeEvents());
    }

    @Test
    void create_run_isReadBackAndTold() {
        String id = fresh("run");
        RunInfo full = new RunInfo(
                id,
                "owner",
                id,
                new RunInfo.Lineage("parent", "call", 2, 0),
                "workflow",
                "agent",
                "session",
                "trigger",
                "title",
                RunStatus.WAITING,
                Payload.of("{\"wait\":{\"reason\":\"timer\"}}"),
                new RunUsage(1, 2, 3, 4, 1L << 60),
                1,
                2L,
                3L,
                4);
        RunInfo bare = runInfo(fresh("run"), id, null, null, RunStatus.QUEUED, 9);
        ports().takeEvents();
        inTransaction(() -> ports().directoryWriter().create(full));
        inTransaction(() -> ports().directoryWriter().create(bare));
        assertEquals(
                Optional.of(new Versioned<>(full.withChildRunCount(1), 1)),
                ports().directory().run(id),
                "bare is its child");
        assertEquals(Optional.of(new Versioned<>(bare, 1)), ports().directory().run(bare.id()));
        assertEquals(List.of(new RunChanged(full, 1, true), new RunChanged(bare, 1, true)), ports().takeEvents());
    }

    /** Children are counted, and never written to their parent's row: its version is its own. */
    @Test
    void session_withChildren_countsThem() {
        SessionInfo parent = SessionInfo.idle(fresh("session"), "owner", newAgent("owner"), null, 1);
        inTransaction(() -> ports().directoryWriter().create(parent));
        for (int i = 1; i <= 2; i++) {
            SessionInfo child = new SessionInfo(
                    fresh("session"),
                    "owner",
                    parent.agentId(),
                    null,
                    SessionStatus.IDLE,
                    1,
                    1,
                    null,
                    parent.id(),
                    "run",
                    null,
                    0,
                    null,
                    null);
            inTransaction(() -> ports().directoryWriter().create(child));
            assertEquals(
                    Optional.of(new Versioned<>(parent.withChildSessionCount(i), 1)),
                    ports().directory().session(parent.id()));
        }
        assertTrue(ports().directory().sessions(new SessionQuery("owner", parent.agentId(), null, null, 10)).stream()
                .anyMatch(parent.withChildSessionCount(2)::equals));
        ports().takeEvents();
        inTransaction(() ->
                ports().directoryWriter().changeSession(parent.id(), s -> s.withStatus(SessionStatus.STREAMING, 5)));
        SessionInfo changed = parent.withChildSessionCount(2).withStatus(SessionStatus.STREAMING, 5);
        assertEquals(List.of(new SessionChanged(changed, 2, false)), ports().takeEvents());
    }

    @Test
    void run_withChildren_countsThem() {
        String root = newRun(null, null, RunStatus.RUNNING);
        RunInfo before = ports().directory().run(root).orElseThrow().value();
        inTransaction(
                () -> ports().directoryWriter().create(runInfo(fresh("run"), root, null, null, RunStatus.QUEUED, 10)));
        ports().takeEvents();
        assertEquals(
                Optional.of(new Versioned<>(before.withChildRunCount(1), 1)),
                ports().directory().run(root));
        inTransaction(() -> {
            ports().directoryWriter().create(runInfo(fresh("run"), root, null, null, RunStatus.QUEUED, 11));
            ports().directoryWriter().changeRun(root, run -> run.withStatus(RunStatus.WAITING, 12));
        });
        RunInfo changed = before.withChildRunCount(2).withStatus(RunStatus.WAITING, 12);
        assertTrue(ports().takeEvents().contains(new RunChanged(changed, 2, false)));
    }

    @Test
    void create_idTaken_throwsAndChangesNothing() {
        String agent = newAgent("owner");
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> ports().directoryWriter().create(agentInfo(agent, "thief", false))));
        assertEquals(
                "owner", ports().directory().agent(agent).orElseThrow().value().account());
    }

    @Test
    void read_unknownId_isEmpty() {
        assertTrue(ports().directory().agent(fresh("none")).isEmpty());
        assertTrue(ports().directory().agent("a\0").isEmpty());
        assertTrue(ports().directory().session("a\0").isEmpty());
        assertTrue(ports().directory().run("a\0").isEmpty());
        assertTrue(ports().directory().run("x".repeat(10_000)).isEmpty());
        assertEquals(List.of(), ports().directory().agents(new AgentQuery("a\0", null, null, 200)));
        inTransaction(() -> {
            assertTrue(ports().directoryWriter()
                    .changeAgent(fresh("none"), agent -> agent)
                    .isEmpty());
            assertTrue(ports().directoryWriter()
                    .changeSession("a\0", session -> session)
                    .isEmpty());
            assertTrue(ports().directoryWriter()
                    .changeRun(fresh("none"), run -> run)
                    .isEmpty());
        });
    }

    @Test
    void change_sessionTwice_raisesTheVersionAndTellsEach() {
        StreamKey session = newSession();
        ports().takeEvents();
        inTransaction(() -> {
            ports().directoryWriter().changeSession(session.id(), s -> s.withStatus(SessionStatus.STREAMING, 7));
            Versioned<SessionInfo> last = ports().directoryWriter()
                    .changeSession(session.id(), s -> s.withStatus(SessionStatus.IDLE, 8))
                    .orElseThrow();
            assertEquals(3, last.version());
        });
        Versioned<SessionInfo> now = ports().directory().session(session.id()).orElseThrow();
        assertEquals(3, now.version());
        assertEquals(SessionStatus.IDLE, now.value().status());
        List<SessionChanged> told = eventsOf(SessionChanged.class);
        assertEquals(2, told.size());
        assertTrue(told.contains(new SessionChanged(now.value(), 3, false)));
    }

    @Test
    void change_sameObject_writesAndTellsNothing() {
        String agent = newAgent("owner");
        String run = newRun(agent, null, RunStatus.QUEUED);
        StreamKey session = newSession();
        ports().takeEvents();
        inTransaction(() -> {
            assertEquals(
                    1,
                    ports().directoryWriter()
                            .changeAgent(agent, a -> a)
                            .orElseThrow()
                            .version());
            ports().directoryWriter().changeRun(run, r -> r);
            ports().directoryWriter().changeSession(session.id(), s -> s);
        });
        assertEquals(List.of(), ports().takeEvents());
        assertEquals(1, ports().directory().agent(agent).orElseThrow().version());
    }

    @Test
    void change_run_keepsEveryMember() {
        String run = newRun(null, null, RunStatus.QUEUED);
        RunUsage usage = new RunUsage(1, 2, 3, 4, 10);
        inTransaction(() -> {
            ports().directoryWriter().changeRun(run, r -> r.withStatus(RunStatus.RUNNING, 20));
            ports().directoryWriter()
                    .changeRun(
                            run,
                            r -> r.withStatus(RunStatus.FAILED, 30).withDetails(Payload.of("{\"error\":{}}"), usage));
        });
        RunInfo now = ports().directory().run(run).orElseThrow().value();
        assertEquals(RunStatus.FAILED, now.status());
        assertEquals(20L, now.startedAt());
        assertEquals(30L, now.finishedAt());
        assertEquals(usage, now.usage());
        assertEquals(Payload.of("{\"error\":{}}"), now.details());
    }

    /** Law 6: a switch of public read is told as a change of grants, to everybody, and leaves the members alone. */
    @Test
    void change_publicRead_isToldAsAGrant() {
        String agent = newAgent("owner");
        for (boolean on : new boolean[] {true, false}) {
            ports().takeEvents();
            inTransaction(() -> changeAgent(agent, "owner", on));
            assertEquals(List.of(GrantChanged.publicRead(agent, on)), eventsOf(GrantChanged.class));
        }
    }

    /** Law 6: with a new owner nobody is sure to keep what he had. */
    @Test
    void change_owner_isToldAsAGrantThatMayConcernMembers() {
        String agent = newAgent("owner");
        ports().takeEvents();
        inTransaction(() -> changeAgent(agent, "heir", true));
        assertEquals(List.of(new GrantChanged(agent, null, null)), eventsOf(GrantChanged.class));
    }

    private void changeAgent(String agent, String owner, boolean publicRead) {
        ports().directoryWriter()
                .changeAgent(
                        agent,
                        a -> new AgentInfo(
                                a.id(), owner, a.definition(), null, a.status(), a.createdAt(), 2, publicRead));
    }

    /** Law 4: a change is computed from the row under its lock, so that none is lost. */
    @Test
    void change_manyAtOnce_loseNothing() throws InterruptedException, ExecutionException, TimeoutException {
        StreamKey session = newSession();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                futures.add(pool.submit(() -> {
                    for (int i = 0; i < 25; i++) {
                        inTransaction(() -> ports().directoryWriter()
                                .changeSession(session.id(), s -> s.withStatus(SessionStatus.IDLE, s.updatedAt() + 1)));
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        Versioned<SessionInfo> now = ports().directory().session(session.id()).orElseThrow();
        assertEquals(101, now.version());
        assertEquals(1_100, now.value().updatedAt());
    }

    @Test
    void agents_ownedAcceptedPendingAndForeign_givesTheFirstTwo() {
        String me = fresh("me");
        String owned = newAgent(me);
        String accepted = newAgent("other");
        String pending = newAgent("other");
        newAgent("other");
        inTransaction(() -> {
            ports().grantsWriter().invite(accepted, me, Role.READER, 5);
            ports().grantsWriter().accept(accepted, me, 6);
            ports().grantsWriter().invite(pending, me, Role.READER, 5);
        });
        assertEquals(
                List.of(owned, accepted).stream().sorted().toList(),
                ports().directory().agents(new AgentQuery(me, null, null, 200)).stream()
                        .map(AgentInfo::id)
                        .toList());
    }

    @Test
    void agents_paged_comeOldestFirstWithoutRepeat() {
        String me = fresh("me");
        for (long at : new long[] {7, 5, 5, 9}) {
            AgentInfo agent = agentInfo(fresh("agent"), me, false);
            inTransaction(() -> ports().directoryWriter()
                    .create(new AgentInfo(agent.id(), me, agent.definition(), null, agent.status(), at, at, false)));
        }
        List<AgentInfo> all = ports().directory().agents(new AgentQuery(me, null, null, 200));
        assertEquals(
                List.of(5L, 5L, 7L, 9L), all.stream().map(AgentInfo::createdAt).toList());
        assertTrue(all.get(0).id().compareTo(all.get(1).id()) < 0);
        AgentInfo first = all.get(0);
        assertEquals(List.of(first), ports().directory().agents(new AgentQuery(me, null, null, 1)));
        assertEquals(
                all.subList(1, 3), ports().directory().agents(new AgentQuery(me, first.createdAt(), first.id(), 2)));
        assertEquals(all.subList(2, 4), ports().directory().agents(new AgentQuery(me, first.createdAt(), null, 200)));
    }

    @Test
    void sessions_paged_comeNewestFirstWithoutRepeat() {
        String me = fresh("me");
        String agent = newAgent(me);
        String other = newAgent(me);
        for (long at : new long[] {5, 9, 5, 7}) {
            inTransaction(
                    () -> ports().directoryWriter().create(SessionInfo.idle(fresh("session"), me, agent, null, at)));
        }
        newSession(me, other);
        newSession("stranger", newAgent("stranger"));
        List<SessionInfo> all = ports().directory().sessions(new SessionQuery(me, agent, null, null, 200));
        assertEquals(
                List.of(9L, 7L, 5L, 5L),
                all.stream().map(SessionInfo::updatedAt).toList());
        assertTrue(all.get(2).id().compareTo(all.get(3).id()) > 0);
        List<SessionInfo> first = ports().directory().sessions(new SessionQuery(me, agent, null, null, 3));
        SessionInfo last = first.get(2);
        List<SessionInfo> rest =
                ports().directory().sessions(new SessionQuery(me, agent, last.updatedAt(), last.id(), 3));
        assertEquals(all.subList(0, 3), first);
        assertEquals(all.subList(3, 4), rest);
        assertEquals(
                5,
                ports().directory()
                        .sessions(new SessionQuery(me, null, null, null, 200))
                        .size());
        assertEquals(List.of(), ports().directory().sessions(new SessionQuery("stranger 2", agent, null, null, 200)));
    }

    @Test
    void runs_byTreeSessionAndAgent_comeByTime() {
        String agent = fresh("agent");
        String session = fresh("session");
        String root = fresh("run");
        String child = fresh("run");
        inTransaction(() -> {
            ports().directoryWriter().create(runInfo(root, root, agent, session, RunStatus.RUNNING, 20));
            ports().directoryWriter().create(runInfo(child, root, agent, null, RunStatus.QUEUED, 10));
        });
        assertEquals(List.of(child, root), runIds(new RunQuery(root, null, null, null, 200)));
        assertEquals(List.of(root), runIds(new RunQuery(null, session, null, null, 200)));
        assertEquals(List.of(child, root), runIds(new RunQuery(null, null, agent, null, 200)));
        assertEquals(List.of(child), runIds(new RunQuery(null, null, agent, RunStatus.QUEUED, 200)));
        assertEquals(List.of(child), runIds(new RunQuery(null, null, agent, null, 1)));
    }

    private List<String> runIds(RunQuery query) {
        return ports().directory().runs(query).stream().map(RunInfo::id).toList();
    }

    @Test
    void tree_root_givesAllItsRunsWithTheirVersions() {
        String root = fresh("run");
        RunInfo first = runInfo(root, root, null, null, RunStatus.RUNNING, 5);
        RunInfo late = runInfo(fresh("run") + "b", root, null, null, RunStatus.QUEUED, 9);
        RunInfo early = runInfo(fresh("run") + "a", root, null, null, RunStatus.QUEUED, 7);
        inTransaction(() -> {
            ports().directoryWriter().create(first);
            ports().directoryWriter().create(late);
            ports().directoryWriter().create(early);
        });
        inTransaction(() ->
                ports().directoryWriter().changeRun(late.id(), run -> run.withStatus(RunStatus.RUNNING, 11)));
        Versioned<RunInfo> changed = ports().directory().run(late.id()).orElseThrow();
        assertEquals(2, changed.version());
        assertEquals(
                List.of(new Versioned<>(first.withChildRunCount(2), 1), new Versioned<>(early, 1), changed),
                ports().directory().tree(root));
        assertEquals(List.of(), ports().directory().tree(late.id()));
        assertEquals(List.of(), ports().directory().tree("a\0"));
    }

    @Test
    void activeRun_queuedBehindARunningOne_givesTheRunningOne() {
        String session = fresh("session");
        assertTrue(ports().directory().activeRun(session).isEmpty());
        newRun(null, session, RunStatus.SUCCEEDED);
        assertTrue(ports().directory().activeRun(session).isEmpty());
        String queued = newRun(null, session, RunStatus.QUEUED);
        assertEquals(
                queued, ports().directory().activeRun(session).orElseThrow().id());
        String running = newRun(null, session, RunStatus.RUNNING);
        assertEquals(
                running, ports().directory().activeRun(session).orElseThrow().id());
    }

    @Test
    void activity_eventsAndMessages_areRolledUp() {
        String agent = newAgent("owner");
        StreamKey one = newSession("owner", agent);
        StreamKey two = newSession("owner", agent);
        assertTrue(ports().directory().activity(agent).isEmpty());
        append(one, "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"role\":\"assistant\"}]}", 10);
        assertEquals(new AgentActivity(10, "user", 10L, "user", one.id(), false), activity(agent));
        append(two, "{\"actor\":\"agent\",\"role\":\"assistant\",\"type\":\"message\"}", 20);
        append(one, "{\"type\":\"tool_call\",\"name\":\"x\"}", 30);
        inTransaction(() -> ports().writer().append(one, delta("d")));
        String run = newRun(agent, one.id(), RunStatus.QUEUED);
        assertEquals(new AgentActivity(30, "tool", 20L, "agent", two.id(), true), activity(agent));
        append(one, "{\"type\":\"message\",\"role\":\"tool\"}", 40);
        append(one, "{\"type\":\"error\",\"message\":\"m\"}", 50);
        inTransaction(() -> ports().directoryWriter().changeRun(run, r -> r.withStatus(RunStatus.FAILED, 50)));
        assertEquals(new AgentActivity(50, "agent", 20L, "agent", two.id(), false), activity(agent));
    }

    private AgentActivity activity(String agent) {
        return ports().directory().activity(agent).orElseThrow();
    }

    private void append(StreamKey session, String json, long at) {
        inTransaction(() -> ports().writer()
                .append(session, new NewEntry(fresh("e"), EntryKind.EVENT, true, Payload.of(json), null, at)));
    }
}
