package dev.tidings.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.EntryKind;
import dev.tidings.FencedException;
import dev.tidings.Head;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.RunFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Transactions that stall while they complete (laws 3, 5 and 10): from the database's side, and between numbering and
 * commit. A stall lasts until the test ends it, so what is done meanwhile was not delayed by it.
 */
abstract class StallTests {

    private final ExecutorService pool = Executors.newCachedThreadPool();

    abstract Harness harness();

    @AfterEach
    void stopThreads() {
        pool.shutdownNow();
    }

    /** Laws 3 and 5: whoever waits for one session's head delays no other session. */
    @Test
    void append_headHeldByAnotherConnection_otherSessionsGoOn() throws Exception {
        StreamKey stalled = newSession();
        StreamKey other = newSession();
        Future<?> waiting;
        try (Connection holder = harness().dataSource().getConnection()) {
            holder.setAutoCommit(false);
            lockHead(holder, stalled);
            waiting = pool.submit(() -> append(stalled, "waits"));
            for (int i = 0; i < 20; i++) {
                append(other, "goes on " + i);
            }
            assertEquals(new Head(20, 20), harness().log().head(other));
            assertEquals(Head.EMPTY, harness().log().head(stalled));
            assertFalse(waiting.isDone());
            holder.rollback();
            holder.setAutoCommit(true);
        }
        finish(waiting);
        assertEquals(List.of("waits"), ids(stalled));
    }

    /** Law 3: a number that was given and is not committed is seen by nobody, and the next appender waits for it. */
    @Test
    void append_stalledBetweenNumberingAndCommit_othersGoOnAndItsOwnSessionKeepsOrder() throws Exception {
        StreamKey stalled = newSession();
        StreamKey other = newSession();
        harness().takeEvents();
        Stall stall = stallAt(stalled, () -> {});
        Future<?> first = pool.submit(() -> append(stalled, "first"));
        stall.awaitNumbered();
        Future<?> second = pool.submit(() -> append(stalled, "second"));
        for (int i = 0; i < 20; i++) {
            append(other, "goes on " + i);
        }
        assertEquals(new Head(20, 20), harness().log().head(other));
        assertEquals(Head.EMPTY, harness().log().head(stalled));
        assertEquals(List.of(), ids(stalled));
        assertFalse(second.isDone());
        assertTrue(harness().takeEvents().stream()
                .noneMatch(e -> e instanceof EntriesStored s && s.stream().equals(stalled)));
        stall.end();
        finish(first);
        finish(second);
        assertEquals(List.of("first", "second"), ids(stalled));
        assertEquals(new Head(2, 2), harness().log().head(stalled));
    }

    /** Laws 2 and 3: numbers that were given and rolled back are given again. */
    @Test
    void append_rolledBackBetweenNumberingAndCommit_leavesNoHole() throws Exception {
        StreamKey session = newSession();
        append(session, "a");
        harness().takeEvents();
        Stall stall = stallAt(session, () -> harness().setRollbackOnly());
        Future<?> lost = pool.submit(() -> append(session, "lost"));
        stall.awaitNumbered();
        Future<?> next = pool.submit(() -> append(session, "b"));
        assertFalse(next.isDone());
        stall.end();
        assertThrows(ExecutionException.class, () -> lost.get(60, TimeUnit.SECONDS));
        finish(next);
        assertEquals(List.of("a", "b"), ids(session));
        assertEquals(List.of(1L, 2L), seqs(session));
        assertEquals(1, harness().takeEvents().size());
    }

    /** Law 10: who waits for the head while the run ends is refused, for the fence is checked as it is then. */
    @Test
    void append_whileTheRunEnds_isFenced() throws Exception {
        StreamKey session = newSession();
        RunFence fence = new RunFence("run-" + UUID.randomUUID(), 1);
        inTransaction(() -> harness().writer().openFence(session, fence));
        Stall stall = stallAt(session, () -> {});
        Future<?> end = pool.submit(() -> inTransaction(() -> {
            harness().writer().append(session, entry("end"), fence);
            harness().writer().closeFence(session, fence);
        }));
        stall.awaitNumbered();
        Future<?> late =
                pool.submit(() -> inTransaction(() -> harness().writer().append(session, entry("late"), fence)));
        awaitWaiterForALock();
        stall.end();
        finish(end);
        ExecutionException refused = assertThrows(ExecutionException.class, () -> late.get(60, TimeUnit.SECONDS));
        assertInstanceOf(FencedException.class, refused.getCause());
        assertEquals(List.of("end"), ids(session));
    }

