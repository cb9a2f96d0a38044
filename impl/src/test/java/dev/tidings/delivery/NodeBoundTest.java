package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Law 4: the bytes of the whole node are bounded, and counted once. */
class NodeBoundTest {
    private static final long MAX = 4_000;

    private final EngineFixture engine = new EngineFixture(EngineFixture.limits(10_000, 100_000, 1_000, MAX));

    private EngineFixture.Socket watch(StreamKey key) {
        EngineFixture.Socket socket = engine.socket();
        socket.outbox
                .subscribe(new Channel(engine.translator, key), engine.gate)
                .start(0, List.of(), Map.of());
        engine.settle();
        return socket;
    }

    private void fill(StreamKey key, int entries) {
        for (int i = 0; i < entries; i++) {
            engine.delivery.stored(new EntriesStored(key, engine.log.append(key, 1)));
            engine.settle();
        }
    }

    /** Of a joiner from the start: how much comes from the log, that is, is no longer in the window. */
    private long readAnew(StreamKey key) {
        long before = engine.value(Counter.ENTRIES_FROM_LOG);
        watch(key).outbox.closed();
        engine.settle();
        return engine.value(Counter.ENTRIES_FROM_LOG) - before;
    }

    @Test
    void windows_boundReached_theLeastWatchedShrinksFirst() {
        StreamKey lonely = StreamKey.session("lonely");
        StreamKey busy = StreamKey.session("busy");
        watch(lonely);
        watch(busy);
        EngineFixture.Socket last = watch(busy);
        fill(lonely, 500);
        assertEquals(0, engine.value(Counter.PRESSURES));
        fill(busy, 600);
        assertTrue(engine.value(Counter.PRESSURES) > 0, "nothing happened");
        assertTrue(engine.value(Counter.BYTES) <= MAX, engine.value(Counter.BYTES) + " bytes");
        assertEquals(600, last.got.size(), "law 1: nobody loses an entry");
        assertEquals(0, readAnew(busy));
        assertTrue(readAnew(lonely) > 100);
        assertEquals(
                List.of(),
                last.calls.stream().filter(call -> !call.equals("send")).toList());
    }

    /** A stream that nobody watches is kept for whoever comes back; it goes first. */
    @Test
    void windows_boundReached_unwatchedStreamsGoAtOnce() {
        StreamKey left = StreamKey.session("left");
        EngineFixture.Socket gone = watch(left);
        fill(left, 600);
        gone.outbox.closed();
        engine.settle();
        assertEquals(1, engine.delivery.streams());
        watch(StreamKey.session("busy"));
        fill(StreamKey.session("busy"), 500);
        assertEquals(1, engine.delivery.streams());
    }

    /** Answers cannot shrink: the socket that takes longest is told to come back, and no other. */
    @Test
    void sockets_boundReached_theSlowestIsClosed() {
        EngineFixture.Socket quick = engine.socket();
        EngineFixture.Socket slower = engine.socket();
        EngineFixture.Socket slowest = engine.socket();
        slowest.stalled = true;
        slower.stalled = true;
        quick.stalled = true;
        slowest.outbox.answer(Frame.ofText("x".repeat(1_500)));
        engine.settle();
        engine.pass(Duration.ofSeconds(1));
        slower.outbox.answer(Frame.ofText("y".repeat(1_500)));
        engine.settle();
        engine.pass(Duration.ofSeconds(1));
        quick.outbox.answer(Frame.ofText("z".repeat(1_500)));
        engine.settle();
        assertEquals(List.of("send", "abort SLOW"), slowest.calls);
        assertEquals(List.of("send"), slower.calls);
        assertEquals(List.of("send"), quick.calls);
        assertEquals(3_000, engine.value(Counter.BYTES));
        assertEquals(1L, engine.delivery.counters().refusals().get("4001"));
        slower.flow();
        quick.flow();
        engine.settle();
        assertEquals(0, engine.value(Counter.BYTES));
    }

    /** Two engines of a node, over two logs: one bound, one count; what one holds makes room in the other. */
    @Test
    void engines_besideEachOther_haveOneBoundAndOneCount() {
        Delivery beside = engine.delivery.beside(EngineFixture.limits(10_000, 100_000, 1_000, MAX), engine.log);
        EngineFixture.Socket first = watch(StreamKey.session("first"));
        fill(StreamKey.session("first"), 600);
        long alone = engine.value(Counter.BYTES);
        assertEquals(0, engine.value(Counter.PRESSURES));
        EngineFixture.Socket other = engine.new Socket(beside);
        StreamKey second = StreamKey.session("second");
        other.outbox
                .subscribe(new Channel(engine.translator, second), engine.gate)
                .start(0, List.of(), Map.of());
        engine.settle();
        assertEquals(2, engine.value(Counter.SOCKETS));
        assertEquals(2, engine.value(Counter.STREAMS));
        assertEquals(2, engine.value(Counter.SUBSCRIPTIONS));
        for (int i = 0; i < 700; i++) {
            beside.stored(new EntriesStored(second, engine.log.append(second, 1)));
            engine.settle();
        }
        assertTrue(engine.value(Counter.PRESSURES) > 0, "nothing happened");
        assertTrue(engine.value(Counter.BYTES) <= MAX, engine.value(Counter.BYTES) + " bytes");
        assertTrue(engine.delivery.recount() < alone, "room was made in one alone");
        assertEquals(engine.value(Counter.BYTES), beside.counters().value(Counter.BYTES));
        assertEquals(600, first.got.size());
        assertEquals(700, other.got.size());
        long before = beside.recount();
        beside.keeps(MAX);
        beside.tick();
        engine.settle();
        assertTrue(beside.recount() < before * 6 / 10, "what a protocol keeps counts, too");
        beside.keeps(-MAX);
    }

