package dev.tidings.transport.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import dev.tidings.transport.Burst;
import dev.tidings.transport.Door;
import dev.tidings.transport.Doors;
import jakarta.servlet.ServletException;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.Session;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Laws 1 and 7 through the door of Undertow: whole frames in order, true completions, a drop that drops. */
@Timeout(60)
class UndertowDoorIT {
    private static final int TEXT = 0x81;
    private static final int BINARY = 0x82;
    private static final int PING = 0x89;
    private static final int PONG = 0x8a;

    private final UndertowDoors finder = new UndertowDoors();
    private EmbeddedUndertow server;

    @BeforeEach
    void start() throws ServletException {
        server = new EmbeddedUndertow();
        assertTrue(finder.test());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Tells whether a send succeeded. */
    private static final class Sent extends CompletableFuture<Boolean> implements Sink.Completion {
        @Override
        public void succeeded() {
            complete(true);
        }

        @Override
        public void failed() {
            complete(false);
        }

        boolean ok() throws Exception {
            return get(20, TimeUnit.SECONDS);
        }
    }

    private Door door() throws InterruptedException {
        Door door = finder.find(EmbeddedUndertow.opened());
        assertNotNull(door);
        return door;
    }

    private static Burst burst(int from, int count, int length, boolean text) {
        List<ByteBuffer> messages = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            messages.add(ByteBuffer.wrap(message(i, length).getBytes(StandardCharsets.UTF_8))
                    .asReadOnlyBuffer());
        }
        return new Burst(messages, text);
    }

    private static String message(int number, int length) {
        String name = Integer.toString(number);
        return name + "x".repeat(Math.max(0, length - name.length()));
    }

    /** Pieces of one burst, several in flight one after the other, partial writes, and pings both ways in between. */
    @ParameterizedTest
    @CsvSource({"1, 1, 200", "2, 100, 200", "39, 20, 100", "40, 20, 100", "41, 20, 1", "130, 20, 126", "5, 20, 70000"})
    void send_bursts_arriveInOrderAmongPongsAndPings(int size, int bursts, int length) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            Door door = door();
            Sent all = new Sent();
            Thread sender = new Thread(() -> sendBursts(door, size, bursts, length, all));
            sender.start();
            int next = 0;
            int pings = 0;
            while (next < size * bursts) {
                if (next % 50 == 0) {
                    client.ping();
                }
                RawClient.Frame frame = client.frame();
                switch (frame.first()) {
                    case TEXT, BINARY -> {
                        assertEquals(next / size % 3 == 0 ? BINARY : TEXT, frame.first());
                        assertEquals(message(next++, length), frame.text());
                    }
                    case PING -> pings++;
                    case PONG -> assertEquals(0, frame.payload().length);
                    default -> throw new AssertionError("first byte " + frame.first());
                }
            }
            assertTrue(all.ok());
            assertTrue(bursts < 2 || pings > 0);
        }
    }

    private static void sendBursts(Door door, int size, int bursts, int length, Sent all) {
        try {
            for (int i = 0; i < bursts; i++) {
                Sent sent = new Sent();
                door.send(burst(i * size, size, length, i % 3 != 0), sent);
                assertTrue(sent.ok());
                if (i % 10 == 0 && i + 1 < bursts) {
                    Sent ping = new Sent();
                    door.ping(ping);
                    assertTrue(ping.ok());
                }
            }
            all.succeeded();
        } catch (Exception | AssertionError e) {
            all.failed();
        }
    }

    /** Law 7: the completion waits for the kernel, and a stuck connection can be dropped. */
    @Test
    void drop_clientNeverReads_resetsAndFailsTheSend() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            Door door = door();
            Sent sent = new Sent();
            door.send(burst(0, 200, 100_000, true), sent);
            assertThrows(TimeoutException.class, () -> sent.get(300, TimeUnit.MILLISECONDS));

            door.drop();

            assertFalse(sent.ok());
            assertEquals(CloseCodes.CLOSED_ABNORMALLY, EmbeddedUndertow.closed().getCloseCode());
            assertThrows(SocketException.class, client::rest, "a reset, not an end");
        }
    }

    /** An error, as when memory is short, ends the send as failed: whoever waits for it would wait for ever. */
    @Test
    void send_errorInTheServer_failsTheSend() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            Session session = EmbeddedUndertow.opened();
            Door door = finder.find(session);
            assertNotNull(door);
            EmbeddedUndertow.failOnce(session, new OutOfMemoryError("made up"));
            Sent sent = new Sent();
            door.send(burst(0, 3, 200, true), sent);
            assertFalse(sent.ok());
        }
    }

    /** Deflated and plain messages must not be mixed: then there is no door, and messages leave the portable way. */
    @Test
    void sink_deflateNegotiated_isPortable() throws Exception {
        try (RawClient client = new RawClient(server.port(), "Sec-WebSocket-Extensions: permessage-deflate")) {
            assertTrue(client.head().contains("permessage-deflate"), client.head());
            Session session = EmbeddedUndertow.opened();
            assertNull(finder.find(session));
            Executor threads = task -> new Thread(task).start();
            Sent sent = new Sent();
            Doors.found(threads, threads, task -> {})
                    .sink(session, utf8 -> utf8)
                    .send(List.of(Frame.ofText("deflated"), Frame.ofText("too")), sent);
            assertTrue(sent.ok());
            assertEquals(BINARY | 0x40, client.frame().first());
            assertEquals(BINARY | 0x40, client.frame().first());
        }
    }

    /** The service loader finds it: a WAR only has to hold the jar. */
    @Test
    void sink_plainSocket_goesThroughTheDoor() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            Executor none = task -> {
                throw new AssertionError("the portable way would hand on what follows the first message");
            };
            Sent sent = new Sent();
            Doors.found(none, none, task -> {})
                    .sink(EmbeddedUndertow.opened(), null)
                    .send(List.of(Frame.ofText("a"), Frame.ofText("b")), sent);
            assertEquals("a", client.frame().text());
            assertEquals("b", client.frame().text());
            assertTrue(sent.ok());
        }
    }
}
