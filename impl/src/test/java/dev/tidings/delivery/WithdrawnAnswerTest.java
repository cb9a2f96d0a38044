package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.spi.Counters.Counter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Law 6: the answer to a request for a subscription is as much of the thing as what follows it. */
class WithdrawnAnswerTest {
    private final EngineFixture engine = new EngineFixture();
    private final EngineFixture.Socket socket = engine.socket();

    private Subscription subscribed() {
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        subscription.answer(Frame.ofText("subscribed"));
        return subscription;
    }

    private void start(Subscription subscription) {
        subscription.start(0, List.of(Frame.ofText("opening")), Map.of());
    }

    @Test
    void answer_gateIsOpen_keepsItsPlaceAmongAnswers() {
        start(subscribed());
        socket.outbox.answer(Frame.ofText("next"));
        engine.settle();
        assertEquals("subscribed next opening", socket.text());
    }

    @Test
    void answer_gateClosesWhileItWaits_withdrawnAndSentWhenItOpens() {
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("before"));
        engine.settle();
        start(subscribed());
        socket.outbox.answer(Frame.ofText("next"));
        engine.gate.close();
        socket.flow();
        engine.settle();
        assertEquals("before next", socket.text());
        assertEquals(17, engine.value(Counter.BYTES), "it still waits, and so does the opening");
        engine.store(1);
        engine.settle();
        engine.gate.open();
        engine.settle();
        assertEquals("before next subscribed opening e1", socket.text());
    }

    /** Between the answer and the start, as when the database is slow. */
    @Test
    void answer_withdrawnBeforeTheStart_comesBeforeTheOpening() {
        Subscription subscription = subscribed();
        engine.gate.close();
        engine.settle();
        start(subscription);
        engine.settle();
        assertEquals("", socket.text());
        engine.gate.open();
        engine.settle();
        assertEquals("subscribed opening", socket.text());
    }

    @Test
    void answer_subscriptionIsOverAndGateClosed_gone() {
        Subscription subscription = subscribed();
        engine.gate.close();
        subscription.cancel();
        engine.settle();
        engine.gate.open();
        engine.settle();
        assertEquals("", socket.text());
        assertEquals(0, engine.value(Counter.BYTES));
    }
}
