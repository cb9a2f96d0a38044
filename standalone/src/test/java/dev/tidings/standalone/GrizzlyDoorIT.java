package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Sink;
import dev.tidings.transport.Burst;
import dev.tidings.transport.Door;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.Session;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws 1 and 7 through the door of this server: whole frames in order, true completions, a drop that drops. */
@Timeout(40)
class GrizzlyDoorIT {
    private final WebServer server = new WebServer("127.0.0.1", 0, TestFaces.faces(), TestFaces::make);

    @BeforeAll
    static void quiet() {
        Logging.configure("error");
    }

    @BeforeEach
    void start() {
        TestFaces.OPENED.clear();
        TestFaces.CLOSED.clear();
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
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

    private static Session opened() throws InterruptedException {
        return Objects.requireNonNull(TestFaces.OPENED.poll(20, TimeUnit.SECONDS), "no socket was opened");
    }

    private static Door door(Session session) {
        return assertInstanceOf(Door.class, new GrizzlyDoors().find(session));
    }

    private static Burst texts(List<String> texts) {
        return new Burst(
                texts.stream()
                        .map(text -> ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))
                                .asReadOnlyBuffer())
                        .toList(),
                true);
    }

    /** One batch in flight; each is many partial writes to a reader with a small buffer, and pings come in between. */
    @ParameterizedTest
    @ValueSource(ints = {1, 200, 126, 20_000, 70_000})
    void send_bursts_arriveInOrderAmongPongsAndPings(int length) throws Exception {
        int bursts = length > 1000 ? 30 : 300;
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.send(RawClient.upgrade("/held"));
            assertTrue(client.head().startsWith("HTTP/1.1 101 "));
            Door door = door(opened());
            Sent all = new Sent();
            Thread sender = new Thread(() -> sendBursts(door, bursts, length, all));
            sender.start();
            int next = 0;
            int pings = 0;
            int pongs = 0;
            // The pongs have a thread of their own, and may come last.
            while (next < bursts * 5 || pongs == 0) {
                if (next % 50 == 0) {
                    client.send(RawClient.frame(true, 9, new byte[] {1}));
                }
                RawClient.Frame frame = client.frame();
                switch (frame.opcode()) {
                    case 1 -> assertEquals(message(next++, length), frame.text());
                    case 2 -> assertEquals(message(next++, length), frame.text());
                    case 9 -> pings++;
                    case 10 -> pongs++;
                    default -> throw new AssertionError("opcode " + frame.opcode());
                }
            }
            assertTrue(all.ok());
            assertTrue(pongs > 0);
            assertTrue(pings > 0);
        }
    }

    private static void sendBursts(Door door, int bursts, int length, Sent all) {
        try {
            for (int burst = 0; burst < bursts; burst++) {
                List<String> texts = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    texts.add(message(burst * 5 + i, length));
                }
                Burst text = texts(texts);
                Sent sent = new Sent();
                door.send(burst % 3 == 0 ? new Burst(text.messages(), false) : text, sent);
                assertTrue(sent.ok());
                if (burst % 10 == 0) {
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

    private static String message(int number, int length) {
        String name = Integer.toString(number);
        return name + "x".repeat(Math.max(0, length - name.length()));
    }

    /** The close frame of the API leaves behind what the door sent. */
    @Test
    void close_behindABurst_isLast() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/held")) {
            Session session = opened();
            Sent sent = new Sent();
            door(session).send(texts(List.of("a", "b")), sent);
            session.close();
            assertEquals("a", client.frame().text());
            assertEquals("b", client.frame().text());
            assertEquals(1000, client.frame().closeCode());
            assertTrue(sent.ok());
        }
    }

    /** Law 7: the completion waits for the kernel, and a stuck connection can be dropped. */
    @Test
    void drop_clientNeverReads_resetsAndFailsTheSend() throws Exception {
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.send(RawClient.upgrade("/held"));
            assertTrue(client.head().startsWith("HTTP/1.1 101 "));
            Door door = door(opened());
            Sent sent = new Sent();
            door.send(texts(List.of("x".repeat(16 << 20), "y".repeat(16 << 20))), sent);
            assertThrows(TimeoutException.class, () -> sent.get(300, TimeUnit.MILLISECONDS));

            door.drop();

            assertFalse(sent.ok());
            assertEquals(
                    CloseCodes.CLOSED_ABNORMALLY,
                    Objects.requireNonNull(TestFaces.CLOSED.poll(20, TimeUnit.SECONDS))
                            .getCloseCode());
            assertThrows(SocketException.class, client::rest, "a reset, not an end");
        }
    }

    @Test
    void send_connectionGone_fails() throws Exception {
        Door door;
        try (RawClient client = RawClient.upgraded(server.port(), "/held")) {
            door = door(opened());
        }
        assertEquals(
                CloseCodes.CLOSED_ABNORMALLY,
                Objects.requireNonNull(TestFaces.CLOSED.poll(20, TimeUnit.SECONDS))
                        .getCloseCode());
        Sent sent = new Sent();
        door.send(texts(List.of("a")), sent);
        assertFalse(sent.ok());
    }

    /** What the door relies on: this server agrees on no extension, so that plain frames are right. */
    @Test
    void upgrade_deflateOffered_isNotNegotiated() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(RawClient.upgrade("/held")
                    .replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"));
            String head = client.head();
            assertTrue(head.startsWith("HTTP/1.1 101 "), head);
            assertFalse(head.toLowerCase(java.util.Locale.ROOT).contains("sec-websocket-extensions"), head);
            assertEquals(List.of(), opened().getNegotiatedExtensions());
        }
    }

    @Test
    void pingOnTheWire_isAnEmptyPing() {
        byte[] ping = new byte[2];
        Burst.pingOnTheWire().get(ping);
        assertArrayEquals(new byte[] {(byte) 0x89, 0}, ping);
    }
}
