package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Disconnect;
import dev.tidings.protocol.agents.Admission.Verdict;
import dev.tidings.spi.Counters.Counter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Law 4 for what comes in: who may have how many sockets, and ask how much. */
class AdmissionTest {
    private long now = 1_000_000_000L;
    private final Admission admission = new Admission(new AdmissionLimits(2, 3, 10, 5), () -> now);
    private final AgentsWorld world = new AgentsWorld().furnished();

    // ---- sockets

    @Test
    void enter_addressHasEnoughSockets_notAdmittedUntilOneLeaves() {
        List<Admission.Seat> seats = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            seats.add(admission.enter("::1"));
        }
        assertEquals(
                List.of(true, true, true, false),
                seats.stream().map(Admission.Seat::admitted).toList());
        assertTrue(admission.enter("::2").admitted(), "another address");
        assertTrue(admission.enter(null).admitted(), "no address");
        // One that was not admitted gives nothing back, and one that leaves twice gives one place back.
        seats.get(3).leave();
        assertFalse(admission.enter("::1").admitted());
        seats.get(0).leave();
        seats.get(0).leave();
        assertTrue(admission.enter("::1").admitted());
        assertFalse(admission.enter("::1").admitted());
    }

    @Test
    void bind_accountHasEnoughSockets_refusedUntilOneLeaves() {
        Admission.Seat first = admission.enter(null);
        Admission.Seat second = admission.enter(null);
        Admission.Seat third = admission.enter(null);
        assertTrue(first.bind("a"));
        assertTrue(first.bind("a"), "its own place");
        assertTrue(second.bind("a"));
        assertFalse(third.bind("a"));
        assertTrue(third.bind("b"));
        assertTrue(second.bind("b"), "it moves");
        assertTrue(third.bind("a"), "to a place that is free now");
        first.leave();
        assertFalse(first.bind("a"), "it is gone");
    }

    @Test
    void leave_everybody_nothingIsRemembered() {
        List<Admission.Seat> seats = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Admission.Seat seat = admission.enter("host" + i % 40);
            seat.bind("account" + i);
            seats.add(seat);
        }
        assertEquals(140, admission.known());
        seats.forEach(Admission.Seat::leave);
        assertEquals(0, admission.known());
    }

    // ---- messages

    @Test
    void message_burst_twiceTheRateThenTheRate() {
        Admission.Seat seat = admission.enter(null);
        for (int i = 0; i < 20; i++) {
            assertEquals(Verdict.ADMITTED, seat.message(true), "message " + i);
        }
        assertEquals(Verdict.TOO_FAST, seat.message(true));
        now += 100_000_000;
        assertEquals(Verdict.ADMITTED, seat.message(true));
        assertEquals(Verdict.TOO_FAST, seat.message(true));
        now += 1_000_000_000_000L;
        for (int i = 0; i < 20; i++) {
            assertEquals(Verdict.ADMITTED, seat.message(true), "no more is saved up than that");
        }
        assertEquals(Verdict.TOO_FAST, seat.message(true));
    }

    @Test
    void message_manyRefusedInARow_abuse() {
        Admission.Seat seat = admission.enter(null);
        for (int i = 0; i < 5; i++) {
            assertEquals(Verdict.ADMITTED, seat.message(false));
        }
        assertEquals(Verdict.ADMITTED, seat.message(true), "one that is well formed begins anew");
        for (int i = 0; i < 5; i++) {
            assertEquals(Verdict.ADMITTED, seat.message(false));
        }
        assertEquals(Verdict.ABUSE, seat.message(false));
    }

    @Test
    void limits_outOfRange_namesTheKey() {
        for (int which = 0; which < 4; which++) {
            int[] values = {1, 1, 1, 1};
            values[which] = 0;
            String key = List.of(
                            "max-sockets-per-account",
                            "max-sockets-per-address",
                            "max-messages-per-second",
                            "max-refusals")
                    .get(which);
            IllegalArgumentException refusal = assertThrows(
                    IllegalArgumentException.class,
                    () -> new AdmissionLimits(values[0], values[1], values[2], values[3]));
            assertEquals("tidings.agents." + key + " is out of range", refusal.getMessage());
        }
    }

    // ---- on a socket

    private AgentsSocket socket(FakeSink sink, Admission.Seat seat) {
        return AgentsSocket.open(world.shared, world.delivery.open(sink), seat);
    }

    private void receive(AgentsSocket socket, byte[] message) {
        socket.received(new AgentsMessage.OfBytes(message));
    }

    private byte[] subscribe() {
        return world.new Peer(true).signed(AgentsWorld.OWNER, AgentsWorld.SESSION_KEY);
    }

    @Test
    void open_notAdmitted_closedWithACode() {
        Admission one = new Admission(new AdmissionLimits(1, 1, 10, 5), () -> now);
        FakeSink first = new FakeSink();
        AgentsSocket socket = socket(first, one.enter("h"));
        FakeSink second = new FakeSink();
        socket(second, one.enter("h"));
        world.hand.runAll();
        assertEquals(null, first.closed());
        assertEquals(Disconnect.TOO_MANY_SOCKETS, second.closed());
        socket.closed();
        FakeSink third = new FakeSink();
        socket(third, one.enter("h"));
        world.hand.runAll();
        assertEquals(null, third.closed());
    }

    @Test
    void subscribe_accountHasEnoughSockets_refusedAndUsableLater() {
        Admission one = new Admission(new AdmissionLimits(1, 10, 10, 5), () -> now);
        AgentsSocket first = socket(new FakeSink(), one.enter(null));
        receive(first, subscribe());
        world.hand.runAll();
        FakeSink sink = new FakeSink();
        AgentsSocket second = socket(sink, one.enter(null));
        receive(second, subscribe());
        world.hand.runAll();
        assertTrue(sink.take().get(1).contains("\"code\":\"too_many_sockets\""));
        assertEquals(1L, world.delivery.counters().refusals().get("too_many_sockets"));
        first.closed();
        receive(second, subscribe());
        world.hand.runAll();
        assertTrue(sink.take().get(0).contains("\"_\":\"subscribed\""));
    }

    @Test
    void receive_tooFast_refusedUnreadAndUsableLater() {
        FakeSink sink = new FakeSink();
        AgentsSocket socket = socket(sink, admission.enter(null));
        for (int i = 0; i < 21; i++) {
            receive(socket, subscribe());
        }
        world.hand.runAll();
        List<String> got = sink.take();
        assertEquals(
                1,
                got.stream().filter(text -> text.contains("too_many_messages")).count());
        assertEquals(20, world.delivery.counters().value(Counter.VERIFICATIONS));
        now += 1_000_000_000L;
        receive(socket, subscribe());
        world.hand.runAll();
        assertTrue(sink.take().get(0).contains("\"_\":\"subscribed\""));
    }

    /** No verification and no task of its own for what is wrong at first sight; after enough of it the socket is closed. */
    @Test
    void receive_floodOfGarbage_costsNothingAndIsCutOff() {
        Admission roomy = new Admission(new AdmissionLimits(1, 1, 10_000, 500), () -> now);
        FakeSink sink = new FakeSink();
        AgentsSocket socket = socket(sink, roomy.enter(null));
        world.hand.runAll();
        int before = world.hand.waiting();
        for (int i = 0; i < 500; i++) {
            receive(socket, new byte[] {(byte) i, 1, 2});
        }
        assertEquals(before + 1, world.hand.waiting(), "one drain of the outbox, however many messages");
        assertEquals(
                500L,
                world.delivery.counters().refusals().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
        world.hand.runAll();
        assertEquals(501, sink.take().size(), "each was answered, behind the hello");
        receive(socket, new byte[] {1});
        receive(socket, subscribe());
        world.hand.runAll();
        assertEquals(Disconnect.ABUSE, sink.closed());
        assertEquals(0, world.delivery.counters().value(Counter.VERIFICATIONS));
        assertEquals(List.of(), sink.take());
    }

    /** Answers keep the order of the messages where they can. */
    @Test
    void receive_garbageBehindASubscribe_answeredBehindIt() {
        FakeSink sink = new FakeSink();
        AgentsSocket socket = socket(sink, admission.enter(null));
        world.hand.runAll();
        sink.take();
        receive(socket, subscribe());
        receive(socket, new byte[] {1});
        world.hand.runAll();
        List<String> got = sink.take();
        assertTrue(got.get(0).contains("\"_\":\"subscribed\""), got.toString());
        assertTrue(got.stream().anyMatch(text -> text.contains("\"_\":\"error\"")));
    }
}
