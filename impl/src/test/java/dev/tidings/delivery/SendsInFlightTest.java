package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Laws 4 and 5: what sends in flight hold is bounded with everything else, and who is stuck pays for it. Threads: one. */
class SendsInFlightTest {
    private static final long MAX = 16L << 20;
    private static final int LARGE = 1 << 20;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final EngineFixture engine = new EngineFixture(EngineFixture.limits(4, 1 << 20, 64 << 10, MAX, 4 << 20));

    /** Shows each entry in a large frame of its own. */
    private final Translator large = entry -> List.of(largeFrame(entry.position()));

    private static Frame largeFrame(long number) {
        return Frame.ofText("e" + number + " " + "x".repeat(LARGE - 30));
    }

    private EngineFixture.Socket watch(Translator translator, StreamKey key, int copies) {
        return watch(translator, key, copies, engine.gate);
    }

    private EngineFixture.Socket watch(Translator translator, StreamKey key, int copies, Gate gate) {
        EngineFixture.Socket socket = engine.socket(copies);
        socket.outbox.subscribe(new Channel(translator, key), gate).start(0, List.of(), Map.of());
        return socket;
    }

    private void store(StreamKey key, int entries) {
        List<StoredEntry> stored = engine.log.append(key, entries);
        engine.delivery.stored(new EntriesStored(key, stored));
        engine.settle();
    }

    private void store(int entries) {
        store(EngineFixture.KEY, entries);
    }

    private static List<String> numbers(EngineFixture.Socket socket) {
        return socket.got.stream()
                .map(text -> text.substring(0, Math.max(text.indexOf(' '), 0)))
                .toList();
    }

