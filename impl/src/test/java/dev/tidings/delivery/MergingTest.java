package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.spi.Counters.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Law 4: the text of a partial for sockets that keep up, that lag, and that lag too far. */
class MergingTest {
    // A turn is a quarter of a batch: whoever has more than 50 bytes to take lags.
    private final EngineFixture engine = new EngineFixture(EngineFixture.limits(100, 10_000, 200));

    private void words(int from, int until) {
        for (int i = from; i < until; i++) {
            engine.text("p", 3 * i, String.format("%02d ", i));
        }
        engine.settle();
    }

    private static String words(String partial, List<String> got) {
        StringBuilder text = new StringBuilder();
        for (String frame : got) {
            if (frame.startsWith("[")) {
                int colon = frame.indexOf(':');
                assertEquals(text.length(), Integer.parseInt(frame.substring(1, colon)), "a hole in " + partial);
                text.append(frame, colon + 1, frame.length() - 1);
            }
        }
        return text.toString();
    }

    @Test
    void text_socketKeepsUp_getsEveryPieceAsItWasPublished() {
        EngineFixture.Socket socket = engine.watching(0);
        for (int i = 0; i < 30; i++) {
            words(i, i + 1);
        }
        assertEquals(30, socket.got.size());
        assertEquals(0, engine.value(Counter.FRAMES_MERGED));
    }

    @Test
    void text_socketLags_adjacentPiecesBecomeOne() {
        EngineFixture.Socket slow = engine.watching(0);
        EngineFixture.Socket quick = engine.watching(0);
        slow.stalled = true;
        for (int i = 0; i < 30; i++) {
            words(i, i + 1);
        }
        slow.flow();
        engine.settle();
        assertTrue(slow.got.size() < 10, slow.text());
        assertEquals(words("p", quick.got), words("p", slow.got));
        assertEquals(90, words("p", slow.got).length());
        assertTrue(engine.value(Counter.FRAMES_MERGED) > 20);
        assertEquals(0, engine.value(Counter.SIGNALS_DROPPED));
        assertEquals(engine.delivery.recount(), engine.value(Counter.BYTES));
    }

    /** The joined frame lives in the socket's batch alone, so it is the socket's. */
    @Test
    void text_mergedIsInFlight_countsAsTheSocketsOwn() {
        EngineFixture.Socket slow = engine.watching(0);
        slow.stalled = true;
        words(0, 1);
        words(1, 30);
        int taken = slow.got.size();
        slow.advance();
        engine.settle();
        int joined = slow.got.subList(taken, slow.got.size()).stream()
                .filter(frame -> frame.length() > "[12:12 ]".length())
                .mapToInt(String::length)
                .sum();
        assertTrue(joined > 0, slow.text());
        assertEquals(joined, slow.outbox.bytes());
        slow.flow();
        engine.settle();
        assertEquals(0, slow.outbox.bytes());
        assertEquals(90, words("p", slow.got).length());
    }

    /** The text so far waits for the replay; what goes on from it is merged behind it, and none of it comes twice. */
    @Test
    void text_waitsBehindTheReplay_mergedPiecesComeAfterIt() {
        EngineFixture.Socket slow = engine.socket();
        Subscription subscription = slow.outbox.subscribe(engine.channel, engine.gate);
        words(0, 30);
        engine.append(2);
        Opening opening = new Opening(
                0,
                List.of(Frame.ofText("open")),
                Map.of(),
                2,
                0,
                List.of(EngineFixture.piece(0, "00 01 0")),
                Map.of("p", 7L));
        subscription.start(opening);
        engine.settle();
        assertEquals("open", slow.got.get(0));
        int soFar = slow.got.indexOf("[0:00 01 0]");
        assertTrue(soFar > 0, slow.text());
        assertEquals(90, words("p", slow.got).length());
        assertTrue(engine.value(Counter.FRAMES_MERGED) > 20);
        assertEquals(0, slow.outbox.bytes());
    }

