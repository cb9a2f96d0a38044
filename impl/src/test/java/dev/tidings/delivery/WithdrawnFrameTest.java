package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tidings.spi.Counters.Counter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Law 6: what a frame tells of may be deleted while it waits; then it is not sent, and nothing waits for it. */
class WithdrawnFrameTest {
    private final EngineFixture engine = new EngineFixture();
    private final EngineFixture.Socket socket = engine.socket();
    // Confined: the test.
    private boolean deleted;

    private Frame frame(String text) {
        return Frame.ofText(text, () -> deleted);
    }

    @Test
    void frame_deletedWhileItWaits_isPassedOver() {
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("before"));
        engine.settle();
        socket.outbox.answer(frame("secret"));
        socket.outbox.answer(Frame.ofText("between"));
        socket.outbox.answer(frame("secret, too"));
        deleted = true;
        socket.flow();
        engine.settle();
        assertEquals("before between", socket.text());
    }

    /** What was passed over was not sent: neither it nor a send of nothing else is counted. */
    @Test
    void frames_deletedWhileTheyWait_areNotCountedAsSent() {
        socket.stalled = true;
        socket.outbox.answer(Frame.ofText("before"));
        engine.settle();
        socket.outbox.answer(frame("secret"));
        socket.outbox.answer(Frame.ofText("between"));
        deleted = true;
        socket.flow();
        engine.settle();
        socket.outbox.answer(frame("secret, too"));
        engine.settle();
        assertEquals(2, engine.value(Counter.FRAMES_SENT));
        assertEquals("beforebetween".length(), engine.value(Counter.BYTES_SENT));
        assertEquals(2, engine.value(Counter.SENDS));
    }

    /** A batch of which nothing is left is over at once: what comes behind it is sent, and the close as well. */
    @Test
    void batch_allOfItDeleted_goesOnAndCloses() {
        deleted = true;
        socket.outbox.answer(frame("secret"));
        engine.settle();
        socket.outbox.answer(frame("secret"));
        socket.outbox.disconnect(Disconnect.NOT_FOUND);
        engine.settle();
        assertEquals("", socket.text());
        assertFalse(socket.calls.contains("send"), socket.calls::toString);
        assertEquals(List.of("close " + Disconnect.NOT_FOUND), socket.calls);
        assertEquals(0, engine.value(Counter.BYTES));
    }
}
