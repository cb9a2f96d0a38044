package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.StoredEntry;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Faults that the simulator found, each named after what made it. */
class FoundFaultsTest {

    /**
     * A stream jumps over a hole that is larger than its window and empties the window. A subscription that had taken
     * everything stood at the index where the window went on, and took the new head for its own position.
     */
    @Test
    void jump_subscriptionHadEverything_readsWhatWasJumpedOver() {
        EngineFixture engine = new EngineFixture(EngineFixture.limits(3, 1_000, 1_000));
        EngineFixture.Socket socket = engine.watching(0);
        engine.store(1);
        engine.settle();
        engine.append(6);
        engine.delivery.compareHeads();
        engine.settle();
        assertEquals("e1 e2 e3 e4 e5 e6 e7", socket.text());
    }

    /** A large answer had no room in the batch, but the small opening behind it had. */
    @Test
    void start_answerBeforeHasNoRoom_openingWaits() {
        EngineFixture engine = new EngineFixture(EngineFixture.limits(10, 1_000, 10));
        EngineFixture.Socket socket = engine.socket();
        socket.outbox.answer(Frame.ofText("a1"));
        socket.outbox.answer(Frame.ofText("a2, much larger"));
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        subscription.start(0, List.of(Frame.ofText("o")), Map.of());
        engine.settle();
        assertEquals("a1 a2, much larger o", socket.text());
    }

    /** Signals waited for a hole to be filled; one that came right after the filling was shown before them. */
    @Test
    void publish_holeIsFilledInTheSameRound_signalsKeepTheirOrder() {
        EngineFixture engine = new EngineFixture();
        EngineFixture.Socket socket = engine.watching(0);
        List<StoredEntry> first = engine.append(1);
        List<StoredEntry> second = engine.append(1);
        engine.hint(second);
        engine.signal("p1", "p", false);
        engine.hint(first);
        engine.signal("p2", "p", false);
        engine.settle();
        assertEquals("e1 e2 p1 p2", socket.text());
    }

    /** A hint of long ago made a new stream believe that it was up to date, and a signal overtook newer entries. */
    @Test
    void publish_newStreamKnowsOnlyAnOldHint_signalWaitsForTheHead() {
        EngineFixture engine = new EngineFixture();
        List<StoredEntry> old = engine.append(1);
        engine.append(3);
        EngineFixture.Socket socket = engine.socket();
        socket.watch(0);
        engine.hint(old);
        engine.signal("p1", "p", false);
        engine.settle();
        assertEquals("e1 e2 e3 e4 p1", socket.text());
    }

    /**
     * The executor refused a stream's pump; then nobody watched the stream any more, and it was dropped with a page in its
     * inbox that counted for ever.
     */
    @Test
    void drop_pageWaitsInTheInbox_itsBytesAreGivenBack() {
        EngineFixture engine = new EngineFixture();
        Deque<Runnable> pumps = new ArrayDeque<>();
        Deque<Runnable> reads = new ArrayDeque<>();
        boolean[] full = {false};
        Executor executor = task -> {
            if (full[0]) {
                throw new RejectedExecutionException();
            }
            pumps.add(task);
        };
        Delivery delivery = new Delivery(
                EngineFixture.limits(100, 1_000, 1_000), engine.log, executor, reads::add, () -> engine.now);
        Outbox outbox = delivery.open(engine.socket());
        outbox.subscribe(engine.channel, engine.gate).start(0, List.of(), Map.of());
        runAll(pumps, reads);
        List<StoredEntry> stored = engine.append(3);
        delivery.stored(new EntriesStored(EngineFixture.KEY, List.of(stored.get(2))));
        runAll(pumps, new ArrayDeque<>());
        full[0] = true;
        runAll(reads, new ArrayDeque<>());
        outbox.closed();
        engine.now += Duration.ofSeconds(31).toNanos();
        delivery.tick();
        assertEquals(0, delivery.streams());
        assertEquals(0, delivery.counters().value(Counter.BYTES));
    }

    private static void runAll(Deque<Runnable> one, Deque<Runnable> other) {
        while (!one.isEmpty() || !other.isEmpty()) {
            (one.isEmpty() ? other : one).removeFirst().run();
        }
    }

    /** A page begins before the cursor, at a round position; a hole there is none of the reader's. */
    @Test
    void read_holeBeforeTheCursor_isPassedBy() {
        EngineFixture engine = new EngineFixture();
        engine.append(8);
        engine.log.damage(EngineFixture.KEY, 3);
        EngineFixture.Socket behind = engine.watching(5);
        EngineFixture.Socket before = engine.watching(1);
        assertEquals("e6 e7 e8", behind.text());
        assertEquals("e2", before.text());
        assertEquals("close SLOW", before.calls.get(before.calls.size() - 1), "its own hole is told");
    }

    /** Its key was pushed out of the kept snapshots by others, and with it the knowledge of its version. */
    @Test
    void publish_olderSnapshotOfAForgottenKey_isIgnored() {
        EngineFixture engine = new EngineFixture(EngineFixture.limits(2, 1_000, 1_000));
        EngineFixture.Socket socket = engine.watching(0);
        engine.snapshot("k", 7);
        engine.settle();
        for (int i = 0; i < 5; i++) {
            engine.snapshot("other" + i, 1);
            engine.settle();
        }
        engine.snapshot("k", 5);
        engine.settle();
        assertEquals(
                List.of("kv7"),
                socket.got.stream().filter(text -> text.startsWith("k")).toList());
    }
}