    /** What stands between two pieces keeps its place. */
    @Test
    void text_somethingBetween_isNotOvertaken() {
        EngineFixture.Socket slow = engine.watching(0);
        slow.stalled = true;
        words(0, 10);
        engine.store(1);
        engine.settle();
        engine.signal("usage", null, false);
        words(10, 20);
        engine.signal("end", "p", true);
        engine.settle();
        slow.flow();
        engine.settle();
        int entry = slow.got.indexOf("e1");
        assertEquals(30, words("p", slow.got.subList(0, entry)).length());
        assertEquals("usage", slow.got.get(entry + 1));
        assertEquals("end", slow.got.get(slow.got.size() - 1));
        assertEquals(60, words("p", slow.got).length());
    }

    @Test
    void text_twoPartialsInterleaved_areNotMixed() {
        EngineFixture.Socket slow = engine.watching(0);
        slow.stalled = true;
        for (int i = 0; i < 12; i++) {
            engine.text("a", i, "a");
            engine.text("b", i, "b");
        }
        engine.settle();
        slow.flow();
        engine.settle();
        slow.got.remove(0);
        for (String frame : slow.got) {
            assertFalse(frame.contains("ab") || frame.contains("ba"), frame);
        }
        assertEquals(23, slow.got.size());
    }

    /** A publisher that leaves something out is shown as it is: joined text would say what was never said. */
    @Test
    void text_piecesAreNotAdjacent_areNotJoined() {
        EngineFixture.Socket slow = engine.watching(0);
        slow.stalled = true;
        engine.text("p", 0, "first");
        engine.settle();
        for (int i = 0; i < 20; i++) {
            engine.text("p", 100 + 10 * i, "piece");
        }
        engine.settle();
        slow.flow();
        engine.settle();
        assertEquals(21, slow.got.size());
    }

    /** Joining is bounded: no frame is larger than a turn and a piece. */
    @Test
    void text_muchWaits_framesStayBounded() {
        EngineFixture.Socket slow = engine.watching(0);
        slow.stalled = true;
        words(0, 90);
        slow.flow();
        engine.settle();
        slow.got.forEach(frame -> assertTrue(frame.length() <= 60, frame));
        assertTrue(slow.largestBatch <= 200, "a batch of " + slow.largestBatch);
        assertEquals(270, words("p", slow.got).length());
    }

    /** What the window has dropped is joined too: no burst, however many pieces it has, costs a reader any text. */
    @Test
    void text_burstIsLargerThanTheWindow_allOfItComesInAFewFrames() {
        EngineFixture.Socket slow = engine.watching(0);
        letters("p", 0, 2);
        slow.stalled = true;
        letters("p", 2, 3_000);
        slow.flow();
        engine.settle();
        letters("p", 3_000, 3_010);
        engine.signal("end", "p", true);
        engine.store(1);
        engine.settle();
        assertEquals(3_010, words("p", slow.got).length());
        assertTrue(slow.got.size() < 200, slow.got.size() + " frames");
        assertTrue(slow.largestBatch <= 200, "a batch of " + slow.largestBatch);
        assertEquals(List.of("end", "e1"), slow.got.subList(slow.got.size() - 2, slow.got.size()));
        assertEquals(0, engine.value(Counter.SIGNALS_DROPPED));
        assertEquals(engine.delivery.recount(), engine.value(Counter.BYTES));
    }