    /** Law 10: the next attempt that takes over while the earlier one waits shuts it out. */
    @Test
    void append_whileTheNextAttemptTakesOver_isFenced() throws Exception {
        StreamKey session = newSession();
        String run = "run-" + UUID.randomUUID();
        RunFence first = new RunFence(run, 1);
        RunFence second = new RunFence(run, 2);
        inTransaction(() -> harness().writer().openFence(session, first));
        Stall stall = stallAt(session, () -> {});
        Future<?> takeOver = pool.submit(() -> inTransaction(() -> {
            harness().writer().openFence(session, second);
            harness().writer().append(session, entry("taken over"), second);
        }));
        stall.awaitNumbered();
        Future<?> late =
                pool.submit(() -> inTransaction(() -> harness().writer().append(session, entry("late"), first)));
        awaitWaiterForALock();
        stall.end();
        finish(takeOver);
        ExecutionException refused = assertThrows(ExecutionException.class, () -> late.get(60, TimeUnit.SECONDS));
        assertInstanceOf(FencedException.class, refused.getCause());
        assertEquals(List.of("taken over"), ids(session));
    }

    /** Law 3: an append made after the numbering is numbered at once, behind it. */
    @Test
    void append_afterTheNumbering_isNumberedAtOnce() {
        StreamKey session = newSession();
        StreamKey other = newSession();
        harness().takeEvents();
        harness().events().onceNumbered(session, () -> {
            harness().writer().append(session, entry("late"));
            harness().writer().append(other, entry("late elsewhere"));
        });
        append(session, "early");
        assertEquals(List.of("early", "late"), ids(session));
        assertEquals(List.of("late elsewhere"), ids(other));
        assertEquals(3, harness().takeEvents().size());
    }

    /** Law 3: a transaction whose first append is made while it completes stores it all the same. */
    @Test
    void append_firstWhileTheTransactionCompletes_isStoredAndTold() {
        StreamKey session = newSession();
        harness().takeEvents();
        harness().events().onceChanged(session, () -> append(session, "first"));
        inTransaction(() ->
                harness().directoryWriter().changeSession(session.id(), s -> s.withStatus(SessionStatus.STREAMING, 2)));
        assertEquals(List.of("first"), ids(session));
        assertEquals(2, harness().takeEvents().size());
    }

    /** Law 3: locks are taken in key order, so that transactions over the same streams never block each other for good. */
    @Test
    void append_sameStreamsInOppositeOrders_neverDeadlocks() throws Exception {
        StreamKey one = newSession();
        StreamKey two = newSession();
        Future<?> forth = pool.submit(() -> appendBoth(one, two));
        Future<?> back = pool.submit(() -> appendBoth(two, one));
        finish(forth);
        finish(back);
        assertEquals(new Head(60, 60), harness().log().head(one));
        assertEquals(new Head(60, 60), harness().log().head(two));
    }

    /**
     * Law 3: key order is that of code points, whatever the order in which rows lie and appends are made: who waits for the
     * second head has the first and not the third.
     */
    @Test
    void append_secondHeadIsHeld_firstIsTakenAndThirdIsNot() throws Exception {
        String prefix = "session-" + UUID.randomUUID();
        StreamKey third = newSession(prefix + "\uD83D\uDE00");
        StreamKey second = newSession(prefix + "\uE000b");
        StreamKey first = newSession(prefix + "\uE000a");
        Future<?> waiting;
        try (Connection holder = harness().dataSource().getConnection()) {
            holder.setAutoCommit(false);
            lockHead(holder, second);
            waiting = pool.submit(() -> inTransaction(() -> List.of(third, second, first)
                    .forEach(session -> harness().writer().append(session, entry("e")))));
            awaitWaiterForALock();
            assertFalse(free(first));
            assertTrue(free(third));
            holder.rollback();
            holder.setAutoCommit(true);
        }
        finish(waiting);
        for (StreamKey session : List.of(first, second, third)) {
            assertEquals(List.of("e"), ids(session));
        }
    }

