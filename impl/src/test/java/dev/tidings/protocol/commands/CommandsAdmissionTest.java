package dev.tidings.protocol.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.access.Access;
import dev.tidings.delivery.Delivery;
import dev.tidings.delivery.DeliveryLimits;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.RecordingSink;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.admission.AdmissionLimits;
import dev.tidings.protocol.http.Auth;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.HttpLimits;
import dev.tidings.runs.Runs;
import dev.tidings.runs.TestDeadlines;
import dev.tidings.testkit.InMemoryTidings;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Law 4 for what comes in, and the stop of the server, on the sockets of sessions. */
class CommandsAdmissionTest {
    private final InMemoryTidings tidings = new InMemoryTidings();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private long nanos = 1_000_000_000L;
    private final Delivery delivery = new Delivery(DeliveryLimits.DEFAULTS, tidings.log(), tasks::add, () -> nanos);
    private final CommandsFace face = face(new AdmissionLimits(2, 3, 10, 5));

    @BeforeEach
    void furnish() {
        tidings.transactions().run(() -> {
            tidings.directoryWriter()
                    .create(new AgentInfo(
                            "agent", "owner", Payload.of("{}"), null, AgentInfo.AgentStatus.IDLE, 1, 1, false));
            tidings.directoryWriter().create(SessionInfo.idle("session", "owner", "agent", null, 1));
        });
    }

    private CommandsFace face(AdmissionLimits limits) {
        Runs none = (Runs) Proxy.newProxyInstance(
                Runs.class.getClassLoader(), new Class<?>[] {Runs.class}, (proxy, call, with) -> {
                    throw new AssertionError("nothing is run here");
                });
        return new CommandsFace(
                new CommandsPorts(
                        delivery,
                        none,
                        new Access(tidings.grants(), tidings.signers()),
                        Optional.empty(),
                        tidings.directory(),
                        tidings.directoryWriter(),
                        tidings.log(),
                        tidings.receipts(),
                        tidings.transactions()),
                new Admission(limits, () -> nanos),
                new CommandsSettings(Auth.CONTAINER, "agent", Turns.QUEUE, Duration.ofHours(1), 256, 1 << 20),
                tasks::add,
                new HttpExchanges(
                        new HttpLimits(1, 1, 1, 1, Duration.ofMinutes(1), Duration.ofMinutes(1)),
                        tasks::add,
                        tasks::add,
                        TestDeadlines.shared()),
                () -> Instant.ofEpochMilli(1),
                session -> new RecordingSink());
    }

    private CommandsSocket open(RecordingSink peer, String account, @Nullable String address) {
        CommandsSocket socket = face.open(
                peer, new CommandsSocket.Asked(Optional.of(new Caller.ByAccount(account)), "session", 0), address);
        settle();
        return socket;
    }

    private void settle() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Test
    void open_addressHasEnoughSockets_closedWithACodeUntilOneLeaves() {
        CommandsSocket first = open(new RecordingSink(), "owner", "h");
        open(new RecordingSink(), "owner", "h");
        // Not let in for another reason: it has left again.
        RecordingSink stranger = new RecordingSink();
        open(stranger, "stranger", "h");
        assertEquals(Disconnect.NOT_FOUND, stranger.closed);
        RecordingSink third = new RecordingSink();
        open(third, "owner", "h");
        assertEquals(Disconnect.TOO_MANY_SOCKETS, third.closed, "the account has two");
        face.closed(first);
        RecordingSink fourth = new RecordingSink();
        open(fourth, "owner", "h");
        assertEquals(null, fourth.closed);
    }

    @Test
    void open_addressIsFull_closedBeforeAnythingIsAsked() {
        CommandsFace full = face(new AdmissionLimits(9, 1, 10, 5));
        full.open(
                new RecordingSink(),
                new CommandsSocket.Asked(Optional.of(new Caller.ByAccount("owner")), "session", 0),
                "h");
        RecordingSink late = new RecordingSink();
        full.open(late, new CommandsSocket.Asked(Optional.empty(), "session", 0), "h");
        settle();
        assertEquals(Disconnect.TOO_MANY_SOCKETS, late.closed);
        assertEquals(1, full.openSockets());
    }

    @Test
    void received_tooFast_refusedUnreadAndUsableLater() {
        RecordingSink peer = new RecordingSink();
        CommandsSocket socket = open(peer, "owner", null);
        for (int i = 0; i < 21; i++) {
            socket.received("{}");
        }
        settle();
        assertEquals(21, peer.frames.size());
        assertEquals(
                1,
                peer.frames.stream()
                        .filter(text -> text.contains("\"code\":\"too_many_messages\""))
                        .count());
        assertEquals(1L, delivery.counters().refusals().get("too_many_messages"));
        nanos += 1_000_000_000L;
        socket.received("{}");
        settle();
        assertTrue(peer.frames.get(21).contains("\"code\":\"unknown_command\""), peer.frames.get(21));
    }

    /** A flood of which some is let through is closed after so many refusals all the same. */
    @Test
    void received_floodThatGoesOn_isClosed() {
        RecordingSink peer = new RecordingSink();
        CommandsSocket socket = open(peer, "owner", null);
        for (int i = 0; i < 1_000 && peer.closed == null; i++) {
            nanos += 50_000_000L;
            socket.received("{}");
            settle();
        }
        assertEquals(Disconnect.ABUSE, peer.closed);
        assertEquals(5L, delivery.counters().refusals().get("too_many_messages"));
    }

    /** Pings and pongs are counted like messages. */
    @Test
    void frames_flood_isClosed() {
        RecordingSink peer = new RecordingSink();
        CommandsSocket socket = open(peer, "owner", null);
        socket.frames(20);
        settle();
        assertEquals(null, peer.closed);
        socket.frames(6);
        settle();
        assertEquals(Disconnect.ABUSE, peer.closed);
    }

    @Test
    void receivedBinary_overAndOver_cutOff() {
        RecordingSink peer = new RecordingSink();
        CommandsSocket socket = open(peer, "owner", null);
        for (int i = 0; i < 6; i++) {
            socket.receivedBinary();
        }
        settle();
        assertEquals(Disconnect.ABUSE, peer.closed);
    }

    /** A peer of this protocol knows no code of its own for it. */
    @Test
    void drain_openSocket_isToldToGoAndForgotten() {
        RecordingSink peer = new RecordingSink();
        open(peer, "owner", null);
        delivery.drain(new Random(1)).forEach(Runnable::run);
        settle();
        assertEquals(Disconnect.GOING_AWAY, peer.closed);
        assertEquals(0, face.openSockets());
        RecordingSink late = new RecordingSink();
        open(late, "owner", null);
        assertEquals(Disconnect.GOING_AWAY, late.closed);
    }
}
