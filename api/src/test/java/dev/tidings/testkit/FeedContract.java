package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StreamKey;
import dev.tidings.spi.Feed;
import dev.tidings.spi.Feed.FeedRow;
import dev.tidings.spi.Feed.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every {@link Feed} does (laws 1, 3 and 13). */
public abstract class FeedContract extends PortsContract {

    @Test
    void number_entriesOfSeveralSessions_inPositionOrderAndRising() {
        StreamKey one = sessionWith(3);
        StreamKey two = sessionWith(2);
        long before = feed().head().place();
        Turn turn = feed().number(Map.of(one.id(), 3L, two.id(), 2L), 0);
        assertEquals(before + 5, turn.place());
        List<FeedRow> rows = feed().read(before, 100, Integer.MAX_VALUE);
        assertEquals(List.of(1L, 2L, 3L), positions(rows, one));
        assertEquals(List.of(1L, 2L), positions(rows, two));
        assertRising(rows, before);
        rows.forEach(row -> assertNotNull(row.entry()));
    }

    @Test
    void number_again_givesNothingTwice() {
        StreamKey session = sessionWith(2);
        feed().number(Map.of(session.id(), 2L), 0);
        long place = feed().number(Map.of(session.id(), 2L), 0).place();
        assertEquals(List.of(), feed().read(place, 10, Integer.MAX_VALUE));
        assertEquals(2, rowsOf(session).size());
    }

    @Test
    void number_upToAPosition_leavesTheRest() {
        StreamKey session = sessionWith(3);
        feed().number(Map.of(session.id(), 2L), 0);
        assertEquals(2, rowsOf(session).size());
        assertEquals(Map.of(session.id(), 3L), feed().behind(List.of(session.id())));
        assertEquals(3L, feed().behind(100_000).get(session.id()), "whoever looks at all of them finds it, too");
        feed().number(Map.of(session.id(), 100L), 0);
        assertEquals(3, rowsOf(session).size());
        assertEquals(Map.of(), feed().behind(List.of(session.id())));
    }

    /** However far a session's head is beyond its last number, it goes on behind that: nothing twice, nothing left out. */
    @Test
    void number_lastNumberFarBehindTheHead_goesOnBehindIt() {
        StreamKey far = sessionWith(1_200);
        StreamKey near = sessionWith(80);
        StreamKey fresh = sessionWith(70);
        feed().number(Map.of(far.id(), 3L, near.id(), 79L), 0);
        Map<String, Long> all = Map.of(far.id(), 1_200L, near.id(), 80L, fresh.id(), 70L);
        while (feed().number(all, 0).more()) {}
        for (String session : all.keySet()) {
            List<Long> positions = feed().readSession(session, 0, 2_000, Integer.MAX_VALUE).stream()
                    .map(FeedRow::position)
                    .toList();
            assertEquals(LongStream.rangeClosed(1, all.get(session)).boxed().toList(), positions);
        }
    }

    /** Law 1: whatever a turn takes at most, it says so if something is left, and the next turns get it. */
    @Test
    void number_moreThanATurnTakes_saysSoUntilNothingIsLeft() {
        int many = 2_100;
        StreamKey session = sessionWith(many);
        Turn turn = feed().number(Map.of(session.id(), (long) many), 0);
        for (int turns = 1; turn.more(); turns++) {
            assertTrue(turns < many, "every turn takes something");
            turn = feed().number(Map.of(session.id(), (long) many), 0);
        }
        assertEquals(Map.of(), feed().behind(List.of(session.id())));
        assertEquals(turn.place(), feed().head().place());
    }

    @Test
    void number_unknownSession_isPassedOver() {
        long place = feed().head().place();
        assertEquals(
                place, feed().number(Map.of(fresh("none"), 5L, "a\0b", 1L), 0).place());
    }

