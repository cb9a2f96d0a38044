package dev.tidings.transport.payara;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Sink;
import dev.tidings.transport.Burst;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Laws 1 and 7 through the door of Payara: whole frames in order, true completions, a drop that drops. */
@Timeout(60)
class PayaraDoorTest {
    private static final int TEXT = 0x81;
    private static final int BINARY = 0x82;
    private static final int PING = 0x89;

    private final BlockingQueue<Connection<?>> accepted = new LinkedBlockingQueue<>();
    private final TCPNIOTransport transport =
            TCPNIOTransportBuilder.newInstance().build();
    private Socket client = new Socket();
    private int port;

    @BeforeEach
    void start() throws IOException {
        transport.setProcessor(FilterChainBuilder.stateless()
                .add(new TransportFilter())
                .add(new BaseFilter() {
                    @Override
                    public NextAction handleAccept(FilterChainContext context) {
                        accepted.add(context.getConnection());
                        return context.getInvokeAction();
                    }
                })
                .build());
        port = ((InetSocketAddress) transport
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .getLocalAddress())
                .getPort();
        transport.start();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        transport.shutdownNow();
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

    /** The door of a client with a small receive buffer, so that writes are partial. */
    private PayaraDoor door() throws Exception {
        client = new Socket();
        client.setReceiveBufferSize(4096);
        client.setSoTimeout(20_000);
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Connection<?> connection = Objects.requireNonNull(accepted.poll(20, TimeUnit.SECONDS), "no connection");
        return Objects.requireNonNull(PayaraDoor.of(connection));
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

    /** Payara can be told to write on the caller's thread until all is written: that must not be the engine's. */
    @Test
    void of_connectionThatBlocks_isNoDoor() throws Exception {
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Connection<?> connection = Objects.requireNonNull(accepted.poll(20, TimeUnit.SECONDS), "no connection");
        assertNotNull(PayaraDoor.of(connection));
        connection.configureBlocking(true);
        assertNull(PayaraDoor.of(connection));
    }

    @Test
    void test_hereIsGrizzlyButNoPayara_isNoDoor() throws Exception {
        PayaraDoor.test();
        assertFalse(new PayaraDoors().test());
    }

    @ParameterizedTest
    @CsvSource({"1, 50, 1", "5, 100, 200", "130, 20, 126", "5, 20, 70000"})
    void send_burstsWithPingsBetween_arriveInOrder(int size, int bursts, int length) throws Exception {
        PayaraDoor door = door();
        Sent all = new Sent();
        new Thread(() -> sendBursts(door, size, bursts, length, all)).start();
        DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream(), 1024));
        int next = 0;
        int pings = 0;
        while (next < size * bursts) {
            int first = in.readUnsignedByte();
            int bytes = in.readUnsignedByte();
            if (bytes == 126) {
                bytes = in.readUnsignedShort();
            } else if (bytes == 127) {
                bytes = (int) in.readLong();
            }
            String text = new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
            if (first == PING) {
                pings++;
            } else {
                assertEquals(next / size % 3 == 0 ? BINARY : TEXT, first);
                assertEquals(message(next++, length), text);
            }
        }
        assertTrue(all.ok());
        assertTrue(pings > 0);
    }

    private static void sendBursts(PayaraDoor door, int size, int bursts, int length, Sent all) {
        try {
            for (int i = 0; i < bursts; i++) {
                Sent sent = new Sent();
                door.send(burst(i * size, size, length, i % 3 != 0), sent);
                assertTrue(sent.ok());
                if (i % 5 == 0) {
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
        PayaraDoor door = door();
        Sent sent = new Sent();
        door.send(burst(0, 200, 100_000, true), sent);
        assertThrows(TimeoutException.class, () -> sent.get(300, TimeUnit.MILLISECONDS));

        door.drop();

        assertFalse(sent.ok());
        assertThrows(SocketException.class, () -> client.getInputStream().readAllBytes(), "a reset, not an end");
    }
}
