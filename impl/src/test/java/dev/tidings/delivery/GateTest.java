package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StreamKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Law 6: access now. */
class GateTest {
    private final EngineFixture engine = new EngineFixture();

    /** It is there for as long as the program: it must not remember who was behind it. */
    @Test
    void alwaysOpen_subscription_getsEverythingAndIsNotKept() {
        EngineFixture.Socket socket = engine.socket();
        socket.outbox.subscribe(engine.channel, Gate.ALWAYS_OPEN).start(0, List.of(), Map.of());
        engine.settle();
        engine.store(2);
        engine.settle();
        assertEquals("e1 e2", socket.text());
        assertEquals(0, Gate.ALWAYS_OPEN.size());
        socket.outbox.closed();
        assertEquals(0, Gate.ALWAYS_OPEN.size());
    }

    /** What everybody is behind must not be shut for all of them by mistake. */
    @Test
    void alwaysOpen_toldToClose_refuses() {
        assertThrows(IllegalStateException.class, Gate.ALWAYS_OPEN::close);
        assertTrue(Gate.ALWAYS_OPEN.isOpen());
    }

    @Test
    void close_entriesStored_nothingPasses() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.gate.close();
        engine.store(2);
        engine.settle();
        assertEquals("", socket.text());
    }

    @Test
    void close_entriesWaitBehindSend_onlySendInFlightEnds() {
        EngineFixture.Socket socket = engine.watching(0);
        socket.stalled = true;
        engine.store(1);
        engine.settle();
        engine.store(1);
        engine.settle();
        engine.gate.close();
        socket.flow();
        engine.settle();
        assertEquals("e1", socket.text());
    }

    @Test
    void close_pageFetched_pageDoesNotPass() {
        engine.append(3);
        EngineFixture.Socket socket = engine.socket();
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("a"));
        engine.settle();
        socket.watch(0);
        engine.settle();
        engine.gate.close();
        socket.flow();
        engine.settle();
        assertEquals("a", socket.text());
    }

    @Test
    void open_entriesStoredMeanwhile_goesOnFromCursor() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.store(1);
        engine.settle();
        engine.gate.close();
        engine.store(2);
        engine.settle();
        engine.gate.open();
        engine.settle();
        assertEquals("e1 e2 e3", socket.text());
    }

    @Test
    void open_windowMovedOn_goesOnFromLog() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(2, 1_000, 1_000));
        EngineFixture.Socket socket = small.watching(0);
        small.gate.close();
        small.store(5);
        small.settle();
        small.gate.open();
        small.settle();
        assertEquals("e1 e2 e3 e4 e5", socket.text());
    }

    @Test
    void close_openingWaits_openingDoesNotPass() {
        EngineFixture.Socket socket = engine.socket();
        engine.gate.close();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        subscription.start(0, List.of(Frame.ofText("opening")), Map.of());
        engine.settle();
        assertEquals("", socket.text());
        engine.gate.open();
        engine.settle();
        assertEquals("opening", socket.text());
    }

    @Test
    void close_answerWaits_answerPasses() {
        EngineFixture.Socket socket = engine.watching(0);
        engine.gate.close();
        socket.outbox.answer(Frame.ofText("forbidden"));
        engine.settle();
        assertEquals("forbidden", socket.text());
    }

    @Test
    void ownGate_closed_itemIsSkippedForGood() {
        Channel account = new Channel(engine.translator, StreamKey.account("u1"));
        EngineFixture.Socket socket = engine.socket();
        socket.outbox.subscribe(account, new Gate(true)).start(0, List.of(), Map.of());
        Gate own = new Gate(false);
        engine.delivery.publish(account, new Broadcast.Signal(Frame.ofText("of a"), null, false, own));
        engine.delivery.publish(account, new Broadcast.Signal(Frame.ofText("of b"), null, false, null));
        engine.settle();
        own.open();
        engine.settle();
        assertEquals("of b", socket.text());
    }

    @Test
    void remove_socketClosed_gateForgetsSubscription() {
        EngineFixture.Socket socket = engine.watching(0);
        assertEquals(1, engine.gate.size());
        socket.outbox.closed();
        assertEquals(0, engine.gate.size());
    }
}