    /** Whether nobody has locked a head. */
    private boolean free(StreamKey session) throws SQLException {
        try (Connection asks = harness().dataSource().getConnection()) {
            asks.setAutoCommit(false);
            try (PreparedStatement select = asks.prepareStatement("select position from tidings_head"
                    + " where stream_kind = 's' and stream_id = ? for update skip locked")) {
                select.setString(1, session.id());
                return select.executeQuery().next();
            } finally {
                asks.rollback();
                asks.setAutoCommit(true);
            }
        }
    }

    /** Law 5: runs of several sessions wait neither for the head nor for the rights of another. */
    @Test
    void append_rightsOfAnotherSessionHeld_runsOfOthersGoOn() throws Exception {
        StreamKey foreign = newSession();
        List<StreamKey> sessions = List.of(newSession(), newSession());
        RunFence fence = new RunFence("run-" + UUID.randomUUID(), 1);
        inTransaction(() -> {
            harness().writer().openFence(foreign, fence);
            sessions.forEach(session -> harness().writer().openFence(session, fence));
        });
        try (Connection holder = harness().dataSource().getConnection()) {
            holder.setAutoCommit(false);
            lockHead(holder, foreign);
            lockRights(holder, foreign);
            finish(pool.submit(() -> inTransaction(
                    () -> sessions.forEach(session -> harness().writer().append(session, entry("goes on"), fence)))));
            holder.rollback();
            holder.setAutoCommit(true);
        }
        sessions.forEach(session -> assertEquals(List.of("goes on"), ids(session)));
    }

    /** A run that starts a child at the same time makes a session more: the agent's deletion takes that, too. */
    @Test
    void deleteAgent_whileAChildIsStarted_leavesNoSession() throws Exception {
        String agent = "agent-" + UUID.randomUUID();
        inTransaction(() -> harness()
                .directoryWriter()
                .create(new AgentInfo(
                        agent, "owner", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false)));
        StreamKey parent = newSessionOf(agent);
        String root = newRun(agent, parent, null);
        harness().takeEvents();
        // Its id comes before that of its parent, which is held by then.
        StreamKey child = StreamKey.session("a-child-" + UUID.randomUUID());
        Stall stall = new Stall();
        Future<?> starting = pool.submit(() -> start(agent, parent, child, root, root, stall));
        stall.awaitNumbered();
        Future<?> deleting = pool.submit(
                () -> inTransaction(() -> assertTrue(harness().directoryWriter().deleteAgent(agent))));
        awaitWaiterForALock();
        stall.end();
        finish(starting);
        finish(deleting);
        assertTrue(harness().directory().session(child.id()).isEmpty());
        assertEquals(List.of(), ids(child));
        assertEquals(Head.EMPTY, harness().log().head(child));
        assertEquals(List.of(), harness().directory().tree(root));
        Set<String> told = harness().takeEvents().stream()
                .filter(AgentDeleted.class::isInstance)
                .flatMap(event -> ((AgentDeleted) event).sessionIds().stream())
                .collect(Collectors.toSet());
        assertEquals(Set.of(parent.id(), child.id()), told);
    }

