package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How subscriptions of one socket begin, and what they know of each other. */
class OpeningTest {
    private final EngineFixture engine = new EngineFixture();
    private final Channel other = new Channel(engine.translator, StreamKey.account("u1"));

    private static Opening opening(long after, long until, long leaveOut, List<String> behind) {
        return new Opening(
                after,
                List.of(Frame.ofText("open")),
                Map.of("k", 5L),
                until,
                leaveOut,
                behind.stream().map(Frame::ofText).toList(),
                Map.of());
    }

    private void publishToBoth(String key, long version) {
        Broadcast snapshot = new Broadcast.Snapshot(key, version, Frame.ofText(key + version), null);
        engine.delivery.publish(engine.channel, snapshot);
        engine.delivery.publish(other, snapshot);
    }

    /** A snapshot goes to the union of the sockets of several keys, once each. */
    @Test
    void snapshot_twoChannels_comesOnceToASocketOfBoth() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.outbox.subscribe(other, engine.gate).start(0, List.of(), Map.of());
        engine.settle();
        publishToBoth("k", 1);
        publishToBoth("k", 2);
        engine.settle();
        assertEquals("k2", socket.text());
    }

    /** Law 4: a channel that lags shows nothing older than what the socket has. */
    @Test
    void snapshot_otherChannelLags_olderIsNotSent() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.outbox.subscribe(other, engine.gate).start(0, List.of(), Map.of());
        engine.delivery.publish(other, new Broadcast.Snapshot("k", 2, Frame.ofText("k2"), null));
        engine.settle();
        engine.snapshot("k", 1);
        engine.settle();
        assertEquals("k2", socket.text());
    }

    @Test
    void start_outdated_doesNothingAndIsToldSo() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.snapshot("k", 6);
        engine.settle();
        Subscription subscription = socket.outbox.subscribe(other, engine.gate);
        assertFalse(subscription.startUnlessOutdated(opening(0, 0, 0, List.of())));
        engine.settle();
        assertEquals("kv6", socket.text());
        // Whoever begins all the same is shown the newer one behind it.
        subscription.start(opening(0, 0, 0, List.of()));
        engine.delivery.publish(other, new Broadcast.Snapshot("k", 6, Frame.ofText("k6"), null));
        engine.settle();
        assertEquals("kv6 open k6", socket.text());
        assertThrows(IllegalStateException.class, () -> subscription.start(opening(0, 0, 0, List.of())));
    }

    /** What the opening shows goes out before a newer one of another channel, and not again after it. */
    @Test
    void start_otherChannelIsReady_openingGoesFirst() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.stalled = true;
        engine.snapshot("x", 1);
        engine.settle();
        engine.snapshot("k", 5);
        engine.snapshot("k", 6);
        engine.settle();
        Subscription subscription = socket.outbox.subscribe(other, engine.gate);
        assertTrue(subscription.startUnlessOutdated(opening(0, 0, 0, List.of())));
        socket.flow();
        engine.settle();
        assertEquals("xv1 open kv6", socket.text());
    }

    /** A long text so far has to be shown somehow: it counts against nothing that waits beside it. */
    @Test
    void start_openingLargerThanTheBound_answersAndSmallOpeningsBesideItWait() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(100, 20, 1_000));
        EngineFixture.Socket socket = small.socket();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("a1"));
        small.settle();
        String large = "text so far, of more than twenty bytes";
        socket.outbox.subscribe(small.channel, small.gate).start(0, List.of(Frame.ofText(large)), Map.of());
        socket.outbox.answer(Frame.ofText("a2"));
        Channel other = new Channel(small.translator, StreamKey.account("u1"));
        socket.outbox.subscribe(other, small.gate).start(0, List.of(Frame.ofText("o")), Map.of());
        socket.outbox.answer(Frame.ofText("a3"));
        small.settle();
        socket.flow();
        small.settle();
        assertEquals("a1 a2 a3 " + large + " o", socket.text());
        assertEquals(Outbox.State.OPEN, socket.outbox.state());
    }

    /** Law 7: there is one of that size at most, and the rest is bounded as ever. */
    @Test
    void start_secondOpeningLargerThanTheBound_closesTheSocket() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(100, 20, 1_000));
        EngineFixture.Socket socket = small.socket();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("a1"));
        small.settle();
        String large = "text so far, of more than twenty bytes";
        socket.outbox.subscribe(small.channel, small.gate).start(0, List.of(Frame.ofText(large)), Map.of());
        Channel other = new Channel(small.translator, StreamKey.account("u1"));
        socket.outbox.subscribe(other, small.gate).start(0, List.of(Frame.ofText(large)), Map.of());
        socket.flow();
        small.settle();
        assertEquals("close SLOW", socket.calls.get(socket.calls.size() - 1));
    }

    /** Law 4: the one that was begun later was read later, and shows the newer of both. */
    /** Law 4: closed for it, the peer would come back and ask for the same texts again. */
    @Test
    void start_secondTextSoFarLargerThanTheBound_isLeftOutAndTheSocketStays() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(100, 20, 1_000));
        EngineFixture.Socket socket = small.socket();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("a1"));
        small.settle();
        String large = "text so far, of more than twenty bytes";
        socket.outbox.subscribe(small.channel, small.gate).start(opening(0, 0, 0, List.of(large)));
        Channel second = new Channel(small.translator, StreamKey.account("u1"));
        socket.outbox.subscribe(second, small.gate).start(opening(0, 0, 0, List.of(large + ", again")));
        small.settle();
        socket.flow();
        small.settle();
        assertEquals(Outbox.State.OPEN, socket.outbox.state());
        String text = socket.text();
        assertTrue(text.contains(large) && !text.contains("again"), text);
    }

    @Test
    void start_twoWait_goOutInTheirOrderBeforeWhatIsNewer() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.stalled = true;
        engine.snapshot("x", 1);
        engine.settle();
        Channel third = new Channel(engine.translator, StreamKey.account("u2"));
        Subscription first = socket.outbox.subscribe(other, engine.gate);
        Subscription second = socket.outbox.subscribe(third, engine.gate);
        first.start(0, List.of(Frame.ofText("first:k5")), Map.of("k", 5L));
        second.start(0, List.of(Frame.ofText("second:k6")), Map.of("k", 6L));
        engine.delivery.publish(third, new Broadcast.Snapshot("k", 7, Frame.ofText("k7"), null));
        engine.settle();
        socket.flow();
        engine.settle();
        assertEquals("xv1 first:k5 second:k6 k7", socket.text());
    }

    @Test
    void leaveOut_numberedEntriesOfTheReplay_areLeftOutAndLiveOnesNot() {
        for (boolean window : new boolean[] {false, true}) {
            EngineFixture fresh = new EngineFixture();
            if (window) {
                fresh.watching(0);
                fresh.store(6);
                fresh.settle();
            } else {
                fresh.append(6);
            }
            EngineFixture.Socket socket = fresh.socket();
            long last = fresh.log.read(EngineFixture.KEY, 0, 10, 1 << 20).get(1).seq();
            assertTrue(last > 0, "there is something to leave out");
            socket.outbox.subscribe(fresh.channel, fresh.gate).start(opening(0, 6, last, List.of()));
            fresh.settle();
            assertEquals("open " + expected(fresh, last), socket.text());
            fresh.store(1);
            fresh.settle();
            assertTrue(socket.text().endsWith("e7"), socket::text);
        }
    }

    private static String expected(EngineFixture of, long leftOut) {
        return String.join(
                " ",
                of.log.read(EngineFixture.KEY, 0, 10, 1 << 20).stream()
                        .filter(entry -> !(entry.seq() > 0 && entry.seq() <= leftOut))
                        .map((StoredEntry entry) -> "e" + entry.position())
                        .toList());
    }

    /** The text so far comes behind the replay, whether that is read or in the window. */
    @Test
    void behind_replay_comesBetweenReplayAndLive() {
        for (boolean window : new boolean[] {false, true}) {
            EngineFixture fresh = new EngineFixture();
            if (window) {
                fresh.watching(0);
                fresh.store(3);
                fresh.settle();
            } else {
                fresh.append(3);
            }
            EngineFixture.Socket socket = fresh.socket();
            socket.outbox.subscribe(fresh.channel, fresh.gate).start(opening(0, 3, 0, List.of("text", "more")));
            fresh.settle();
            fresh.store(1);
            fresh.settle();
            assertEquals("open e1 e2 e3 text more e4", socket.text());
        }
    }

    @Test
    void behind_nothingToReplay_comesAtOnce() {
        EngineFixture.Socket socket = engine.socket();
        engine.append(3);
        socket.outbox.subscribe(engine.channel, engine.gate).start(opening(3, 3, 0, List.of("text")));
        engine.settle();
        assertEquals("open text", socket.text());
    }

    /** The log may be ahead of what the stream knows: the piece must not come before what it goes on from. */
    @Test
    void behind_pieceBeforeTheReplayIsOver_textComesFirst() {
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        engine.settle();
        subscription.start(opening(0, 1, 0, List.of("text")));
        engine.signal("piece", "p", false);
        engine.settle();
        engine.store(1);
        engine.settle();
        assertEquals("open text piece e1", socket.text());
    }

    /** Law 6. */
    @Test
    void behind_gateClosed_waits() {
        EngineFixture.Socket socket = engine.socket();
        engine.gate.close();
        socket.outbox.subscribe(engine.channel, engine.gate).start(opening(0, 0, 0, List.of("text")));
        engine.settle();
        assertEquals("", socket.text());
        engine.gate.open();
        engine.settle();
        assertEquals("open text", socket.text());
    }

    /** Who watches in another way gets another frame, or none. */
    @Test
    void views_snapshot_eachGetsItsOwn() {
        EngineFixture.Socket one = engine.socket();
        EngineFixture.Socket two = engine.socket();
        EngineFixture.Socket three = engine.socket();
        one.outbox.subscribe(other, engine.gate, "one").start(0, List.of(), Map.of());
        two.outbox.subscribe(other, engine.gate, "two").start(0, List.of(), Map.of());
        three.outbox.subscribe(other, engine.gate, "three").start(0, List.of(), Map.of());
        engine.settle();
        assertEquals(java.util.Set.of("one", "two", "three"), engine.delivery.views(other));
        Frame first = Frame.ofText("first");
        Map<String, Frame> views = Map.of("one", first, "two", Frame.ofText("second"));
        engine.delivery.publish(other, new Broadcast.Snapshot("k", 1, first, null, views));
        engine.settle();
        assertEquals("first", one.text());
        assertEquals("second", two.text());
        assertEquals("", three.text());
    }

    @Test
    void channels_key_areThoseThatAreWatched() {
        assertEquals(List.of(), engine.delivery.channels(EngineFixture.KEY));
        EngineFixture.Socket socket = engine.watching(0);
        assertEquals(List.of(engine.channel), engine.delivery.channels(EngineFixture.KEY));
        socket.outbox.closed();
        engine.settle();
        assertEquals(List.of(), engine.delivery.channels(EngineFixture.KEY), "a window that lingers is not watched");
    }

    @Test
    void binary_whileSomebodyHoldsIt_isMadeOnceAndShared() {
        int[] made = {0};
        Frame frame = Frame.ofText("{}");
        List<java.nio.ByteBuffer> held = new java.util.ArrayList<>();
        for (int i = 0; i < 3; i++) {
            held.add(frame.binary(utf8 -> {
                made[0]++;
                return utf8.clone();
            }));
        }
        held.forEach(one -> assertEquals(2, one.remaining()));
        assertEquals(1, made[0]);
        String text = frame.text();
        assertSame(text, frame.text());
    }

    /** Law 4: the budget counts the UTF-8 bytes alone, so nothing else may live as long as a window. */
    @Test
    @Timeout(60)
    void textAndBinary_nobodyHoldsThem_areForgotten() {
        Frame frame = Frame.ofText("{}");
        List<WeakReference<?>> made = List.of(
                new WeakReference<>(frame.text()),
                new WeakReference<>(frame.binary(byte[]::clone).array()));
        while (made.stream().anyMatch(form -> form.get() != null)) {
            System.gc();
        }
        assertEquals("{}", frame.text());
    }

    @Test
    void sent_manyKeys_isBounded() {
        SentSnapshots sent = new SentSnapshots();
        for (int i = 0; i <= SentSnapshots.MOST; i++) {
            sent.sent("k" + i, 7);
        }
        assertTrue(sent.isNews("k0", 1), "the oldest is forgotten");
        assertFalse(sent.isNews("k1", 7));
        assertTrue(sent.isNews("k1", 8));
    }
}
