package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.FencedException;
import dev.tidings.Head;
import dev.tidings.Payload;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.RunFence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * What every {@link dev.tidings.spi.EventWriter} does (laws 2, 3 and 10). Threads: as the tests say.
 *
 * <p>The seed of the random test is printed and taken from {@code tidings.test.seed}.
 */
public abstract class EventWriterContract extends PortsContract {

    /** Law 3: several appends of one transaction are numbered in the order of the calls and told of once. */
    @Test
    void append_severalInOneTransaction_keepTheirOrderAndAreToldOnce() {
        StreamKey session = newSession();
        ports().takeEvents();
        inTransaction(() -> {
            ports().writer().append(session, event("a", "{}"));
            ports().writer().append(session, delta("b"));
            ports().writer().append(session, event("c", "{}"));
        });
        List<StoredEntry> stored = all(session);
        assertEquals(List.of("a", "b", "c"), ids(session));
        assertEquals(
                List.of(1L, 2L, 3L), stored.stream().map(StoredEntry::position).toList());
        assertEquals(List.of(1L, 0L, 2L), stored.stream().map(StoredEntry::seq).toList());
        assertEquals(List.of(new EntriesStored(session, stored)), storedEvents());
    }

    /** Law 3: one event a stream, for many streams. */
    @Test
    void append_severalStreams_areToldOfOnceEach() {
        StreamKey one = newSession();
        StreamKey two = newSession();
        ports().takeEvents();
        inTransaction(() -> {
            ports().writer().append(two, event("x", "{}"));
            ports().writer().append(one, event("y", "{}"));
            ports().writer().append(two, event("z", "{}"));
        });
        List<EntriesStored> events = storedEvents();
        assertEquals(2, events.size());
        assertTrue(events.contains(new EntriesStored(one, all(one))));
        assertTrue(events.contains(new EntriesStored(two, all(two))));
        assertEquals(List.of("x", "z"), ids(two));
    }

    @Test
    void append_sessionMadeInTheSameTransaction_isStored() {
        String id = fresh("session");
        inTransaction(() -> {
            ports().directoryWriter().create(SessionInfo.idle(id, "owner", fresh("agent"), null, 1));
            ports().writer().append(StreamKey.session(id), event("first", "{}"));
        });
        assertEquals(List.of("first"), ids(StreamKey.session(id)));
    }

    /** Ids are stored as they are, whatever is in them, and streams of all kinds of ids are taken together. */
    @Test
    void append_idsWithAnyCharacters_areStoredAsTheyAre() {
        List<String> odd = List.of(
                "\"", "\\", "{a,b}", "null", "NULL", " x ", "'; --", "?1 :a ${b}", "é\uE000", "\uD83D\uDE00", "\t\n");
        List<StreamKey> sessions =
                odd.stream().map(id -> StreamKey.session(fresh("odd") + id)).toList();
        inTransaction(() -> sessions.forEach(session ->
                ports().directoryWriter().create(SessionInfo.idle(session.id(), "owner", fresh("agent"), null, 1))));
        inTransaction(() -> {
            for (StreamKey session : sessions) {
                odd.forEach(id -> ports().writer().append(session, event(id, "\"" + "\\u0000é" + "\"")));
            }
        });
        for (StreamKey session : sessions) {
            assertEquals(odd, ids(session));
            all(session).forEach(entry -> assertEquals(Payload.of("\"" + "\\u0000é" + "\""), entry.payload()));
        }
    }

    /** Law 2: nothing of a rolled-back transaction is stored or told; law 3: and it leaves no hole. */
    @Test
    void append_rolledBack_leavesNothingAndNoHole() {
        StreamKey session = newSession();
        inTransaction(() -> ports().writer().append(session, event("a", "{}")));
        ports().takeEvents();
        assertThrows(
                Wanted.class,
                () -> inTransaction(() -> {
                    ports().writer().append(session, event("lost", "{}"));
                    throw new Wanted();
                }));
        assertEquals(List.of(), ports().takeEvents());
        inTransaction(() -> ports().writer().append(session, event("b", "{}")));
        assertEquals(List.of("a", "b"), ids(session));
        assertEquals(new Head(2, 2), ports().log().head(session));
    }

