package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;
import org.glassfish.tyrus.spi.CompletionHandler;
import org.glassfish.tyrus.spi.WriterInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What leaves through a connection of Grizzly, and in which order. */
@Timeout(40)
class SocketWriterTest {
    private static final byte[] TEXT = {(byte) 0x81, 1, 'a'};
    private static final byte[] PONG = {(byte) 0x8a, 1, 'p'};
    private static final byte[] CLOSE = {(byte) 0x88, 2, 0x11, 0x30};

    /** More than the system takes for a peer that does not read. */
    private static final int IN_FLIGHT = 16 * 1024 * 1024;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final TCPNIOTransport transport =
            TCPNIOTransportBuilder.newInstance().build();
    private final CompletableFuture<Connection<?>> accepted = new CompletableFuture<>();
    private Socket client;
    private SocketWriter writer;

    @BeforeEach
    void connect() throws Exception {
        Logging.configure("error");
        transport.setProcessor(FilterChainBuilder.stateless()
                .add(new TransportFilter())
                .add(new BaseFilter() {
                    @Override
                    public NextAction handleAccept(FilterChainContext context) {
                        accepted.complete(context.getConnection());
                        return context.getInvokeAction();
                    }
                })
                .build());
        int port = ((InetSocketAddress) transport.bind("127.0.0.1", 0).getLocalAddress()).getPort();
        transport.start();
        client = new Socket("127.0.0.1", port);
        writer = new SocketWriter(accepted.get(20, TimeUnit.SECONDS), timer);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        transport.shutdownNow();
        timer.shutdownNow();
    }

    private void closeFrame() {
        writer.write(
                ByteBuffer.wrap(CLOSE),
                null,
                new WriterInfo(WriterInfo.MessageType.CLOSE, WriterInfo.RemoteEndpointType.BROADCAST));
    }

    @Test
    void close_behindTheCloseFrame_endsBehindIt() throws IOException {
        closeFrame();
        writer.close();
        assertArrayEquals(CLOSE, client.getInputStream().readAllBytes());
    }

    /** Tyrus does so where it is told to close on one thread and stumbles on another. */
    @Test
    void close_beforeTheCloseFrame_endsBehindItAllTheSame() throws IOException {
        writer.close();
        assertTrue(writer.ending());
        closeFrame();
        assertArrayEquals(CLOSE, client.getInputStream().readAllBytes());
    }

    @Test
    void written_aHandlerThrows_nextFramesLeave() throws Exception {
        writer.write(ByteBuffer.wrap(TEXT), new CompletionHandler<>() {
            @Override
            public void completed(ByteBuffer bytes) {
                throw new IllegalStateException("a bug");
            }
        });
        CompletableFuture<Integer> next = new CompletableFuture<>();
        writer.write(ByteBuffer.wrap(TEXT), new CompletionHandler<>() {
            @Override
            public void completed(ByteBuffer bytes) {
                next.complete(bytes.remaining());
            }

            @Override
            public void failed(Throwable cause) {
                next.completeExceptionally(cause);
            }
        });
        assertEquals(TEXT.length, next.get(20, TimeUnit.SECONDS));
        closeFrame();
        writer.close();
        assertEquals(2 * TEXT.length + CLOSE.length, client.getInputStream().readAllBytes().length);
    }

    /** Law 5: whoever cannot be told of a loss keeps the news from nobody behind it, and the connection goes all the same. */
    @Test
    void lost_aHandlerThrows_othersAreToldAndTheConnectionIsGone() throws Exception {
        // One in flight that the peer does not read, and two that wait behind it.
        writer.write(ByteBuffer.allocate(IN_FLIGHT), new Throwing());
        writer.write(ByteBuffer.wrap(TEXT), new Throwing());
        CompletableFuture<Integer> last = new CompletableFuture<>();
        writer.write(ByteBuffer.wrap(TEXT), new CompletionHandler<>() {
            @Override
            public void failed(Throwable cause) {
                last.complete(-1);
            }
        });
        Connection<?> connection = accepted.get();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        connection.addCloseListener((gone, how) -> closed.complete(true));
        client.setSoLinger(true, 0);
        client.close();
        assertEquals(-1, last.get(20, TimeUnit.SECONDS));
        assertTrue(closed.get(20, TimeUnit.SECONDS));
    }