    /** Law 13: an entry that began first and commits last gets a number behind those that were seen before. */
    @Test
    void number_lateCommit_comesBehindWhatWasSeen() throws Exception {
        StreamKey slow = newSession();
        StreamKey quick = newSession();
        CountDownLatch appended = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<?> late = thread.submit(() -> inTransaction(() -> {
                ports().writer().append(slow, event("late", "{}"));
                appended.countDown();
                await(goOn);
            }));
            assertTrue(appended.await(30, TimeUnit.SECONDS));
            inTransaction(() -> ports().writer().append(quick, event("early", "{}")));
            Map<String, Long> both = Map.of(slow.id(), 1L, quick.id(), 1L);
            long place = feed().number(both, 10).place();
            long seen = feed().head().lastSeq();
            assertEquals(1, rowsOf(quick).size());
            assertEquals(List.of(), rowsOf(slow));
            goOn.countDown();
            late.get(30, TimeUnit.SECONDS);
            assertTrue(feed().behind(List.of(slow.id())).containsKey(slow.id()));
            feed().number(both, 0);
            FeedRow found = feed().read(place, 10, Integer.MAX_VALUE).get(0);
            assertEquals(slow.id(), found.sessionId());
            assertTrue(found.seq() > seen, "a client that has seen a number misses nothing");
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void number_reserving_blocksAndRowsNeverMeet() {
        StreamKey session = sessionWith(2);
        Turn first = feed().number(Map.of(session.id(), 1L), 10);
        Turn second = feed().number(Map.of(), 5);
        Turn third = feed().number(Map.of(session.id(), 2L), 0);
        List<FeedRow> rows = rowsOf(session);
        assertTrue(rows.get(0).seq() < first.reservedFrom());
        assertEquals(first.reservedFrom() + 10, first.reservedUntil());
        assertTrue(second.reservedFrom() >= first.reservedUntil());
        assertEquals(second.reservedFrom() + 5, second.reservedUntil());
        assertTrue(rows.get(1).seq() >= second.reservedUntil());
        assertEquals(third.reservedFrom(), third.reservedUntil());
        assertTrue(feed().head().lastSeq() >= rows.get(1).seq());
    }

    /** Several nodes number the same sessions at once: one row, without a hole, each entry once. */
    @Test
    void number_manyAtOnce_oneRow() throws Exception {
        List<StreamKey> sessions = List.of(sessionWith(20), sessionWith(20), sessionWith(20));
        long before = feed().head().place();
        int nodes = 4;
        ExecutorService pool = Executors.newFixedThreadPool(nodes);
        Set<Long> reserved = java.util.concurrent.ConcurrentHashMap.newKeySet();
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                futures.add(pool.submit(() -> {
                    for (long position = 1; position <= 20; position++) {
                        for (StreamKey session : sessions) {
                            Turn turn = feed().number(Map.of(session.id(), position), 1);
                            assertTrue(reserved.add(turn.reservedFrom()), "a number was given twice");
                        }
                    }
                }));
            }
            for (Future<?> future : futures) {
                future.get(120, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        List<FeedRow> rows = feed().read(before, 1_000, Integer.MAX_VALUE);
        assertRising(rows, before);
        for (StreamKey session : sessions) {
            assertEquals(java.util.stream.LongStream.rangeClosed(1, 20).boxed().toList(), positions(rows, session));
        }
        Set<Long> all = new HashSet<>(reserved);
        rows.forEach(row -> assertTrue(all.add(row.seq()), "a number was given twice"));
    }

    @Test
    void read_limits_cutThePage() {
        StreamKey session = sessionWith(5);
        long before = feed().head().place();
        feed().number(Map.of(session.id(), 5L), 0);
        assertEquals(2, feed().read(before, 2, Integer.MAX_VALUE).size());
        assertEquals(1, feed().read(before, 5, 1).size());
        assertEquals(
                3, feed().readSession(session.id(), 2, 10, Integer.MAX_VALUE).size());
        assertEquals(1, feed().readSession(session.id(), 2, 10, 1).size());
        assertEquals(List.of(), feed().readSession(session.id(), 5, 10, 1));
        assertEquals(List.of(), feed().readSession("a\0b", 0, 10, 1));
    }

    /** Law 5: who sees one agent's part does not have everybody else's entries read. */
    @Test
    void readAgent_entriesOfOthers_areNotReadAndTheirRowsAreThere() {
        StreamKey first = sessionWith(2);
        StreamKey second = sessionWith(2);
        long before = feed().head().place();
        feed().number(Map.of(first.id(), 2L), 0);
        feed().number(Map.of(second.id(), 2L), 0);
        List<FeedRow> all = feed().read(before, 10, Integer.MAX_VALUE);
        String agent = all.get(0).agentId();
        assertNotEquals(agent, all.get(2).agentId());
        List<FeedRow> seen = List.of(
                all.get(0), all.get(1), all.get(2).withoutEntry(), all.get(3).withoutEntry());
        assertEquals(seen, feed().readAgent(agent, before, 10, Integer.MAX_VALUE));
        assertEquals(seen.subList(1, 3), feed().readAgent(agent, before + 1, 2, Integer.MAX_VALUE));
        assertEquals(seen.subList(0, 1), feed().readAgent(agent, before, 10, 1));
        assertEquals(
                all.stream().map(FeedRow::withoutEntry).toList(),
                feed().readAgent(fresh("other"), before, 10, Integer.MAX_VALUE));
    }

    @Test
    void placeAndPosition_atANumber_areThoseOfTheLastRowUpToIt() {
        StreamKey session = sessionWith(3);
        feed().number(Map.of(session.id(), 2L), 50);
        feed().number(Map.of(session.id(), 3L), 0);
        List<FeedRow> rows = rowsOf(session);
        for (FeedRow row : rows) {
            assertEquals(row.place(), feed().placeAt(row.seq()));
            assertEquals(row.position(), feed().positionAt(session.id(), row.seq()));
        }
        assertEquals(2, feed().positionAt(session.id(), rows.get(1).seq() + 20));
        assertEquals(rows.get(1).place(), feed().placeAt(rows.get(1).seq() + 20));
        assertEquals(0, feed().positionAt(session.id(), rows.get(0).seq() - 1));
        assertEquals(0, feed().placeAt(0));
    }

    @Test
    void behind_entriesWithoutNumbers_namesTheirSession() {
        StreamKey session = sessionWith(1);
        assertEquals(1L, feed().behind(10_000).get(session.id()));
        feed().number(Map.of(session.id(), 1L), 0);
        assertFalse(feed().behind(10_000).containsKey(session.id()));
    }

    @Test
    void existing_sessionsThatAreThere_withoutWhatWasDeleted() {
        StreamKey there = newSession();
        StreamKey used = sessionWith(1);
        StreamKey deleted = sessionWith(1);
        inTransaction(() -> ports().directoryWriter().deleteSession(deleted.id()));
        List<String> asked = new ArrayList<>(List.of(there.id(), used.id(), deleted.id(), fresh("unknown"), ""));
        assertEquals(Set.of(there.id(), used.id()), feed().existing(asked));
        for (int i = 0; i < 1_000; i++) {
            asked.add(fresh("unknown"));
        }
        asked.add(sessionWith(1).id());
        assertEquals(3, feed().existing(asked).size(), "more than one query asks for");
        assertEquals(Set.of(), feed().existing(List.of()));
    }

    /** Law 6: numbers outlive what was deleted, and what it said does not. */
    @Test
    void read_sessionDeleted_rowsStayWithoutTheirEntries() {
        long place = feed().head().place();
        StreamKey session = sessionWith(2);
        feed().number(Map.of(session.id(), 2L), 0);
        List<Long> seqs = rowsOf(session).stream().map(FeedRow::seq).toList();
        inTransaction(() -> ports().directoryWriter().deleteSession(session.id()));
        List<FeedRow> rows = feed().read(place, 1_000, Integer.MAX_VALUE).stream()
                .filter(row -> row.sessionId().equals(session.id()))
                .toList();
        assertEquals(seqs, rows.stream().map(FeedRow::seq).toList());
        for (FeedRow row : rows) {
            assertNull(row.entry());
        }
    }

    @Test
    void lead_oneNode_untilItsLeaseIsOver() {
        String one = fresh("node");
        String two = fresh("node");
        assertTrue(feed().lead(one, Duration.ofHours(1)));
        assertTrue(feed().lead(one, Duration.ofHours(1)));
        assertFalse(feed().lead(two, Duration.ofHours(1)));
        assertTrue(feed().lead(one, Duration.ofSeconds(-1)));
        assertTrue(feed().lead(two, Duration.ofSeconds(-1)));
    }

    private Feed feed() {
        return ports().feed();
    }

    private StreamKey sessionWith(int entries) {
        StreamKey session = newSession();
        inTransaction(() -> {
            for (int i = 1; i <= entries; i++) {
                ports().writer().append(session, event(fresh("e"), "{\"n\":" + i + "}"));
            }
        });
        return session;
    }

    private List<FeedRow> rowsOf(StreamKey session) {
        return feed().readSession(session.id(), 0, 1_000, Integer.MAX_VALUE);
    }

    private static List<Long> positions(List<FeedRow> rows, StreamKey session) {
        return rows.stream()
                .filter(row -> row.sessionId().equals(session.id()))
                .map(FeedRow::position)
                .toList();
    }

    private static void assertRising(List<FeedRow> rows, long afterPlace) {
        long place = afterPlace;
        long seq = 0;
        for (FeedRow row : rows) {
            assertEquals(++place, row.place());
            assertTrue(row.seq() > seq);
            seq = row.seq();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