    /** Frames that many sockets take are counted with the window, once. */
    @Test
    void bytes_manySocketsOneStream_countedOnce() {
        for (int i = 0; i < 50; i++) {
            watch(EngineFixture.KEY).stalled = true;
        }
        fill(EngineFixture.KEY, 100);
        long frames = 9 * 2 + 90 * 3 + 4;
        assertEquals(frames, engine.value(Counter.BYTES));
        assertEquals(frames, engine.delivery.recount());
    }

    /** A page is counted once, however many hold it, and until nobody does. */
    @Test
    void bytes_pageSharedByMany_countedOnceAndGivenBack() {
        engine.append(8);
        for (int i = 0; i < 20; i++) {
            EngineFixture.Socket socket = engine.socket();
            socket.stalled = true;
            socket.outbox.answer(Frame.ofText("a"));
            socket.watch(0);
        }
        engine.settle();
        long answers = 20;
        assertEquals(8 * 2 + answers, engine.value(Counter.BYTES) - engine.delivery.recount() + answers);
        engine.pass(Duration.ofSeconds(21));
        engine.pass(Duration.ofSeconds(31));
        assertEquals(0, engine.value(Counter.BYTES));
        assertEquals(0, engine.delivery.sockets());
    }

    /** Pages that are kept for others are bounded too. */
    @Test
    void bytes_longReplay_fewPagesAreKept() {
        DeliveryLimits some = EngineFixture.limits(100, 10_000, 1_000);
        int pageBytes = 3;
        EngineFixture small = new EngineFixture(new DeliveryLimits(
                some.outboxMaxBytes(),
                some.batchMaxBytes(),
                some.windowMaxFrames(),
                some.windowMaxBytes(),
                some.windowLinger(),
                some.replayMaxReads(),
                some.pageMaxEntries(),
                pageBytes,
                some.readRetry(),
                some.sendTimeout(),
                some.heartbeatInterval(),
                some.heartbeatTimeout(),
                some.maxBytes()));
        small.append(300);
        assertEquals(300, small.watching(0).got.size());
        long kept = small.value(Counter.BYTES) - small.delivery.recount();
        assertTrue(kept > 0 && kept <= RecentPages.PAGES * pageBytes, kept + " bytes are kept");
    }

    /** What is kept beyond the windows goes as well: else a node in use for long would close sockets for ever. */
    @Test
    void snapshots_ofMoreAndMoreKeys_goBeforeSockets() {
        // It watches, and is sent nothing: what a socket was sent takes memory of its own.
        EngineFixture.Socket watching = engine.socket();
        watching.outbox.subscribe(engine.channel, engine.gate);
        EngineFixture.Socket sending = engine.socket();
        sending.stalled = true;
        sending.outbox.answer(Frame.ofText("x"));
        for (int i = 0; i < 1_500; i++) {
            engine.snapshot("k" + i, 1);
            engine.settle();
        }
        assertTrue(engine.value(Counter.PRESSURES) > 0, "nothing happened");
        assertTrue(engine.value(Counter.BYTES) <= MAX, engine.value(Counter.BYTES) + " bytes");
        assertEquals(engine.delivery.recount(), engine.value(Counter.BYTES));
        assertEquals(List.of(), watching.calls);
        assertEquals(List.of("send"), sending.calls);
    }

    @Test
    void bytes_snapshotsLeaveTheWindow_countedUntilTheyAreReplaced() {
        EngineFixture narrow = new EngineFixture(EngineFixture.limits(3, 10_000, 1_000));
        EngineFixture.Socket watching = narrow.watching(0);
        narrow.snapshot("k", 1);
        for (int i = 0; i < 5; i++) {
            narrow.store(1);
            narrow.settle();
        }
        long sent = watching.outbox.bytes();
        assertEquals(3 * 2 + 3 + sent, narrow.value(Counter.BYTES), "three entries and the snapshot");
        narrow.snapshot("k", 2);
        narrow.settle();
        assertEquals(2 * 2 + 3 + sent, narrow.value(Counter.BYTES));
        assertEquals(narrow.delivery.recount(), narrow.value(Counter.BYTES));
    }
}
