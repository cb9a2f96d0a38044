package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StreamKey;
import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws 4, 5 and 7: one writer, bounded, and never stuck. */
class OutboxTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final EngineFixture engine = new EngineFixture();

    // ---- order and bounds

    /** Law 4: what a socket remembers of snapshots is counted, is bounded, and goes with it. */
    @Test
    void snapshots_sent_memoryOfThemIsCounted() {
        EngineFixture.Socket socket = engine.watching(0);
        for (int i = 0; i < 2 * SentSnapshots.MOST; i++) {
            engine.snapshot(String.format("key-%06d", i), 1);
            engine.settle();
        }
        assertEquals(2 * SentSnapshots.MOST, socket.got.size());
        long each = 100 + "key-000000".length();
        assertEquals(SentSnapshots.MOST * each, socket.outbox.bytes());
        engine.snapshot("key-002047", 2);
        engine.settle();
        assertEquals(SentSnapshots.MOST * each, socket.outbox.bytes());
        assertEquals(engine.delivery.recount(), engine.value(Counter.BYTES));
        socket.outbox.closed();
        assertEquals(0, socket.outbox.bytes());
        assertEquals(engine.delivery.recount(), engine.value(Counter.BYTES));
    }

    @Test
    void start_answersBefore_openingComesBehindThem() {
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        engine.store(1);
        socket.outbox.answer(Frame.ofText("subscribed"));
        subscription.start(0, List.of(Frame.ofText("opening")), Map.of());
        engine.settle();
        assertEquals("subscribed opening e1", socket.text());
    }

    @Test
    void answer_sendInFlight_goesOutInOneBatchAfterIt() {
        EngineFixture.Socket socket = engine.socket();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("1"));
        engine.settle();
        socket.outbox.answer(Frame.ofText("2"));
        socket.outbox.answer(Frame.ofText("3"));
        engine.settle();
        assertEquals("1", socket.text());
        socket.flow();
        assertEquals("1", socket.text(), "a completion does not send");
        engine.settle();
        assertEquals("1 2 3", socket.text());
        assertEquals(List.of("send", "send"), socket.calls);
    }

    /** Law 6: what tells of things behind gates is asked about when it leaves, not when it was made. */
    @Test
    void answer_oneOfItsGatesClosesWhileItWaits_theOtherFrameIsSent() {
        Gate other = new Gate(true);
        EngineFixture.Socket socket = engine.socket();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("1"));
        engine.settle();
        socket.outbox.answer(Frame.ofText("heads"), List.of(engine.gate, other), Frame.ofText("none"));
        assertEquals(10, engine.value(Counter.BYTES), "both are held, and the one in flight");
        other.close();
        socket.flow();
        engine.settle();
        socket.outbox.answer(Frame.ofText("heads"), List.of(engine.gate), Frame.ofText("none"));
        engine.settle();
        assertEquals("1 none heads", socket.text());
        assertEquals(0, engine.value(Counter.BYTES));
    }

    /** Law 4: what does not fit closes the socket, which comes back. */
    @Test
    void answer_moreThanBound_disconnectsSlow() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(10, 10, 100));
        EngineFixture.Socket socket = small.socket();
        socket.outbox.answer(Frame.ofText("12345678"));
        socket.outbox.answer(Frame.ofText("12345678"));
        small.settle();
        assertEquals(List.of("send", "close SLOW"), socket.calls);
        assertEquals("12345678", socket.text());
    }

    @Test
    void drain_muchToSend_batchesAreBounded() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(100, 1_000, 20));
        EngineFixture.Socket socket = small.watching(0);
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("a"));
        small.store(30);
        small.settle();
        socket.flow();
        small.settle();
        assertEquals(31, socket.got.size());
        assertTrue(socket.largestBatch <= 20, "a batch of " + socket.largestBatch);
    }

    @Test
    void drain_frameLargerThanBatch_goesAlone() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(100, 1_000, 4));
        EngineFixture.Socket socket = small.socket();
        socket.outbox.answer(Frame.ofText("1"));
        socket.outbox.answer(Frame.ofText("larger than four"));
        socket.outbox.answer(Frame.ofText("2"));
        small.settle();
        assertEquals(List.of("send", "send", "send"), socket.calls);
        assertEquals("1 larger than four 2", socket.text());
    }

    /** Law 5: a long replay leaves room for the others of its socket. */
    @Test
    void drain_oneSubscriptionReplays_otherGetsItsTurn() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(100, 1_000, 20));
        StreamKey run = StreamKey.run("r1");
        Channel other = new Channel(small.translator, run);
        EngineFixture.Socket first = small.watching(0);
        small.store(30);
        small.settle();
        first.outbox.closed();
        EngineFixture.Socket socket = small.socket();
        socket.stalled = true;
        socket.watch(0);
        socket.outbox.subscribe(other, small.gate).start(0, List.of(Frame.ofText("other")), Map.of());
        small.settle();
        socket.flow();
        small.settle();
        assertEquals(31, socket.got.size());
        assertTrue(socket.got.indexOf("other") < 16, socket.text());
    }

    // ---- subscriptions

    @Test
    void subscribe_sameChannel_replacesSilently() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.store(2);
        engine.settle();
        Subscription second = socket.outbox.subscribe(engine.channel, engine.gate);
        engine.store(1);
        engine.settle();
        assertEquals("e1 e2", socket.text());
        second.start(2, List.of(Frame.ofText("again")), Map.of());
        engine.settle();
        assertEquals("e1 e2 again e3", socket.text());
        assertEquals(1, engine.gate.size());
    }

    @Test
    void cancel_entriesStored_nothingIsSent() {
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.watch(0);
        engine.settle();
        subscription.cancel();
        subscription.cancel();
        engine.store(1);
        engine.settle();
        assertEquals("", socket.text());
    }

    @Test
    void start_twice_throws() {
        Subscription subscription = engine.socket().watch(0);
        assertThrows(IllegalStateException.class, () -> subscription.start(0, List.of(), Map.of()));
    }

    @Test
    void subscribe_socketGone_isSilent() {
        EngineFixture.Socket socket = engine.socket();
        socket.outbox.closed();
        Subscription subscription = socket.watch(0);
        subscription.cancel();
        engine.settle();
        assertEquals(List.of(), socket.calls);
        assertEquals(0, engine.delivery.streams());
    }

    // ---- closing

    @Test
    void disconnect_answersWait_sendsThemThenCloses() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("1"));
        engine.settle();
        socket.outbox.answer(Frame.ofText("2"));
        engine.store(1);
        socket.outbox.disconnect(Disconnect.TOO_BIG);
        engine.settle();
        assertEquals(List.of("send"), socket.calls);
        socket.flow();
        engine.settle();
        assertEquals("1 2", socket.text());
        assertEquals(List.of("send", "send", "close TOO_BIG"), socket.calls);
    }

    @Test
    void disconnect_sendNeverEnds_abortsInTime() {
        EngineFixture.Socket socket = engine.socket();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("1"));
        engine.settle();
        engine.pass(Duration.ofSeconds(15));
        socket.outbox.disconnect(Disconnect.GOING_AWAY);
        engine.pass(Duration.ofSeconds(21));
        assertEquals(List.of("send", "abort GOING_AWAY"), socket.calls);
        assertEquals(0, engine.delivery.sockets());
    }

    @Test
    void disconnect_peerNeverAnswersClose_abortsInTime() {
        EngineFixture.Socket socket = engine.socket();
        socket.outbox.disconnect(Disconnect.UNBOUND);
        engine.settle();
        engine.pass(Duration.ofSeconds(21));
        assertEquals(List.of("close UNBOUND", "abort UNBOUND"), socket.calls);
    }

    @Test
    void disconnect_closedInTime_noAbort() {
        EngineFixture.Socket socket = engine.socket();
        socket.outbox.disconnect(Disconnect.UNBOUND);
        engine.settle();
        socket.outbox.closed();
        engine.pass(Duration.ofSeconds(21));
        assertEquals(List.of("close UNBOUND"), socket.calls);
    }

    @Test
    void disconnectAll_severalSockets_allClose() {
        EngineFixture.Socket one = engine.watching(0);
        EngineFixture.Socket two = engine.watching(0);
        engine.delivery.drain(new java.util.Random(1)).forEach(Runnable::run);
        engine.settle();
        assertEquals(List.of("close GOING_AWAY"), one.calls);
        assertEquals(List.of("close GOING_AWAY"), two.calls);
    }

    // ---- watchdogs

    /** Law 7: a send that does not finish in time closes the socket. */
    @Test
    void tick_sendTooLong_abortsSlow() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.stalled = true;
        engine.store(1);
        engine.settle();
        engine.pass(Duration.ofSeconds(20));
        assertEquals(List.of("send"), socket.calls);
        engine.pass(SECOND);
        assertEquals(List.of("send", "abort SLOW"), socket.calls);
        assertEquals(0, engine.gate.size());
    }

    @Test
    void tick_nothingSentForLong_pings() {
        EngineFixture.Socket socket = engine.socket();
        engine.pass(Duration.ofSeconds(14));
        assertEquals(List.of(), socket.calls);
        engine.pass(SECOND);
        assertEquals(List.of("ping"), socket.calls);
        engine.pass(Duration.ofSeconds(14));
        assertEquals(List.of("ping"), socket.calls);
    }

    /** A peer that only listens is heard by its pongs alone: a busy stream must not keep the pings from it. */
    @Test
    void tick_streamIsBusyAndPeerAnswersPings_staysOpen() {
        EngineFixture.Socket socket = engine.watching(0);
        int answered = 0;
        for (int second = 0; second < 200; second++) {
            engine.store(1);
            engine.pass(SECOND);
            int pings = Collections.frequency(socket.calls, "ping");
            if (pings > answered) {
                socket.outbox.heard();
                answered = pings;
            }
        }
        assertEquals(13, answered);
        assertEquals(200, socket.got.size());
        assertEquals(Outbox.State.OPEN, socket.outbox.state());
    }

    /** Law 7: a ping that comes due during a send goes out behind it. */
    @Test
    void tick_pingDueDuringSend_pingsWhenItEnds() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.pass(Duration.ofSeconds(14));
        socket.stalled = true;
        engine.store(1);
        engine.settle();
        engine.pass(SECOND);
        assertEquals(List.of("send"), socket.calls);
        socket.flow();
        engine.settle();
        assertEquals(List.of("send", "ping"), socket.calls);
    }

    @Test
    void tick_nothingHeard_closesSilent() {
        EngineFixture.Socket socket = engine.socket();
        engine.pass(Duration.ofSeconds(40));
        socket.outbox.heard();
        engine.pass(Duration.ofSeconds(40));
        assertFalse(socket.calls.contains("close SILENT"), socket.calls.toString());
        engine.pass(Duration.ofSeconds(6));
        assertTrue(socket.calls.contains("close SILENT"), socket.calls.toString());
    }

    @Test
    void tick_nothingHeardAndSendInFlight_abortsSilent() {
        EngineFixture.Socket socket = engine.socket();
        engine.pass(Duration.ofSeconds(40));
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("1"));
        engine.settle();
        engine.pass(Duration.ofSeconds(6));
        assertTrue(socket.calls.contains("abort SILENT"), socket.calls.toString());
    }

    @Test
    void send_completionFails_socketIsFreed() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.stalled = true;
        engine.store(1);
        engine.settle();
        socket.fail();
        engine.settle();
        assertEquals(List.of("send", "abort SLOW"), socket.calls);
        assertEquals(0, engine.delivery.sockets());
        assertEquals(Set.of(), engine.delivery.watched(engine.translator, StreamKey.Kind.SESSION));
    }

    /** Law 7: a container that repeats its word speaks of the send that it belongs to, not of the one in flight by then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void send_completionOfTheOneBeforeComesAgain_countsOnce(boolean succeeds) {
        EngineFixture.Socket socket = engine.socket();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("1"));
        engine.settle();
        Sink.Completion before = Objects.requireNonNull(socket.pending);
        socket.advance();
        socket.outbox.answer(Frame.ofText("2"));
        engine.settle();
        socket.outbox.answer(Frame.ofText("3"));
        if (succeeds) {
            before.succeeded();
        } else {
            before.failed();
        }
        engine.settle();
        assertEquals(List.of("send", "send"), socket.calls);
        socket.flow();
        engine.settle();
        assertEquals("1 2 3", socket.text());
    }

    /** Law 5: a stalled socket costs the others nothing. */
    @Test
    void send_oneSocketStalled_otherGoesOn() {
        EngineFixture.Socket stalled = engine.watching(0);
        EngineFixture.Socket well = engine.watching(0);
        stalled.stalled = true;
        engine.store(1);
        engine.settle();
        engine.store(2);
        engine.settle();
        assertEquals("e1", stalled.text());
        assertEquals("e1 e2 e3", well.text());
    }

    // ---- events × states

    /** What every event does in every state: the state after it, and what the sink was asked to do because of it. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                // state, event, state after, calls
                "idle, answer, OPEN, send",
                "idle, stored, OPEN, send",
                "idle, heard, OPEN, -",
                "idle, disconnect, CLOSE_SENT, close GOING_AWAY",
                "idle, closed, GONE, -",
                "idle, slow tick, OPEN, ping",
                "idle, cancel, OPEN, -",
                "sending, answer, OPEN, -",
                "sending, stored, OPEN, -",
                "sending, heard, OPEN, -",
                "sending, disconnect, CLOSING, -",
                "sending, closed, GONE, -",
                "sending, success, OPEN, -",
                "sending, failure, GONE, abort SLOW",
                "sending, slow tick, GONE, abort SLOW",
                "sending, cancel, OPEN, -",
                "closing, answer, CLOSING, -",
                "closing, stored, CLOSING, -",
                "closing, heard, CLOSING, -",
                "closing, disconnect, CLOSING, -",
                "closing, closed, GONE, -",
                "closing, success, CLOSE_SENT, close TOO_BIG",
                "closing, failure, GONE, abort TOO_BIG",
                "closing, slow tick, GONE, abort TOO_BIG",
                "closing, cancel, CLOSING, -",
                "close sent, answer, CLOSE_SENT, -",
                "close sent, stored, CLOSE_SENT, -",
                "close sent, heard, CLOSE_SENT, -",
                "close sent, disconnect, CLOSE_SENT, -",
                "close sent, closed, GONE, -",
                "close sent, slow tick, GONE, abort TOO_BIG",
                "close sent, cancel, CLOSE_SENT, -",
                "gone, answer, GONE, -",
                "gone, stored, GONE, -",
                "gone, heard, GONE, -",
                "gone, disconnect, GONE, -",
                "gone, closed, GONE, -",
                "gone, success, GONE, -",
                "gone, failure, GONE, -",
                "gone, slow tick, GONE, -",
                "gone, cancel, GONE, -",
            })
    void event_state_hasItsEffect(String state, String event, String after, String calls) {
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.watch(0);
        engine.settle();
        bring(socket, state);
        socket.calls.clear();
        happen(socket, subscription, event);
        engine.settle();
        assertEquals(calls == null ? List.of() : List.of(calls), socket.calls);
        assertEquals(after, socket.outbox.state().name());
    }

    private void bring(EngineFixture.Socket socket, String state) {
        if (state.equals("idle")) {
            return;
        }
        socket.stalled = !state.equals("close sent");
        if (socket.stalled) {
            socket.outbox.answer(Frame.ofText("1"));
            engine.settle();
        }
        if (state.startsWith("clos")) {
            socket.outbox.disconnect(Disconnect.TOO_BIG);
        } else if (state.equals("gone")) {
            socket.outbox.closed();
        }
        engine.settle();
    }

    private void happen(EngineFixture.Socket socket, Subscription subscription, String event) {
        switch (event) {
            case "answer" -> socket.outbox.answer(Frame.ofText("2"));
            case "stored" -> engine.store(1);
            case "heard" -> socket.outbox.heard();
            case "disconnect" -> socket.outbox.disconnect(Disconnect.GOING_AWAY);
            case "closed" -> socket.outbox.closed();
            case "cancel" -> subscription.cancel();
            case "slow tick" -> {
                engine.now += Duration.ofSeconds(21).toNanos();
                engine.delivery.tick();
            }
            case "success" -> {
                assertNotNull(socket.pending);
                socket.flow();
            }
            case "failure" -> {
                assertNotNull(socket.pending);
                socket.fail();
            }
            default -> throw new AssertionError(event);
        }
    }
}