    /** Who comes to joined text in its middle gets what it lacks. */
    @Test
    void text_socketsLagDifferently_eachGetsWhatItLacks() {
        EngineFixture wide = new EngineFixture(EngineFixture.limits(10, 10_000, 4_000));
        List<EngineFixture.Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            EngineFixture.Socket socket = wide.watching(0);
            socket.stalled = true;
            sockets.add(socket);
            wide.text("p", i, "x");
            wide.settle();
        }
        for (int i = 0; i < 40; i++) {
            EngineFixture.Socket socket = sockets.get(i);
            socket.flow();
            wide.settle();
            assertEquals("[" + i + ":x]", socket.got.get(0));
            int sum = socket.got.stream().mapToInt(MergingTest::length).sum();
            assertEquals(40 - i, sum, socket.text());
        }
        assertEquals(0, wide.value(Counter.SIGNALS_DROPPED));
    }

    /** Several partials at once: each comes whole, in the order of its own pieces. */
    @Test
    void text_burstOfInterleavedPartials_eachComesWhole() {
        EngineFixture wide = new EngineFixture(EngineFixture.limits(10, 10_000, 4_000));
        EngineFixture.Socket slow = wide.watching(0);
        slow.stalled = true;
        for (int i = 0; i < 1_000; i++) {
            wide.text("a", i, "a");
            wide.text("b", i, "b");
            wide.settle();
        }
        slow.flow();
        wide.settle();
        for (String partial : List.of("a", "b")) {
            List<String> own = slow.got.stream()
                    .filter(frame -> frame.endsWith(partial + "]"))
                    .toList();
            assertEquals(partial.repeat(1_000), words(partial, own));
        }
        assertTrue(slow.got.size() < 400, slow.got.size() + " frames");
        assertTrue(slow.largestBatch <= 4_000, "a batch of " + slow.largestBatch);
    }

    /** Laws 1 and 12: a socket that reads the log meanwhile gets the pieces in their place between the entries. */
    @Test
    void text_entriesBetween_piecesKeepTheirPlaceBehindTheWindowToo() {
        EngineFixture.Socket slow = engine.watching(0);
        slow.stalled = true;
        slow.outbox.answer(Frame.ofText("stalls"));
        engine.settle();
        for (int message = 1; message <= 20; message++) {
            for (int i = 0; i < 30; i++) {
                engine.text("p" + message, i, "x");
            }
            engine.signal("end" + message, "p" + message, true);
            engine.store(1);
            engine.settle();
        }
        slow.flow();
        engine.settle();
        StringBuilder order = new StringBuilder();
        for (String frame : slow.got.subList(1, slow.got.size())) {
            order.append(frame.startsWith("[") ? "x".repeat(length(frame)) : frame + ' ');
        }
        StringBuilder expected = new StringBuilder();
        for (int message = 1; message <= 20; message++) {
            expected.append("x".repeat(30)).append("end" + message + " e" + message + ' ');
        }
        assertEquals(expected.toString(), order.toString());
        assertTrue(engine.value(Counter.ENTRIES_FROM_LOG) > 0, "a part came from the log");
    }

    /**
     * The bound in bytes: a partial once cut for a socket stays cut until it ends: a prefix, never a hole; what is stored
     * comes whole.
     */
    @Test
    void text_moreThanMayBeKept_getsAPrefixThenTheEndAndTheStoredMessage() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(100, 10_000, 200, 256L << 20, 4_000));
        EngineFixture.Socket slow = small.watching(0);
        small.text("p", 0, "first");
        small.settle();
        slow.stalled = true;
        small.text("p", 5, "second");
        small.settle();
        for (int i = 11; i < 20_000; i++) {
            small.text("p", i, "x");
            small.settle();
            assertTrue(small.value(Counter.BYTES) <= 2 * 4_000 + 200, "bytes " + small.value(Counter.BYTES));
        }
        slow.flow();
        small.settle();
        small.text("p", 20_000, "more");
        small.signal("end", "p", true);
        small.store(1);
        small.settle();
        assertEquals(List.of("[0:first]", "[5:second]", "end", "e1"), slow.got);
        assertTrue(small.value(Counter.SIGNALS_DROPPED) >= 19_980, "" + small.value(Counter.SIGNALS_DROPPED));
        small.text("q", 0, "new");
        small.settle();
        assertEquals("[0:new]", slow.got.get(slow.got.size() - 1));
    }

    /** What a subscription loses before it was sent anything is lost all the same, and counted. */
    @Test
    void text_lostBeforeTheSubscriptionBegins_isCounted() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(100, 10_000, 200, 256L << 20, 4_000));
        EngineFixture.Socket socket = small.socket();
        Subscription subscription = socket.outbox.subscribe(small.channel, small.gate);
        for (int i = 0; i < 20_000; i++) {
            small.text("p", i, "x");
            small.settle();
        }
        subscription.start(0, List.of(), Map.of());
        small.settle();
        assertEquals(20_000 - words("p", socket.got).length(), small.value(Counter.SIGNALS_DROPPED));
        assertTrue(small.value(Counter.SIGNALS_DROPPED) > 0);
    }

    @Test
    void text_joinedLater_whatCameBeforeIsNotCountedAsLost() {
        EngineFixture.Socket first = engine.watching(0);
        words(0, 10);
        EngineFixture.Socket second = engine.watching(0);
        words(10, 11);
        assertEquals(List.of("[30:10 ]"), second.got);
        assertEquals(33, words("p", first.got).length());
        assertEquals(0, engine.value(Counter.SIGNALS_DROPPED));
    }

    @Test
    void text_openingShowsWhatHasLeftTheWindow_isNotCountedAsLost() {
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        letters("p", 0, 300);
        subscription.start(0, List.of(Frame.ofText("so far")), Map.of(), Map.of("p", 300L));
        engine.settle();
        assertEquals(List.of("so far"), socket.got);
        assertEquals(0, engine.value(Counter.SIGNALS_DROPPED));
    }

    /** Nothing but the protocol can say what was joined long ago: who cannot be told comes back. */
    @Test
    void text_protocolCannotJoinWhatTheWindowDropped_socketComesBack() {
        EngineFixture.Socket slow = engine.watching(0);
        slow.stalled = true;
        for (int i = 0; i < 300; i++) {
            publish(i, null, MergingTest::cannotJoin);
            engine.settle();
        }
        slow.flow();
        engine.settle();
        assertEquals("abort " + Disconnect.SLOW, slow.calls.get(slow.calls.size() - 1));
        assertEquals(0, slow.outbox.bytes());
    }

    /** A letter of the text p, perhaps behind a gate of its own, in a protocol that joins pieces in its way. */
    private void publish(int offset, @Nullable Gate own, Broadcast.Pieces pieces) {
        engine.delivery.publish(
                engine.channel,
                new Broadcast.Signal(
                        EngineFixture.piece(offset, "x"), "p", false, own, new Broadcast.Text(offset, "x", pieces)));
    }

    private static Frame cannotJoin(long offset, String added) {
        throw new MadeUp.Linkage();
    }

    private void letters(String partial, int from, int until) {
        for (int i = from; i < until; i++) {
            engine.text(partial, i, "x");
        }
        engine.settle();
    }

    private static int length(String frame) {
        return frame.length() - frame.indexOf(':') - 2;
    }

    /** The opening showed a part of the text: what goes beyond it comes, also of a piece that it cut. */
    @Test
    void text_openingShowsAPart_restFollows() {
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        words(0, 3);
        subscription.start(0, List.of(Frame.ofText("[0:00 0]")), Map.of(), Map.of("p", 4L));
        engine.settle();
        words(3, 40);
        assertEquals(List.of("[0:00 0]", "[4:1 ]", "[6:02 ]"), socket.got.subList(0, 3));
        assertEquals(120, words("p", socket.got).length());
    }

    @Test
    void text_openingShowsMoreThanThePiece_pieceIsPassedOver() {
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        words(0, 30);
        subscription.start(0, List.of(Frame.ofText("[0:00 01 ]")), Map.of(), Map.of("p", 6L));
        engine.settle();
        assertEquals(90, words("p", socket.got).length());
    }

    /** A protocol with a bug costs nobody any text. */
    @Test
    void text_protocolCannotJoin_piecesGoOutAsTheyAre() {
        EngineFixture.Socket slow = engine.watching(0);
        slow.stalled = true;
        for (int i = 0; i < 20; i++) {
            publish(i, null, MergingTest::cannotJoin);
        }
        engine.settle();
        slow.flow();
        engine.settle();
        assertEquals("x".repeat(20), words("p", slow.got));
        assertEquals(20, slow.got.size());
    }

    /** Law 6: pieces behind their own gate are joined only with pieces behind the same. */
    @Test
    void text_gateOfAPieceIsClosed_textIsCutThere() {
        EngineFixture.Socket slow = engine.watching(0);
        slow.stalled = true;
        Gate own = new Gate(true);
        for (int i = 0; i < 30; i++) {
            publish(i, own, EngineFixture::piece);
            engine.settle();
        }
        own.close();
        slow.flow();
        engine.settle();
        assertEquals("x", words("p", slow.got), "what had been taken before");
    }
}
