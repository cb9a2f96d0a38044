package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Law 5: many sockets that come back, or vanish, at once. */
class StormTest {
    private static final int SOCKETS = 2_000;
    private static final long SEED = Long.getLong("tidings.seed", 4_711);

    private final DeliveryLimits real = DeliveryLimits.DEFAULTS;
    private final EngineFixture engine = new EngineFixture(real);
    private final Random random = new Random(SEED);

    /** Database reads grow with streams, not with sockets. */
    @Test
    void reconnect_randomPositionsFarBehindTheWindow_readsInTheTens() {
        System.out.println("StormTest seed " + SEED + " (-Dtidings.seed)");
        int entries = 15_000;
        engine.append(entries);
        List<EngineFixture.Socket> sockets = new ArrayList<>();
        long expected = 0;
        for (int i = 0; i < SOCKETS; i++) {
            EngineFixture.Socket socket = engine.socket();
            int after = entries - random.nextInt(5_000);
            expected += entries - after;
            socket.watch(after);
            sockets.add(socket);
        }
        engine.settle();
        long got = 0;
        for (EngineFixture.Socket socket : sockets) {
            got += socket.got.size();
            assertTrue(socket.got.isEmpty()
                    || socket.got.get(socket.got.size() - 1).equals("e" + entries));
        }
        assertEquals(expected, got);
        assertTrue(engine.log.reads <= 60, engine.log.reads + " page reads");
        assertTrue(engine.log.headReads <= 2, engine.log.headReads + " head reads");
        assertEquals(engine.log.reads, engine.value(Counter.PAGE_READS));
        assertTrue(engine.value(Counter.PAGES_SHARED) > SOCKETS);
    }

    /** Whoever is not further behind than the window costs the database nothing. */
    @Test
    void reconnect_withinTheWindow_noReadAtAll() {
        EngineFixture.Socket first = engine.watching(0);
        engine.store(1_500);
        engine.settle();
        first.outbox.closed();
        engine.settle();
        engine.pass(Duration.ofSeconds(29));
        int heads = engine.log.headReads;
        for (int i = 0; i < SOCKETS; i++) {
            engine.socket().watch(random.nextInt(1_500));
        }
        engine.settle();
        assertEquals(0, engine.log.reads);
        assertTrue(engine.log.headReads - heads <= 1, "one look at the head");
        assertTrue(engine.value(Counter.ENTRIES_FROM_WINDOW) > SOCKETS);
        assertEquals(0, engine.value(Counter.ENTRIES_FROM_LOG));
    }

    /** Large entries: a page ends before its round number of entries, and is shared all the same. */
    @Test
    void reconnect_pagesAreCutShort_stillShared() {
        EngineFixture small = new EngineFixture();
        small.log.mostEntries = 3;
        small.append(300);
        for (int i = 0; i < 500; i++) {
            EngineFixture.Socket socket = small.socket();
            socket.watch(random.nextInt(300));
        }
        small.settle();
        assertTrue(small.log.reads <= 150, small.log.reads + " reads");
    }

    /** Half-open: found and freed within a minute, and nothing is left. */
    @Test
    void vanish_thousandSocketsWithoutAClose_allFreedWithinAMinute() {
        List<EngineFixture.Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            EngineFixture.Socket socket = engine.watching(0);
            // Some have a send in flight when the cable is cut, of some the system takes what is sent for a while.
            socket.vanished = i % 2 == 0;
            sockets.add(socket);
        }
        engine.store(1);
        engine.settle();
        for (int second = 0; second < 60; second++) {
            engine.pass(Duration.ofSeconds(1));
        }
        assertEquals(0, engine.delivery.sockets());
        assertEquals(0, engine.value(Counter.SOCKETS));
        assertEquals(0, engine.value(Counter.SUBSCRIPTIONS));
        assertEquals(0, engine.gate.size());
        engine.pass(Duration.ofSeconds(31));
        assertEquals(0, engine.delivery.streams());
        assertEquals(0, engine.value(Counter.BYTES));
        sockets.forEach(
                socket -> assertTrue(socket.calls.stream().anyMatch(call -> call.startsWith("abort")), "not dropped"));
    }

    /** A stop: everybody is told once, in an order that a seed decides, each in its own words. */
    @Test
    void drain_manySockets_toldInRandomOrder() {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String name = "s" + i;
            EngineFixture.Socket socket = engine.socket();
            if (i % 2 == 0) {
                socket.outbox.stopsWith(Disconnect.DRAINING);
            }
            socket.onClose = reason -> order.add(name + " " + reason);
        }
        List<Runnable> stops = engine.delivery.drain(random);
        engine.settle();
        assertEquals(List.of(), order);
        for (Runnable stop : stops) {
            int before = order.size();
            stop.run();
            engine.settle();
            assertEquals(before + 1, order.size());
        }
        List<String> sorted = new ArrayList<>(order);
        sorted.sort(null);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            expected.add("s" + i + (i % 2 == 0 ? " DRAINING" : " GOING_AWAY"));
        }
        assertTrue(!order.equals(expected), "not in the order of arrival");
        expected.sort(null);
        assertEquals(expected, sorted);
        EngineFixture.Socket late = engine.socket();
        engine.settle();
        assertEquals(List.of("close GOING_AWAY"), late.calls);
    }
}
