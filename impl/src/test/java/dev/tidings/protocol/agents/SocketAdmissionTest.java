package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Disconnect;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.admission.AdmissionLimits;
import dev.tidings.spi.Counters.Counter;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Law 4 for what comes in: what becomes of a socket, and of a message, that is one too many. */
class SocketAdmissionTest {
    private long now = 1_000_000_000L;
    private final Admission admission = new Admission(new AdmissionLimits(2, 3, 10, 5), () -> now);
    private final AgentsWorld world = new AgentsWorld().furnished();

    private AgentsSocket socket(FakeSink sink, Admission.Seat seat) {
        return AgentsSocket.open(world.shared, Dialect.PLAIN, world.delivery.open(sink), seat);
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

    /** A flood of which some is let through is closed after so many refusals all the same. */
    @Test
    void receive_floodThatGoesOn_isClosed() {
        FakeSink sink = new FakeSink();
        AgentsSocket socket = socket(sink, admission.enter(null));
        for (int i = 0; i < 1_000 && sink.closed() == null; i++) {
            now += 50_000_000L;
            receive(socket, subscribe());
            world.hand.runAll();
        }
        assertEquals(Disconnect.ABUSE, sink.closed());
        assertEquals(5L, world.delivery.counters().refusals().get("too_many_messages"));
    }

    /** Pings and pongs are counted like messages. */
    @Test
    void frames_flood_isClosed() {
        FakeSink sink = new FakeSink();
        AgentsSocket socket = socket(sink, admission.enter(null));
        socket.frames(20);
        world.hand.runAll();
        assertEquals(null, sink.closed());
        socket.frames(6);
        world.hand.runAll();
        assertEquals(Disconnect.ABUSE, sink.closed());
    }

    /** Law 9: an answer never overtakes those to the messages before it; what comes too fast takes no room meanwhile. */
    @Test
    void receive_tooFastWhileOthersWait_refusedBehindTheirAnswers() {
        Admission burst = new Admission(new AdmissionLimits(2, 3, 2, 100), () -> now);
        FakeSink sink = new FakeSink();
        AgentsSocket socket = socket(sink, burst.enter(null));
        world.hand.runAll();
        sink.take();
        for (int i = 0; i < 4; i++) {
            receive(socket, subscribe());
        }
        for (int i = 0; i < 90; i++) {
            receive(socket, subscribe());
        }
        world.hand.runAll();
        List<String> answers = sink.take().stream()
                .filter(text -> text.contains("\"_\":\"subscribed\"") || text.contains("\"_\":\"error\""))
                .toList();
        assertEquals(94, answers.size(), answers.toString());
        for (int i = 0; i < 94; i++) {
            assertEquals(i >= 4, answers.get(i).contains("too_many_messages"), i + ": " + answers.get(i));
        }
        assertEquals(null, sink.closed());
    }

    /** Nobody takes the work: the socket is closed, and not left waiting for an answer that never comes. */
    @Test
    void receive_executorTakesNothing_socketComesBack() {
        FakeSink sink = new FakeSink();
        AgentsSocket.Shared full = new AgentsSocket.Shared(
                world.shared.ports(),
                world.shared.decoder(),
                world.shared.verifier(),
                world.shared.limits(),
                task -> {
                    throw new RejectedExecutionException();
                },
                world.shared.verifications(),
                world.shared.clock(),
                world.shared.nanoTime(),
                world.shared.texts(),
                world.shared.holders());
        AgentsSocket socket = AgentsSocket.open(full, Dialect.PLAIN, world.delivery.open(sink), admission.enter(null));
        receive(socket, subscribe());
        world.hand.runAll();
        assertEquals(Disconnect.OVERLOADED, sink.closed());
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
