package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.spi.Counters.Counter;
import java.util.List;
import java.util.Map;
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

    /** A partial once cut for a socket stays cut until it ends: a prefix, never a hole; what is stored comes whole. */
    @Test
    void text_socketLagsTooFar_getsAPrefixThenTheEndAndTheStoredMessage() {
        EngineFixture.Socket slow = engine.watching(0);
        words(0, 2);
        slow.stalled = true;
        for (int i = 2; i < 200; i++) {
            words(i, i + 1);
        }
        slow.flow();
        engine.settle();
        words(200, 210);
        engine.signal("end", "p", true);
        engine.store(1);
        engine.settle();
        String text = words("p", slow.got);
        assertTrue(text.startsWith("00 01 ") && text.length() < 3 * 200, slow.text());
        assertEquals(List.of("end", "e1"), slow.got.subList(slow.got.size() - 2, slow.got.size()));
        assertTrue(
                engine.value(Counter.SIGNALS_DROPPED) >= 50, engine.value(Counter.SIGNALS_DROPPED) + " " + slow.text());
        engine.text("q", 0, "new");
        engine.settle();
        assertEquals("[0:new]", slow.got.get(slow.got.size() - 1));
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
            engine.delivery.publish(
                    engine.channel,
                    new Broadcast.Signal(
                            EngineFixture.piece(i, "x"),
                            "p",
                            false,
                            null,
                            new Broadcast.Text(i, "x", (offset, added) -> {
                                throw new MadeUp.Linkage();
                            })));
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
            engine.delivery.publish(
                    engine.channel,
                    new Broadcast.Signal(
                            EngineFixture.piece(i, "x"),
                            "p",
                            false,
                            own,
                            new Broadcast.Text(i, "x", EngineFixture::piece)));
            engine.settle();
        }
        own.close();
        slow.flow();
        engine.settle();
        assertEquals("x", words("p", slow.got), "what had been taken before");
    }
}