    @Test
    void append_markedForRollback_storesNothing() {
        StreamKey session = newSession();
        ports().takeEvents();
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    ports().writer().append(session, event("lost", "{}"));
                    ports().setRollbackOnly();
                    ports().writer().append(session, event("lost too", "{}"));
                }));
        assertEquals(List.of(), ports().takeEvents());
        assertEquals(List.of(), ids(session));
    }

    @Test
    void append_withoutTransaction_throws() {
        StreamKey session = newSession();
        assertThrows(RuntimeException.class, () -> ports().writer().append(session, event("a", "{}")));
        assertEquals(List.of(), ids(session));
    }

    /** A transaction inside another one commits by itself, and first. */
    @Test
    void append_requiresNewInsideRequired_isStoredBeforeTheOuterOneAndWithoutIt() {
        StreamKey session = newSession();
        ports().takeEvents();
        assertThrows(
                Wanted.class,
                () -> inTransaction(() -> {
                    ports().writer().append(session, event("outer, lost", "{}"));
                    inNewTransaction(session, "inner 1");
                    throw new Wanted();
                }));
        inTransaction(() -> {
            ports().writer().append(session, event("outer", "{}"));
            inNewTransaction(session, "inner 2");
        });
        assertEquals(List.of("inner 1", "inner 2", "outer"), ids(session));
        assertEquals(3, storedEvents().size());
    }

    private void inNewTransaction(StreamKey session, String id) {
        ports().transactions().requiresNew(() -> {
            ports().writer().append(session, event(id, "{}"));
            return id;
        });
    }

    @Test
    void append_unknownStream_rollsBackEverything() {
        StreamKey session = newSession();
        StreamKey unknown = StreamKey.session(fresh("none"));
        ports().takeEvents();
        RuntimeException thrown = assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    ports().writer().append(session, event("a", "{}"));
                    ports().writer().append(unknown, event("b", "{}"));
                }));
        assertEquals(unknown, assertInstance(UnknownStreamException.class, thrown).stream());
        assertEquals(List.of(), ids(session));
        assertEquals(List.of(), ports().takeEvents());
    }

    @Test
    void append_streamWithNul_isUnknown() {
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> ports().writer().append(StreamKey.session("a\0"), event("b", "{}"))));
    }

    @Test
    void append_accountKey_isRefused() {
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> ports().writer().append(StreamKey.account("a"), event("b", "{}"))));
    }

    /** A run tree has one order of positions; each of its runs counts for itself. */
    @Test
    void append_runTree_numbersPerRun() {
        String root = newRun(null, null, RunStatus.RUNNING);
        String child = fresh("run");
        StreamKey tree = StreamKey.run(root);
        inTransaction(() -> {
            ports().directoryWriter().create(runInfo(child, root, null, null, RunStatus.RUNNING, 1));
            ports().writer().append(tree, journal("r1", root));
            ports().writer().append(tree, journal("c1", child));
            ports().writer().append(tree, journal("r2", root));
        });
        inTransaction(() -> ports().writer().append(tree, journal("c2", child)));
        assertEquals(List.of("r1", "c1", "r2", "c2"), ids(tree));
        assertEquals(
                List.of(1L, 1L, 2L, 2L),
                all(tree).stream().map(StoredEntry::seq).toList());
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> ports().writer().append(tree, event("no run", "{}"))));
    }

    /** Law 10: only the run whose fence is open writes as a run. */
    @Test
    void append_withoutOpenFence_isFenced() {
        StreamKey session = newSession();
        RunFence fence = new RunFence(fresh("run"), 1);
        RuntimeException thrown = assertThrows(RuntimeException.class, () -> appendFenced(session, "a", fence));
        assertEquals(
                fence.runId(), assertInstance(FencedException.class, thrown).runId());
        assertEquals(List.of(), ids(session));
    }

    /** Law 10: the last entries and the end of the right to write are one transaction; after it nothing is appended. */
    @Test
    void closeFence_thenAppend_isFenced() {
        StreamKey session = newSession();
        RunFence fence = new RunFence(fresh("run"), 1);
        inTransaction(() -> {
            ports().writer().openFence(session, fence);
            ports().writer().append(session, event("a", "{}"), fence);
        });
        appendFenced(session, "b", fence);
        inTransaction(() -> {
            ports().writer().append(session, event("last", "{}"), fence);
            ports().writer().closeFence(session, fence);
        });
        assertThrows(RuntimeException.class, () -> appendFenced(session, "late", fence));
        inTransaction(() -> ports().writer().append(session, event("of a user", "{}")));
        assertEquals(List.of("a", "b", "last", "of a user"), ids(session));
    }

    /** Law 10: a right to write also ends where its holder has nothing more to say. */
    @Test
    void closeFence_alone_isShut() {
        StreamKey session = newSession();
        RunFence fence = new RunFence(fresh("run"), 1);
        inTransaction(() -> ports().writer().openFence(session, fence));
        inTransaction(() -> ports().writer().closeFence(session, fence));
        assertThrows(RuntimeException.class, () -> appendFenced(session, "late", fence));
        assertEquals(List.of(), ids(session));
    }

    /** Law 10: another attempt that took over shuts the earlier one out, and nothing it does ends the later one's right. */
    @Test
    void openFence_ofTheNextAttempt_fencesTheEarlierOne() {
        StreamKey session = newSession();
        String run = fresh("run");
        RunFence first = new RunFence(run, 1);
        RunFence second = new RunFence(run, 2);
        inTransaction(() -> ports().writer().openFence(session, first));
        inTransaction(() -> ports().writer().openFence(session, second));
        assertThrows(RuntimeException.class, () -> appendFenced(session, "a", first));
        inTransaction(() -> ports().writer().closeFence(session, first));
        appendFenced(session, "b", second);
        assertEquals(List.of("b"), ids(session));
    }

    /** One run ends and the next begins in one transaction. */
    @Test
    void openFence_afterTheEndOfAnotherInOneTransaction_bothWrite() {
        StreamKey session = newSession();
        RunFence first = new RunFence(fresh("run"), 1);
        RunFence second = new RunFence(fresh("run"), 1);
        inTransaction(() -> ports().writer().openFence(session, first));
        inTransaction(() -> {
            ports().writer().append(session, event("end of first", "{}"), first);
            ports().writer().closeFence(session, first);
            ports().writer().openFence(session, second);
            ports().writer().append(session, event("start of second", "{}"), second);
        });
        assertThrows(RuntimeException.class, () -> appendFenced(session, "late", first));
        appendFenced(session, "more", second);
        assertEquals(List.of("end of first", "start of second", "more"), ids(session));
    }

    @Test
    void openFence_rolledBack_changesNothing() {
        StreamKey session = newSession();
        RunFence fence = new RunFence(fresh("run"), 1);
        assertThrows(
                Wanted.class,
                () -> inTransaction(() -> {
                    ports().writer().openFence(session, fence);
                    throw new Wanted();
                }));
        assertThrows(RuntimeException.class, () -> appendFenced(session, "a", fence));
    }

    /** Laws 2 and 3: many appenders, some rolling back: no hole, no repeat, and every committed entry once. */
    @Test
    void append_manyConcurrentTransactionsSomeRollingBack_noHoleNoRepeat()
            throws InterruptedException, ExecutionException, TimeoutException {
        long seed = Long.getLong("tidings.test.seed", System.nanoTime());
        System.out.println("tidings.test.seed=" + seed);
        List<StreamKey> sessions = List.of(newSession(), newSession(), newSession());
        ports().takeEvents();
        int threads = 4;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<List<List<String>>>> futures = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Random random = new Random(seed + t);
                String name = "t" + t;
                futures.add(pool.submit(() -> appendRandomly(random, name, sessions)));
            }
            List<List<String>> wanted = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (Future<List<List<String>>> future : futures) {
                List<List<String>> committed = future.get(60, TimeUnit.SECONDS);
                for (int s = 0; s < sessions.size(); s++) {
                    wanted.get(s).addAll(committed.get(s));
                }
            }
            List<EntriesStored> told = storedEvents();
            for (int s = 0; s < sessions.size(); s++) {
                assertWhole(sessions.get(s), wanted.get(s), told);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private List<List<String>> appendRandomly(Random random, String name, List<StreamKey> sessions) {
        List<List<String>> committed = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 40; i++) {
            List<List<String>> staged = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            boolean rollback = random.nextInt(4) == 0;
            String transaction = name + "-" + i;
            try {
                inTransaction(() -> {
                    for (int e = 0; e <= random.nextInt(4); e++) {
                        int s = random.nextInt(sessions.size());
                        String id = transaction + "-" + e;
                        staged.get(s).add(id);
                        ports().writer().append(sessions.get(s), random.nextBoolean() ? event(id, "{}") : delta(id));
                    }
                    if (rollback) {
                        throw new Wanted();
                    }
                });
            } catch (Wanted e) {
                continue;
            }
            for (int s = 0; s < sessions.size(); s++) {
                committed.get(s).addAll(staged.get(s));
            }
        }
        return committed;
    }

    private void assertWhole(StreamKey session, List<String> wanted, List<EntriesStored> told) {
        List<StoredEntry> stored = all(session);
        assertEquals(
                wanted.stream().sorted().toList(),
                ids(session).stream().sorted().toList());
        long seq = 0;
        for (int i = 0; i < stored.size(); i++) {
            assertEquals(i + 1, stored.get(i).position());
            if (stored.get(i).numbered()) {
                assertEquals(++seq, stored.get(i).seq());
            }
        }
        assertEquals(new Head(stored.size(), seq), ports().log().head(session));
        assertEquals(
                stored,
                told.stream()
                        .filter(e -> e.stream().equals(session))
                        .flatMap(e -> e.entries().stream())
                        .sorted(Comparator.comparing(StoredEntry::position))
                        .toList());
    }

    private void appendFenced(StreamKey session, String id, RunFence fence) {
        inTransaction(() -> ports().writer().append(session, event(id, "{}"), fence));
    }

    private static <T> T assertInstance(Class<T> type, RuntimeException thrown) {
        assertTrue(type.isInstance(thrown), () -> "thrown: " + thrown);
        return type.cast(thrown);
    }

    /** Thrown by a test to roll back. */
    private static final class Wanted extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Law 5: who writes for many sessions passes over the one that somebody holds, without waiting. */
    @Test
    void holdFree_oneHeldByAnother_isLeftOut() throws Exception {
        StreamKey busy = newSession();
        StreamKey free = newSession();
        StreamKey unknown = StreamKey.session(fresh("session"));
        CompletableFuture<Void> held = new CompletableFuture<>();
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<Void> holder = CompletableFuture.runAsync(
                () -> inTransaction(() -> {
                    assertEquals(Set.of(busy), ports().writer().holdFree(List.of(busy)));
                    held.complete(null);
                    over.orTimeout(30, TimeUnit.SECONDS).join();
                }),
                task -> new Thread(task).start());
        held.orTimeout(30, TimeUnit.SECONDS).join();
        inTransaction(() -> {
            assertEquals(Set.of(free), ports().writer().holdFree(List.of(busy, free, unknown)));
            ports().writer().append(free, event("e1", "{}"));
        });
        assertEquals(List.of("e1"), ids(free));
        over.complete(null);
        holder.get(30, TimeUnit.SECONDS);
        inTransaction(() -> {
            assertEquals(Set.of(busy, free), ports().writer().holdFree(List.of(busy, free, busy)));
            ports().writer().append(busy, event("e2", "{}"));
        });
        assertEquals(List.of("e2"), ids(busy));
    }
}
