package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.HttpLimits;
import dev.tidings.runs.TestDeadlines;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A stream of server-sent events over a container that is made up. Threads: one. */
class EventStreamSinkTest {
    private final List<String> calls = new ArrayList<>();
    private final Peer peer = new Peer();
    private final AsyncContext context = (AsyncContext) Proxy.newProxyInstance(
            AsyncContext.class.getClassLoader(), new Class<?>[] {AsyncContext.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("complete")) {
                    calls.add("complete");
                }
                return null;
            });
    private final HttpExchanges exchanges = new HttpExchanges(
            new HttpLimits(1, 1, 1, 1, Duration.ofMinutes(1), Duration.ofMinutes(1)),
            Runnable::run,
            Runnable::run,
            TestDeadlines.shared());
    private final EventStreamSink sink =
            new EventStreamSink(context, peer, () -> calls.add("drop"), exchanges.departure(context), 1);
    private final Sink.Completion completion = new Sink.Completion() {
        @Override
        public void succeeded() {
            calls.add("sent");
        }

        @Override
        public void failed() {
            calls.add("failed");
        }
    };

    /** Takes what is written while it is ready; after that it takes no more until it is made ready again. */
    private final class Peer extends ServletOutputStream {
        private boolean broken;
        private final ByteArrayOutputStream took = new ByteArrayOutputStream();
        private boolean ready = true;
        private boolean tiresSoon;
        private int largest;

        @Override
        public boolean isReady() {
            if (calls.contains("complete")) {
                calls.add("asked when complete");
            }
            return ready;
        }

        @Override
        public void setWriteListener(WriteListener listener) {}

        @Override
        public void write(int one) {
            took.write(one);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            if (broken) {
                throw new IOException("gone");
            }
            took.write(bytes, from, count);
            largest = Math.max(largest, count);
            ready = !tiresSoon;
        }

        String text() {
            return took.toString(StandardCharsets.UTF_8);
        }
    }

    @BeforeEach
    void begin() {
        sink.begin(() -> calls.add("alive"), () -> calls.add("gone"));
    }

    private void send(String text) {
        sink.send(List.of(Frame.ofText(text)), completion);
    }

    /** The container tells of the error behind that, and holds the request until it is complete. */
    @Test
    void send_writeFails_isGoneAndCompleteWhenTheContainerTells() {
        peer.broken = true;
        send("data: 1\n\n");
        assertEquals(List.of("gone"), calls);
        sink.onError(new IOException("gone"));
        sink.onError(new IOException("gone"));
        assertEquals(1, calls.stream().filter("complete"::equals).count());
    }

    /** Of that the container knows nothing: it would hold the request for ever. */
    @Test
    void send_somethingOfOursFails_connectionIsDroppedAndTheAnswerComplete() {
        sink.send(List.of(Frame.ofText("data: 1\n\n")), new Sink.Completion() {
            @Override
            public void succeeded() {
                throw new OutOfMemoryError("as the test wants");
            }

            @Override
            public void failed() {}
        });
        assertEquals(List.of("alive", "drop", "complete", "gone"), calls);
        send("data: 2\n\n");
        assertEquals("failed", calls.get(4));
    }

    @Test
    void close_saysWhyAndEnds() {
        send("data: 1\n\n");
        sink.close(Disconnect.DRAINING);
        assertEquals("data: 1\n\n: 4000 draining\n\n", peer.text());
        assertEquals(List.of("alive", "sent", "alive", "complete"), calls);
        send("data: 2\n\n");
        assertEquals(List.of("alive", "sent", "alive", "complete", "failed"), calls);
    }

    /** Law 7: one send is in flight, and it is not over before the peer took it. */
    @Test
    void send_peerTakesNothing_isNotOverUntilItDoes() {
        peer.ready = false;
        send("data: 1\n\n");
        assertEquals(List.of(), calls);
        peer.ready = true;
        sink.onWritePossible();
        assertEquals(List.of("alive", "sent"), calls);
        assertEquals("data: 1\n\n", peer.text());
    }

    /** Law 4: the container is never handed more than a piece, and no piece before it could take it; nothing is lost. */
    @Test
    void send_largeMessages_goInPieces() {
        peer.tiresSoon = true;
        String large = "data: " + "x".repeat(100_000) + "\n\n";
        sink.send(List.of(Frame.ofText("data: 1\n\n"), Frame.ofText(large), Frame.ofText("data: é\n\n")), completion);
        assertEquals(16 << 10, peer.took.size());
        int rounds = 0;
        while (!calls.contains("sent")) {
            peer.ready = true;
            sink.onWritePossible();
            rounds++;
        }
        assertEquals(16 << 10, peer.largest);
        assertEquals("data: 1\n\n" + large + "data: é\n\n", peer.text());
        assertEquals(List.of("alive", "sent"), calls);
        assertTrue(rounds >= 6, rounds + " rounds");
    }

    /** The answer of a peer that does not read would be complete only when it has read: its connection is dropped. */
    @Test
    void abort_peerTakesNothing_dropsTheConnection() {
        peer.ready = false;
        send("data: 1\n\n");
        sink.abort(Disconnect.SLOW);
        assertEquals(List.of("drop", "failed", "complete"), calls);
        peer.ready = true;
        sink.onWritePossible();
        assertEquals("", peer.text());
    }
}