    /** Law 10: no run of a deleted tree is left, not one either that another run of it starts at the same time. */
    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "RUNNING"})
    void deleteSession_whileARunOfItsTreeStartsAChild_leavesNoRun(RunStatus status) throws Exception {
        String agent = "agent-" + UUID.randomUUID();
        StreamKey deleted = newSessionOf(agent);
        StreamKey middle = newSessionOf(agent);
        String root = newRun(agent, deleted, null);
        String starter = newRun(agent, middle, root);
        inTransaction(() -> harness().directoryWriter().changeRun(starter, r -> r.withStatus(status, 2)));
        StreamKey last = StreamKey.session("session-" + UUID.randomUUID());
        Stall stall = new Stall();
        Future<?> starting = pool.submit(() -> start(agent, middle, last, starter, root, stall));
        stall.awaitNumbered();
        Future<?> deleting = pool.submit(
                () -> inTransaction(() -> assertTrue(harness().directoryWriter().deleteSession(deleted.id()))));
        awaitWaiterForALock();
        stall.end();
        finish(starting);
        finish(deleting);
        assertEquals(List.of(), harness().directory().tree(root));
        // Sessions of children stay, and nobody works in them.
        for (StreamKey stays : List.of(middle, last)) {
            assertEquals(
                    SessionStatus.IDLE,
                    harness()
                            .directory()
                            .session(stays.id())
                            .orElseThrow()
                            .value()
                            .status());
        }
    }

    /** As a live run starts a child: under the lock of its session. */
    private void start(String agent, StreamKey parent, StreamKey child, String starter, String root, Stall stall) {
        inTransaction(() -> {
            harness().directoryWriter().changeSession(parent.id(), s -> s);
            harness().directoryWriter().create(SessionInfo.idle(child.id(), "owner", agent, null, 1));
            harness().directoryWriter().changeRun(starter, r -> r.withStatus(RunStatus.RUNNING, 3));
            harness().directoryWriter().create(run("run-" + UUID.randomUUID(), agent, child, root));
            harness().writer().append(child, entry("prompt"));
            stall.hold();
        });
    }

    private String newRun(String agent, StreamKey session, @Nullable String root) {
        String id = "run-" + UUID.randomUUID();
        inTransaction(() -> {
            harness().directoryWriter().create(run(id, agent, session, root == null ? id : root));
            harness().directoryWriter().changeRun(id, r -> r.withStatus(RunStatus.RUNNING, 2));
        });
        return id;
    }

    private static RunInfo run(String id, String agent, StreamKey session, String root) {
        RunInfo.Lineage lineage = root.equals(id) ? RunInfo.Lineage.ROOT : new RunInfo.Lineage(root, "call", 1, 0);
        return new RunInfo(
                id,
                "owner",
                root,
                lineage,
                "agent",
                agent,
                session.id(),
                "user",
                "title",
                RunStatus.QUEUED,
                null,
                null,
                1,
                null,
                null,
                1);
    }

    private StreamKey newSessionOf(String agent) {
        String id = "session-" + UUID.randomUUID();
        inTransaction(() -> harness().directoryWriter().create(SessionInfo.idle(id, "owner", agent, null, 1)));
        return StreamKey.session(id);
    }

    /** Law 5: several runs of one session wait for nobody's rights but their own, however few rows there are. */
    @Test
    void append_rightsOfAnotherSessionHeld_severalRunsOfOneSessionGoOn() throws Exception {
        StreamKey foreign = newSession();
        StreamKey session = newSession();
        List<RunFence> fences =
                List.of(new RunFence("run-" + UUID.randomUUID(), 1), new RunFence("run-" + UUID.randomUUID(), 1));
        inTransaction(() -> fences.forEach(fence -> {
            harness().writer().openFence(foreign, fence);
            harness().writer().openFence(session, fence);
        }));
        try (Connection holder = harness().dataSource().getConnection()) {
            holder.setAutoCommit(false);
            lockHead(holder, foreign);
            lockRights(holder, foreign);
            finish(pool.submit(() -> inTransaction(() ->
                    fences.forEach(fence -> harness().writer().append(session, entry(fence.runId()), fence)))));
            holder.rollback();
            holder.setAutoCommit(true);
        }
        assertEquals(fences.stream().map(RunFence::runId).toList(), ids(session));
    }

    private static void lockRights(Connection holder, StreamKey session) throws SQLException {
        try (PreparedStatement select = holder.prepareStatement(
                "select attempt from tidings_fence where stream_kind = 's' and stream_id = ? for update")) {
            select.setString(1, session.id());
            assertTrue(select.executeQuery().next());
        }
    }

    private void appendBoth(StreamKey first, StreamKey second) {
        for (int i = 0; i < 30; i++) {
            inTransaction(() -> {
                harness().writer().append(first, entry("x"));
                harness().writer().append(second, entry("y"));
            });
        }
    }

    /** A whole transaction's entries are there or none: more rows than one statement takes, and more bytes. */
    @Test
    void append_manyAndLargeEntries_areAllThereInOrder() {
        StreamKey session = newSession();
        String large = "\"" + "x".repeat(400_000) + "\"";
        inTransaction(() -> {
            for (int i = 0; i < 75; i++) {
                Payload payload = i % 20 == 3 ? Payload.of(large) : Payload.of("" + i);
                harness().writer().append(session, new NewEntry("e" + i, EntryKind.EVENT, true, payload, null, 1));
            }
        });
        assertEquals(new Head(75, 75), harness().log().head(session));
        List<String> ids = ids(session);
        for (int i = 0; i < 75; i++) {
            assertEquals("e" + i, ids.get(i));
        }
    }

    private Stall stallAt(StreamKey stream, Runnable then) {
        Stall stall = new Stall();
        harness().events().onceNumbered(stream, () -> {
            stall.hold();
            then.run();
        });
        return stall;
    }

    /** Until the database says that somebody waits for a lock. */
    private void awaitWaiterForALock() throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        try (Connection asks = harness().dataSource().getConnection()) {
            String waiting = switch (asks.getMetaData().getDatabaseProductName()) {
                case "H2" -> "information_schema.sessions where blocker_id is not null";
                case "PostgreSQL" -> "pg_locks where not granted";
                default ->
                    "information_schema.global_status"
                            + " where variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS' and variable_value > 0";
            };
            try (PreparedStatement count = asks.prepareStatement("select count(*) from " + waiting)) {
                while (number(count) == 0) {
                    assertTrue(System.nanoTime() < deadline, "nobody waits for a lock");
                }
            }
        }
    }

    private static long number(PreparedStatement query) throws SQLException {
        try (ResultSet result = query.executeQuery()) {
            assertTrue(result.next());
            return result.getLong(1);
        }
    }

    private static void lockHead(Connection holder, StreamKey session) throws SQLException {
        try (PreparedStatement select = holder.prepareStatement(
                "select position from tidings_head where stream_kind = 's' and stream_id = ? for update")) {
            select.setString(1, session.id());
            assertTrue(select.executeQuery().next());
        }
    }

    private StreamKey newSession() {
        return newSession("session-" + UUID.randomUUID());
    }

    private StreamKey newSession(String id) {
        inTransaction(() -> harness().directoryWriter().create(SessionInfo.idle(id, "owner", "agent", null, 1)));
        return StreamKey.session(id);
    }

    private void append(StreamKey session, String id) {
        inTransaction(() -> harness().writer().append(session, entry(id)));
    }

    private static NewEntry entry(String id) {
        return new NewEntry(id, EntryKind.EVENT, true, Payload.of("{}"), null, 1);
    }

    private void inTransaction(Runnable work) {
        harness().transactions().run(work);
    }

    private List<String> ids(StreamKey session) {
        return read(session).stream().map(StoredEntry::id).toList();
    }

    private List<Long> seqs(StreamKey session) {
        return read(session).stream().map(StoredEntry::seq).toList();
    }

    private List<StoredEntry> read(StreamKey session) {
        return harness().log().read(session, 0, 1_000, Integer.MAX_VALUE);
    }

    private static @Nullable Object finish(Future<?> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(60, TimeUnit.SECONDS);
    }

    /** A transaction that waits between its numbering and its commit. Threads: two. */
    private static final class Stall {
        private final CountDownLatch numbered = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);

        void hold() {
            numbered.countDown();
            await(ended);
        }

        void awaitNumbered() {
            await(numbered);
        }

        void end() {
            ended.countDown();
        }

        private static void await(CountDownLatch latch) {
            try {
                if (!latch.await(60, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("waited too long");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