    private static final class Throwing extends CompletionHandler<ByteBuffer> {
        @Override
        public void failed(Throwable cause) {
            throw new IllegalStateException("a bug");
        }
    }

    /** Law 7: threads that write at the same time, most while another writes: each frame leaves once, whole and in its order. */
    @Test
    void write_manyThreadsAtOnce_everyFrameLeavesOnceAndInOrder() throws Exception {
        int threads = 4;
        int frames = 2_000;
        CountDownLatch told = new CountDownLatch(threads * frames);
        ExecutorService writers = Executors.newFixedThreadPool(threads);
        try {
            for (int i = 0; i < threads; i++) {
                byte who = (byte) i;
                writers.execute(() -> {
                    for (int k = 0; k < frames; k++) {
                        writer.write(
                                ByteBuffer.allocate(3)
                                        .put(who)
                                        .putShort((short) k)
                                        .flip(),
                                counting(told));
                    }
                });
            }
            DataInputStream in = new DataInputStream(client.getInputStream());
            int[] next = new int[threads];
            for (int i = 0; i < threads * frames; i++) {
                byte who = in.readByte();
                assertEquals(next[who]++, in.readUnsignedShort(), "a frame of thread " + who);
            }
            assertTrue(told.await(20, TimeUnit.SECONDS), "everybody is told");
        } finally {
            writers.shutdownNow();
        }
    }

    /** A message larger than what may wait, behind a pong and before another, while much is in flight: it does not cut the peer. */
    @Test
    void write_hugeMessageBetweenPongs_leaves() throws Exception {
        byte[] huge = new byte[SocketWriter.WAITING_BYTES + 1];
        CountDownLatch told = new CountDownLatch(2);
        writer.write(ByteBuffer.allocate(IN_FLIGHT), counting(told));
        pong();
        writer.write(List.of(ByteBuffer.wrap(TEXT), ByteBuffer.wrap(huge)), counting(told));
        pong();
        client.getInputStream().skipNBytes(IN_FLIGHT + TEXT.length + huge.length);
        assertArrayEquals(PONG, client.getInputStream().readNBytes(PONG.length), "the latest, once");
        assertTrue(told.await(20, TimeUnit.SECONDS), "everybody is told");
    }

    /** A peer that takes nothing does not fill the memory. */
    @Test
    void write_moreThanMayWait_cutsThePeer() throws Exception {
        writer.write(ByteBuffer.allocate(IN_FLIGHT), null);
        writer.write(ByteBuffer.allocate(SocketWriter.WAITING_BYTES), null);
        CompletableFuture<Boolean> failed = new CompletableFuture<>();
        writer.write(ByteBuffer.wrap(TEXT), failing(failed));
        assertTrue(failed.get(20, TimeUnit.SECONDS));
    }

    private void pong() {
        writer.write(
                ByteBuffer.wrap(PONG),
                null,
                new WriterInfo(WriterInfo.MessageType.PONG, WriterInfo.RemoteEndpointType.BROADCAST));
    }

    /** Whoever comes when the connection is gone is told, whether or not somebody was writing. */
    @Test
    void write_afterTheConnectionBroke_fails() throws Exception {
        writer.breakOff(new IOException("gone"));
        CompletableFuture<Boolean> failed = new CompletableFuture<>();
        writer.write(ByteBuffer.wrap(TEXT), failing(failed));
        assertTrue(failed.get(20, TimeUnit.SECONDS));
    }

    private static CompletionHandler<ByteBuffer> failing(CompletableFuture<Boolean> failed) {
        return new CompletionHandler<>() {
            @Override
            public void failed(Throwable cause) {
                failed.complete(true);
            }
        };
    }

    private static CompletionHandler<ByteBuffer> counting(CountDownLatch told) {
        return new CompletionHandler<>() {
            @Override
            public void completed(ByteBuffer bytes) {
                told.countDown();
            }
        };
    }
}