    private void assertEverything(int entries, EngineFixture.Socket socket) {
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= entries; i++) {
            expected.add("e" + i);
        }
        assertEquals(expected, numbers(socket));
    }

    /** A frame that its window has dropped is still there while a send holds it; once, however many hold it. */
    @Test
    void largeFrame_heldBySendsAlone_isCountedOnceUntilTheLastEnds() {
        List<EngineFixture.Socket> stuck = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            stuck.add(watch(large, EngineFixture.KEY, 0));
            stuck.get(i).stalled = true;
        }
        engine.settle();
        store(1);
        store(1);
        store(4);
        long windowBytes = 4L << 20;
        long used = engine.value(Counter.BYTES);
        assertTrue(used > windowBytes && used <= windowBytes + LARGE, used + " bytes");
        assertEquals(engine.delivery.recount(), used);
        for (EngineFixture.Socket socket : stuck) {
            assertEquals(used, engine.value(Counter.BYTES));
            socket.outbox.closed();
        }
        engine.settle();
        assertTrue(engine.value(Counter.BYTES) <= windowBytes);
        assertEquals(engine.delivery.recount(), engine.value(Counter.BYTES));
    }

    /** Small frames cost nothing to count while sends are quick; of a slow one all is counted, until it ends. */
    @Test
    void smallFrames_ofASlowSend_areCountedAfterASecond() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(4, 10_000, 1_000));
        EngineFixture.Socket slow = small.watching(0);
        slow.stalled = true;
        small.store(3);
        small.settle();
        long window = 3 * 2;
        assertEquals(window, small.value(Counter.BYTES));
        small.pass(SECOND.plusMillis(1));
        assertEquals(window + 3 * 2, small.value(Counter.BYTES), "whoever else holds them");
        assertEquals(small.delivery.recount(), small.value(Counter.BYTES));
        slow.flow();
        small.settle();
        assertEquals(window, small.value(Counter.BYTES));
    }

    /** Stuck sockets hold what no window has any more: they are told to come back, and no window shrinks for them. */
    @Test
    void boundReached_bySendsThatAreStuck_theyAreClosedAndNobodyElsePays() {
        StreamKey quiet = StreamKey.session("quiet");
        EngineFixture.Socket healthy = watch(engine.translator, quiet, 0);
        engine.settle();
        store(quiet, 4);
        List<EngineFixture.Socket> stuck = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            StreamKey key = StreamKey.session("busy" + i);
            EngineFixture.Socket socket = watch(large, key, 0);
            engine.settle();
            socket.stalled = true;
            stuck.add(socket);
            store(key, 1);
            engine.pass(Duration.ofMillis(200));
        }
        engine.pass(SECOND);
        assertTrue(engine.value(Counter.PRESSURES) > 0, "nothing happened");
        assertTrue(engine.value(Counter.BYTES) <= MAX, engine.value(Counter.BYTES) + " bytes");
        assertTrue(stuck.get(0).calls.contains("abort SLOW"), "stuck for longest");
        assertFalse(stuck.get(19).calls.contains("abort SLOW"), "stuck for the shortest time");
        assertFalse(healthy.calls.contains("abort SLOW"));
        long fromLog = engine.value(Counter.ENTRIES_FROM_LOG);
        EngineFixture.Socket late = watch(engine.translator, quiet, 0);
        engine.settle();
        assertEquals(4, late.got.size());
        assertEquals(fromLog, engine.value(Counter.ENTRIES_FROM_LOG), "the window of the quiet stream is whole");
    }

    // ---- containers that copy

    /** A quarter of the bound may be copies; who comes later waits, without a send, and loses nothing. */
    @Test
    void copies_ofManySockets_someBeginAndTheOthersWaitInLine() {
        List<EngineFixture.Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            sockets.add(watch(large, EngineFixture.KEY, 2));
        }
        engine.settle();
        sockets.forEach(socket -> socket.stalled = true);
        store(1);
        assertEquals(
                2, sockets.stream().filter(socket -> socket.pending != null).count(), "4 MiB for copies");
        assertEquals(engine.delivery.recount(), engine.value(Counter.BYTES));
        // One after the other.
        for (int done = 0; done < 9; done++) {
            EngineFixture.Socket next = sockets.stream()
                    .filter(socket -> socket.pending != null)
                    .findFirst()
                    .orElseThrow();
            next.advance();
            engine.settle();
            long sending =
                    sockets.stream().filter(socket -> socket.pending != null).count();
            assertEquals(Math.min(2, 8 - done), sending, "after " + (done + 1));
        }
        sockets.forEach(socket -> assertEverything(1, socket));
        assertEquals(engine.delivery.recount(), engine.value(Counter.BYTES));
    }

    /** Law 5: small frames need no room, so nobody waits for them behind sockets that are stuck with large ones. */
    @Test
    void copies_noRoom_smallFramesLeaveAllTheSame() {
        List<EngineFixture.Socket> stuck = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            stuck.add(watch(large, EngineFixture.KEY, 2));
            stuck.get(i).stalled = true;
        }
        engine.settle();
        store(1);
        StreamKey other = StreamKey.session("other");
        EngineFixture.Socket small = watch(engine.translator, other, 2);
        engine.settle();
        store(other, 3);
        assertEquals("e1 e2 e3", small.text());
    }

    /** Law 5: who is stuck with room that others wait for is told to come back after a second. */
    @Test
    void copies_heldByStuckSockets_areGivenToWhoWaits() {
        EngineFixture.Socket[] stuck = new EngineFixture.Socket[2];
        for (int i = 0; i < 2; i++) {
            stuck[i] = watch(large, EngineFixture.KEY, 2);
            stuck[i].stalled = true;
        }
        EngineFixture.Socket withoutCopies = watch(large, EngineFixture.KEY, 0);
        withoutCopies.stalled = true;
        engine.settle();
        store(1);
        EngineFixture.Socket healthy = watch(large, EngineFixture.KEY, 2);
        engine.settle();
        store(1);
        assertEquals(List.of(), healthy.calls, "it waits");
        engine.pass(SECOND.plusMillis(1));
        assertEverything(2, healthy);
        assertTrue(stuck[0].calls.contains("abort SLOW") || stuck[1].calls.contains("abort SLOW"));
        assertFalse(withoutCopies.calls.contains("abort SLOW"), "it has no room to give");
    }

    /** Nobody is stuck for a second yet: nobody is closed, and who waits waits. */
    @Test
    void copies_heldByWhoHasJustBegun_nobodyIsClosed() {
        EngineFixture.Socket[] slow = new EngineFixture.Socket[3];
        for (int i = 0; i < 3; i++) {
            slow[i] = watch(large, EngineFixture.KEY, 2);
            slow[i].stalled = true;
        }
        engine.settle();
        store(1);
        engine.pass(Duration.ofMillis(900));
        for (EngineFixture.Socket socket : slow) {
            assertFalse(socket.calls.contains("abort SLOW"));
        }
    }

    /** A frame larger than all the room there is goes alone: it has to go somehow. */
    @Test
    void copies_frameLargerThanTheRoom_goesAlone() {
        Translator huge = entry -> List.of(Frame.ofText("e" + entry.position() + " " + "x".repeat(3 << 20)));
        EngineFixture.Socket first = watch(huge, EngineFixture.KEY, 2);
        EngineFixture.Socket second = watch(huge, EngineFixture.KEY, 2);
        engine.settle();
        first.stalled = true;
        second.stalled = true;
        store(1);
        assertEquals(1, (first.pending == null ? 0 : 1) + (second.pending == null ? 0 : 1));
        first.flow();
        second.flow();
        engine.settle();
        assertEverything(1, first);
        assertEverything(1, second);
    }

    // ---- the line: who is called and takes no room calls the next

    /** Two hold all the room, and do not end; the first in line makes so many copies, the second two. */
    private final class Line {
        final Gate gate = new Gate(true);
        final EngineFixture.Socket stuck = stalled();
        final EngineFixture.Socket ends = stalled();
        final EngineFixture.Socket first;
        final EngineFixture.Socket second;

        Line(int firstCopies) {
            engine.settle();
            store(1);
            first = watch(large, EngineFixture.KEY, firstCopies, gate);
            engine.settle();
            second = watch(large, EngineFixture.KEY, 2);
            engine.settle();
            assertTrue(first.calls.isEmpty() && second.calls.isEmpty(), "both wait");
        }

        private EngineFixture.Socket stalled() {
            EngineFixture.Socket socket = watch(large, EngineFixture.KEY, 2);
            socket.stalled = true;
            return socket;
        }
    }

    /** Law 6 meets law 5: nothing of it may be sent any more, and nobody waits for that. */
    @Test
    void line_gateOfTheFirstCloses_theNextHasItsTurn() {
        Line line = new Line(2);
        line.gate.close();
        line.ends.flow();
        engine.settle();
        assertEverything(1, line.second);
        line.gate.open();
        engine.settle();
        assertEverything(1, line.first);
    }

    @Test
    void line_answerComesBeforeWhatTheFirstWaitedFor_theNextHasItsTurn() {
        Line line = new Line(2);
        line.first.stalled = true;
        line.ends.flow();
        line.first.outbox.answer(Frame.ofText("answer"));
        engine.settle();
        assertEquals(List.of("answer"), line.first.got);
        assertEverything(1, line.second);
    }

    @Test
    void line_pingComesBeforeWhatTheFirstWaitedFor_theNextHasItsTurn() {
        Line line = new Line(2);
        line.first.stalled = true;
        line.ends.flow();
        engine.now += Duration.ofSeconds(16).toNanos();
        line.first.outbox.tick();
        engine.settle();
        assertEquals(List.of("ping"), line.first.calls);
        assertEverything(1, line.second);
    }

    @Test
    void line_theFirstIsCalledWhileItSends_theNextHasItsTurn() {
        Line line = new Line(2);
        line.first.stalled = true;
        line.first.whileSending = line.ends::flow;
        line.first.outbox.answer(Frame.ofText("answer"));
        engine.settle();
        assertEquals(List.of("answer"), line.first.got);
        assertEverything(1, line.second);
    }

    @Test
    void line_theFirstIsGoneOnceItIsCalled_theNextHasItsTurn() {
        Line line = new Line(2);
        line.ends.flow();
        line.first.outbox.closed();
        engine.settle();
        assertEverything(1, line.second);
    }

    /** There was room for the next, but not for the first. */
    @Test
    void line_theFirstIsGoneWhileItWaits_theNextHasItsTurn() {
        Line line = new Line(3);
        line.ends.flow();
        engine.settle();
        assertEquals(List.of(), line.second.calls, "it does not overtake");
        line.first.outbox.closed();
        engine.settle();
        assertEverything(1, line.second);
    }

    /** The same, of one that has no need any more; nothing tells of that, so it is asked now and then. */
    @Test
    void line_gateOfTheFirstClosesWhileItWaits_theNextHasItsTurnSoon() {
        Line line = new Line(3);
        line.ends.flow();
        engine.settle();
        line.gate.close();
        engine.pass(Duration.ofMillis(100));
        assertEverything(1, line.second);
        assertFalse(line.stuck.calls.contains("abort SLOW"));
    }

    /** Law 5: half of the room is free, which is not enough for the first: who is stuck with the rest pays. */
    @Test
    void line_theFirstNeedsMoreThanIsFree_staysFirstAndWhoIsStuckPays() {
        Line line = new Line(3);
        line.ends.flow();
        engine.settle();
        line.first.stalled = true;
        engine.pass(SECOND.plusMillis(1));
        assertTrue(line.stuck.calls.contains("abort SLOW"));
        assertEverything(1, line.first);
        assertEquals(List.of(), line.second.calls, "it comes next");
        line.first.flow();
        engine.settle();
        assertEverything(1, line.second);
    }

    /** The same, for a single one that nobody ever called. */
    @Test
    void line_onlyOneNeedsMoreThanIsFree_whoIsStuckPays() {
        EngineFixture.Socket stuck = watch(large, EngineFixture.KEY, 2);
        stuck.stalled = true;
        engine.settle();
        store(1);
        EngineFixture.Socket waits = watch(large, EngineFixture.KEY, 3);
        engine.settle();
        assertEquals(List.of(), waits.calls);
        engine.pass(SECOND.plusMillis(1));
        assertTrue(stuck.calls.contains("abort SLOW"));
        assertEverything(1, waits);
    }

    /** Whatever happens to whom in which order: everybody who is still there gets everything, and nothing is left. */
    @Test
    void copies_anySchedule_nobodyIsForgottenAndNothingIsLeft() {
        long seed = Long.getLong("tidings.copies.seed", 20261201L);
        System.out.println("tidings.copies.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 60; round++) {
            schedule(random);
        }
    }

    private void schedule(Random random) {
        EngineFixture world = new EngineFixture(EngineFixture.limits(4, 1 << 20, 64 << 10, MAX, 1 << 20));
        Translator some = entry -> List.of(Frame.ofText(
                "e" + entry.position() + " " + "x".repeat(entry.position() % 3 == 0 ? 10 : 300 << 10)));
        List<EngineFixture.Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            EngineFixture.Socket socket = world.socket(random.nextInt(4) * 2);
            socket.outbox
                    .subscribe(new Channel(some, EngineFixture.KEY), world.gate)
                    .start(0, List.of(), Map.of());
            sockets.add(socket);
        }
        int entries = 0;
        for (int step = 0; step < 60; step++) {
            EngineFixture.Socket socket = sockets.get(random.nextInt(sockets.size()));
            switch (random.nextInt(7)) {
                case 0 -> {
                    world.store(1);
                    entries++;
                }
                case 1 -> socket.stalled = true;
                case 2 -> socket.flow();
                case 3 -> socket.advance();
                case 4 -> socket.outbox.answer(Frame.ofText("x".repeat(random.nextBoolean() ? 5 : 200 << 10)));
                case 5 -> world.pass(Duration.ofMillis(300));
                default -> {
                    if (random.nextInt(10) == 0) {
                        socket.outbox.closed();
                    }
                }
            }
            world.settle();
            assertTrue(world.value(Counter.BYTES) >= world.delivery.recount(), "bytes; pages come on top");
        }
        sockets.forEach(EngineFixture.Socket::flow);
        // Without a tick, which would help out: the line moves by itself.
        world.settle();
        int all = entries;
        sockets.stream()
                .filter(socket -> socket.outbox.state() == Outbox.State.OPEN)
                .forEach(socket -> assertEquals(
                        all,
                        socket.got.stream().filter(text -> text.startsWith("e")).count(),
                        "who is still there has everything"));
        sockets.forEach(socket -> socket.outbox.closed());
        world.settle();
        world.pass(Duration.ofMinutes(2));
        world.pass(Duration.ofMinutes(2));
        assertEquals(0, world.value(Counter.BYTES));
    }
}
