package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Laws 1, 4 and 13: what a stream takes, keeps and gives. */
class StreamTest {
    private final EngineFixture engine = new EngineFixture();

    @Test
    void stored_hintsInOrder_arriveWithoutReading() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.store(2);
        engine.store(1);
        engine.settle();
        assertEquals("e1 e2 e3", socket.text());
        assertEquals(0, engine.log.reads);
    }

    @Test
    void stored_hintsSwapped_arriveInOrder() {
        EngineFixture.Socket socket = engine.watching(0);
        List<StoredEntry> first = engine.append(2);
        List<StoredEntry> second = engine.append(1);
        engine.hint(second);
        engine.hint(first);
        engine.settle();
        assertEquals("e1 e2 e3", socket.text());
    }

    @Test
    void stored_hintTwice_arrivesOnce() {
        EngineFixture.Socket socket = engine.watching(0);
        List<StoredEntry> entries = engine.append(2);
        engine.hint(entries);
        engine.hint(entries);
        engine.hint(entries.subList(1, 2));
        engine.settle();
        assertEquals("e1 e2", socket.text());
    }

    @Test
    void stored_hintMissing_holeIsReadAtOnce() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.append(1);
        engine.store(1);
        engine.settle();
        assertEquals("e1 e2", socket.text());
        assertEquals(1, engine.log.reads);
    }

    @Test
    void compareHeads_lastHintMissing_entryArrives() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.append(1);
        engine.settle();
        assertEquals("", socket.text());
        engine.delivery.compareHeads();
        engine.settle();
        assertEquals("e1", socket.text());
    }

    /** Protocols A6: a message is not shown before its last pieces, however it was found. */
    @Test
    void compareHeads_pageReachesBeyondTheHeadThatWasSeen_entriesDoNotOvertakeSignals() {
        EngineFixture.Socket socket = engine.watching(0);
        List<StoredEntry> first = engine.append(1);
        engine.delivery.compareHeads();
        List<StoredEntry> message = engine.append(1);
        engine.settle();
        engine.signal("piece", "p", false);
        engine.signal("end", "p", true);
        engine.hint(first);
        engine.hint(message);
        engine.settle();
        assertEquals("e1 piece end e2", socket.text());
    }

    @Test
    void stored_signalsBetweenEntriesBehindAHole_keepTheirPlaces() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.append(1);
        engine.hint(engine.append(1));
        engine.signal("piece", "p", false);
        engine.hint(engine.append(1));
        engine.signal("next", "q", false);
        engine.settle();
        assertEquals("e1 e2 piece e3 next", socket.text());
    }

    @Test
    void compareHeads_inLine_isToldInItsTurn() {
        EngineFixture.Socket socket = engine.watching(0);
        List<StoredEntry> message = engine.append(1);
        List<Runnable> line = new ArrayList<>();
        engine.delivery.compareHeads(line::add);
        engine.settle();
        assertEquals("", socket.text());
        engine.signal("piece", "p", false);
        line.forEach(Runnable::run);
        engine.hint(message);
        engine.settle();
        assertEquals("piece e1", socket.text());
    }

    @Test
    void compareHeads_logFails_nothingHappens() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.append(1);
        engine.log.failing = true;
        engine.delivery.compareHeads();
        engine.settle();
        engine.log.failing = false;
        engine.delivery.compareHeads();
        engine.settle();
        assertEquals("e1", socket.text());
    }

    @Test
    void compareHeads_twoStreams_oneQuery() {
        engine.watching(0);
        EngineFixture.Socket other = engine.socket();
        other.outbox
                .subscribe(new Channel(engine.translator, StreamKey.run("r1")), engine.gate)
                .start(0, List.of(), Map.of());
        engine.settle();
        int before = engine.log.headReads;
        engine.delivery.compareHeads();
        assertEquals(before + 1, engine.log.headReads);
    }

    @Test
    void stored_manySockets_entryIsEncodedOnce() {
        for (int i = 0; i < 20; i++) {
            engine.watching(0);
        }
        engine.store(1);
        engine.settle();
        assertEquals(1, engine.translated);
    }

    @Test
    void stored_translatorFails_streamGoesOn() {
        Translator poisoned = entry -> {
            if (entry.position() == 2) {
                throw new IllegalStateException("a bug");
            }
            return List.of(Frame.ofText("e" + entry.position()));
        };
        EngineFixture.Socket socket = engine.socket();
        socket.outbox
                .subscribe(new Channel(poisoned, EngineFixture.KEY), engine.gate)
                .start(0, List.of(), Map.of());
        engine.settle();
        engine.store(3);
        engine.settle();
        assertEquals("e1 e3", socket.text());
    }

    /** Law 1: a hole that cannot be filled is told, never skipped. */
    @Test
    void read_logHasAHole_socketIsTold() {
        engine.append(5);
        engine.log.damage(EngineFixture.KEY, 3);
        EngineFixture.Socket socket = engine.watching(0);
        assertEquals("e1 e2", socket.text());
        assertTrue(socket.calls.contains("close SLOW"), socket.calls.toString());
    }

    @Test
    void start_cursorInsideWindow_noRead() {
        engine.watching(0);
        engine.store(5);
        engine.settle();
        EngineFixture.Socket socket = engine.watching(2);
        assertEquals("e3 e4 e5", socket.text());
        assertEquals(0, engine.log.reads);
    }

    @Test
    void start_cursorBehindWindow_readsPagesThenJoins() {
        engine.append(25);
        EngineFixture.Socket socket = engine.watching(0);
        engine.store(1);
        engine.settle();
        assertEquals(26, socket.got.size());
        assertEquals("e26", socket.got.get(25));
        assertEquals(3, engine.log.reads);
    }

    @Test
    void start_storedBetweenRegistrationAndStart_arrivesOnce() {
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        engine.store(2);
        engine.settle();
        subscription.start(1, List.of(), Map.of());
        engine.settle();
        assertEquals("e2", socket.text());
    }

    @Test
    void publish_beforeRegistration_isNotSent() {
        engine.watching(0);
        engine.signal("before", null, false);
        engine.settle();
        EngineFixture.Socket socket = engine.watching(0);
        engine.signal("after", null, false);
        engine.settle();
        assertEquals("after", socket.text());
    }

    /** Law 4: the latest wins by version, whatever the order of publication. */
    @Test
    void publish_olderSnapshotLater_isIgnored() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.snapshot("k", 2);
        engine.snapshot("k", 1);
        engine.snapshot("k", 2);
        engine.settle();
        assertEquals("kv2", socket.text());
    }

    @Test
    void publish_snapshotsWhileStalled_onlyLatestIsSent() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("a"));
        engine.settle();
        for (int version = 1; version <= 50; version++) {
            engine.snapshot("k", version);
        }
        engine.settle();
        socket.flow();
        engine.settle();
        assertEquals("a kv50", socket.text());
    }

    @Test
    void start_snapshotSeen_notOlderOrSameIsSent() {
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        engine.snapshot("k", 4);
        engine.snapshot("l", 1);
        engine.settle();
        subscription.start(0, List.of(), Map.of("k", 5L));
        engine.snapshot("k", 5);
        engine.snapshot("k", 6);
        engine.settle();
        assertEquals("lv1 kv6", socket.text());
    }

    /** Law 4: a prefix, never a hole; the end comes. */
    @Test
    void publish_partialPartlyLost_isCutUntilItsEnd() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(3, 1_000, 1_000));
        EngineFixture.Socket socket = small.watching(0);
        small.signal("p1", "p", false);
        small.settle();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("a"));
        small.settle();
        for (int i = 2; i < 8; i++) {
            small.signal("p" + i, "p", false);
        }
        small.settle();
        socket.flow();
        small.settle();
        small.signal("p8", "p", false);
        small.signal("q1", "q", false);
        small.signal("end", "p", true);
        small.settle();
        assertEquals("p1 a q1 end", socket.text());
    }

    @Test
    void publish_endOfPartialLost_endComesAnyway() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(3, 1_000, 1_000));
        EngineFixture.Socket socket = small.watching(0);
        small.signal("p1", "p", false);
        small.settle();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("a"));
        small.settle();
        small.signal("end", "p", true);
        small.store(5);
        small.settle();
        socket.flow();
        small.settle();
        assertEquals("p1 a end e1 e2 e3 e4 e5", socket.text());
    }

    @Test
    void publish_joinedInMidPartial_getsWhatFollows() {
        engine.watching(0);
        engine.signal("p1", "p", false);
        engine.settle();
        EngineFixture.Socket socket = engine.watching(0);
        engine.signal("p2", "p", false);
        engine.signal("end", "p", true);
        engine.settle();
        assertEquals("p2 end", socket.text());
    }

    @Test
    void tick_nobodyWatchesForLong_streamIsDropped() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.outbox.closed();
        engine.pass(Duration.ofSeconds(29));
        assertEquals(1, engine.delivery.streams());
        engine.pass(Duration.ofSeconds(1));
        assertEquals(0, engine.delivery.streams());
    }

    @Test
    void subscribe_streamLingers_windowServesWithoutReading() {
        EngineFixture.Socket first = engine.watching(0);
        engine.store(2);
        engine.settle();
        first.outbox.closed();
        engine.store(1);
        engine.settle();
        EngineFixture.Socket second = engine.watching(2);
        assertEquals("e3", second.text());
        assertEquals(0, engine.log.reads);
    }

    @Test
    void watched_subscriptionGone_keyIsGone() {
        EngineFixture.Socket socket = engine.watching(0);
        assertEquals(Set.of(EngineFixture.KEY), engine.delivery.watched(engine.translator, StreamKey.Kind.SESSION));
        assertEquals(Set.of(), engine.delivery.watched(engine.translator, StreamKey.Kind.RUN));
        assertEquals(Set.of(), engine.delivery.watched(entry -> List.of(), StreamKey.Kind.SESSION));
        socket.outbox.closed();
        assertEquals(Set.of(), engine.delivery.watched(engine.translator, StreamKey.Kind.SESSION));
    }
}
