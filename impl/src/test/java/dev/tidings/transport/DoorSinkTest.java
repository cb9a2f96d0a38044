package dev.tidings.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Law 7: a batch is one write and ends once, whatever the container does with its completions. */
class DoorSinkTest {
    private final FakeSession session = new FakeSession();
    private final FakeDoor door = new FakeDoor();
    private final HandExecutor executor = new HandExecutor();
    private final Ends ends = new Ends();
    private final DoorSink sink =
            new DoorSink(door, new PortableSink(session.session(), executor, executor, null), new Bursts(), null);

    private void send(String... texts) {
        sink.send(java.util.stream.Stream.of(texts).map(Frame::ofText).toList(), ends);
    }

    @Test
    void send_severalFrames_areOneWrite() {
        send("a", "b", "c");
        ends.assertEnds(0, 0);
        door.waiting().succeeded();
        assertEquals(List.of("text a b c"), door.writes);
        ends.assertEnds(1, 0);
    }

    @Test
    void completion_repeated_countsOnce() {
        send("a");
        door.waiting().succeeded();
        door.waiting().succeeded();
        door.waiting().failed();
        ends.assertEnds(1, 0);
    }

    @Test
    void send_doorThrows_fails() {
        door.throwsOnSend = true;
        send("a");
        ends.assertEnds(0, 1);
    }

    /** Laws 4 and 5: what fails costs this socket, whose send has failed, and goes no further. */
    @Test
    void send_outOfMemory_fails() {
        door.throwsOnSend = true;
        door.fails = new OutOfMemoryError("made up");
        send("a");
        ends.assertEnds(0, 1);
    }

    @Test
    void ping_leavesThroughTheDoor() {
        sink.ping(ends);
        door.waiting().succeeded();
        assertEquals(List.of("ping"), door.writes);
        assertEquals(List.of(), session.asked);
        ends.assertEnds(1, 0);
    }

    @Test
    void close_goesThePortableWay() {
        sink.close(Disconnect.SLOW);
        executor.runAll();
        assertEquals(
                Disconnect.SLOW.code(), session.closeReason().getCloseCode().getCode());
        assertEquals(0, door.dropped);
    }

    /** A container may never call back for what was cut off. */
    @Test
    void abort_sendInFlight_dropsAndFailsIt() {
        send("a");
        sink.abort(Disconnect.SLOW);
        assertEquals(0, door.dropped, "not on the caller's thread: it may block");
        executor.runAll();
        assertEquals(1, door.dropped);
        ends.assertEnds(0, 1);
        door.waiting().succeeded();
        ends.assertEnds(0, 1);
    }

    @Test
    void abort_noThread_stillFailsTheSend() {
        send("a");
        executor.rejects = true;
        sink.abort(Disconnect.SLOW);
        ends.assertEnds(0, 1);
    }

    @Test
    void abort_nothingInFlight_onlyDrops() {
        send("a");
        door.waiting().succeeded();
        sink.abort(Disconnect.SLOW);
        executor.runAll();
        assertEquals(1, door.dropped);
        ends.assertEnds(1, 0);
    }
}
