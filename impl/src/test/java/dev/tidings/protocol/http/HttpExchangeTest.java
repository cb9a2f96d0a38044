package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.runs.TestDeadlines;
import dev.tidings.transport.PortableSink;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Laws 4 and 5: who sends or reads slowly holds no thread, bounded bytes, and not for ever. */
class HttpExchangeTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(10);

    private final Queue<Object> statuses = new ConcurrentLinkedQueue<>();
    private final Queue<String> ends = new ConcurrentLinkedQueue<>();
    private final CountDownLatch dropped = new CountDownLatch(1);
    private final CountDownLatch completed = new CountDownLatch(1);
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    private HttpExchanges exchanges(Duration body, Duration send) {
        return new HttpExchanges(
                new HttpLimits(1 << 20, 100_000, 1, 1, body, send),
                Runnable::run,
                Runnable::run,
                TestDeadlines.shared());
    }

    private HttpExchange begin(HttpExchanges exchanges, Out out, ServletInputStream in) {
        HttpServletResponse response = fake(HttpServletResponse.class, Map.of("getOutputStream", out));
        Map<String, Object> told = Map.of("getProtocol", "HTTP/1.1", "getInputStream", in);
        AsyncContext context = fake(
                AsyncContext.class,
                Map.of("getRequest", fake(HttpServletRequest.class, told), "getResponse", response));
        return exchanges.begin(fake(HttpServletRequest.class, Map.of("startAsync", context)), LONG, HttpRefusal.WORDS);
    }

    private <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("setStatus")) {
                        statuses.add(arguments[0]);
                    } else if (method.getName().equals("complete")) {
                        ends.add("complete");
                        completed.countDown();
                    } else if (method.getName().equals("getAttribute") && arguments[0].equals(PortableSink.ABORT)) {
                        return (Runnable) this::drop;
                    }
                    return answers.get(method.getName());
                }));
    }

    private AsyncEvent event() {
        return new AsyncEvent(fake(AsyncContext.class, Map.of()));
    }

    private void drop() {
        ends.add("drop");
        dropped.countDown();
    }

    /** A client that takes what it is asked to. */
    private static class Out extends ServletOutputStream {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        boolean ready;

        @Nullable
        WriteListener listener;

        Out(boolean ready) {
            this.ready = ready;
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setWriteListener(WriteListener given) {
            listener = given;
        }

        @Override
        public void write(int b) {
            taken.write(b);
        }

        void writePossible() {
            try {
                Objects.requireNonNull(listener).onWritePossible();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** A body of which nothing ever comes. */
    private static final class Never extends ServletInputStream {
        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            return false;
        }

        @Override
        public void setReadListener(ReadListener listener) {}

        @Override
        public int read() {
            throw new AssertionError("nothing has come");
        }
    }

    private static final HttpAnswer LARGE = new HttpAnswer(200, "text/plain", new byte[80_000]);

    /** What all large answers hold together is bounded. */
    @Test
    void answer_tooMuchInAll_busyUntilTaken() {
        HttpExchanges exchanges = exchanges(LONG, LONG);
        Out first = new Out(false);
        begin(exchanges, first, new Never()).answer(LARGE);
        assertEquals(80_000, exchanges.answers().taken());
        begin(exchanges, new Out(true), new Never()).answer(LARGE);
        assertEquals(List.of(200, 503), List.copyOf(statuses));

        first.ready = true;
        first.writePossible();

        assertEquals(80_000, first.taken.size());
        assertEquals(0, exchanges.answers().taken());
    }

    @Test
    void answer_clientTakesNothing_isDroppedAndLetGoOf() throws Exception {
        HttpExchanges exchanges = exchanges(LONG, SHORT);
        CountDownLatch over = new CountDownLatch(1);
        HttpExchange exchange = begin(exchanges, new Out(false), new Never());
        exchange.atEnd(over::countDown);
        exchange.answer(LARGE);
        assertTrue(dropped.await(20, TimeUnit.SECONDS));
        assertTrue(completed.await(20, TimeUnit.SECONDS));
        assertTrue(over.await(20, TimeUnit.SECONDS));
        assertEquals(0, exchanges.answers().taken());
    }

    /** A container would wait for the rest of the body, and keep the connection for as long as the client likes. */
    @Test
    void read_bodyDoesNotCome_isAnsweredForAndTheConnectionEnds() throws Exception {
        HttpExchanges exchanges = exchanges(SHORT, SHORT);
        begin(exchanges, new Out(true), new Never())
                .read(new IncomingBody(
                        10, exchanges.bodies(), HttpRefusal.WORDS, (body, reserved) -> new CompletableFuture<>()));
        assertTrue(completed.await(20, TimeUnit.SECONDS));
        assertEquals(List.of(408), List.copyOf(statuses));
        assertTrue(dropped.await(20, TimeUnit.SECONDS));
    }

    /** Pieces that a test makes. */
    private final class Hand implements Pieces {
        int closed;

        @Nullable
        Consumer<Piece> taker;

        @Override
        public void next(Consumer<Piece> given) {
            taker = given;
        }

        void give(Piece piece) {
            Consumer<Piece> waiting = Objects.requireNonNull(taker, "nobody asked");
            taker = null;
            waiting.accept(piece);
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private static Pieces.Piece some(int size) {
        return new Pieces.Piece.Some("x".repeat(size).getBytes(StandardCharsets.US_ASCII));
    }

    /** The next piece is made when the one before was taken, and one of them counts. */
    @Test
    void pieces_areAskedForAsTheyAreTaken() {
        HttpExchanges exchanges = exchanges(LONG, LONG);
        Out out = new Out(true);
        Hand hand = new Hand();
        begin(exchanges, out, new Never()).answer(HttpAnswer.json(200, new byte[0]), hand);
        out.ready = false;
        hand.give(some(90_000));
        assertEquals(90_000, exchanges.answers().taken());
        assertTrue(hand.taker == null, "asked for more while one waits");
        out.ready = true;
        out.writePossible();
        assertEquals(0, exchanges.answers().taken());
        hand.give(some(90_000));
        hand.give(new Pieces.Piece.End());
        assertEquals(180_000, out.taken.size());
        assertEquals(List.of(1, 1L, 0L), List.of(hand.closed, dropped.getCount(), completed.getCount()));
    }

    /** What is cut must not look whole. */
    @Test
    void pieces_brokenOrTooLargeForAll_connectionIsDropped() {
        HttpExchanges exchanges = exchanges(LONG, LONG);
        Hand hand = new Hand();
        begin(exchanges, new Out(true), new Never()).answer(HttpAnswer.json(200, new byte[0]), hand);
        hand.give(some(100_001));
        assertEquals(List.of(1, 0L, 0L), List.of(hand.closed, dropped.getCount(), completed.getCount()));
        assertEquals(0, exchanges.answers().taken());
    }

    @Test
    void answer_twice_secondIsNothingAndItsPiecesAreClosed() {
        HttpExchanges exchanges = exchanges(LONG, LONG);
        HttpExchange exchange = begin(exchanges, new Out(true), new Never());
        exchange.answer(LARGE);
        Hand hand = new Hand();
        exchange.answer(HttpAnswer.json(200, new byte[0]), hand);
        assertEquals(List.of(200), List.copyOf(statuses));
        assertEquals(1, hand.closed);
    }

    /** Law 4: what was taken is not held until a timer has run out, which would count nowhere. */
    @Test
    void answer_taken_isHeldByNobody() {
        HttpExchanges exchanges = exchanges(LONG, LONG);
        Out out = new Out(false);
        WeakReference<byte[]> bytes = answerLarge(begin(exchanges, out, new Never()));
        out.ready = true;
        out.writePossible();
        assertEquals(0, exchanges.answers().taken());
        for (int i = 0; i < 100 && bytes.get() != null; i++) {
            System.gc();
        }
        assertTrue(bytes.get() == null, "held by somebody");
    }

    private static WeakReference<byte[]> answerLarge(HttpExchange exchange) {
        byte[] bytes = new byte[80_000];
        exchange.answer(new HttpAnswer(200, "text/plain", bytes));
        return new WeakReference<>(bytes);
    }

    /** Whatever a container throws: seat, bytes and the transcript's place are free. */
    @Test
    void pieces_containerFailsInAWayNobodyExpects_everythingIsLetGoOf() {
        HttpExchanges exchanges = exchanges(LONG, LONG);
        CountDownLatch over = new CountDownLatch(1);
        Hand hand = new Hand();
        HttpExchange exchange = begin(
                exchanges,
                new Out(true) {
                    @Override
                    public void write(byte[] bytes, int from, int length) {
                        throw new LinkageError("as the test wants");
                    }
                },
                new Never());
        exchange.atEnd(over::countDown);
        exchange.answer(HttpAnswer.json(200, new byte[0]), hand);
        hand.give(some(90_000));
        assertEquals(0, exchanges.answers().taken());
        assertEquals(
                List.of(1, 0L, 0L, 0L),
                List.of(hand.closed, dropped.getCount(), completed.getCount(), over.getCount()));
    }

    /** An answer without a length that the container ends would look whole. */
    @Test
    void pieces_containerTellsOfAnErrorInBetween_connectionIsDropped() {
        for (int i = 0; i < 3; i++) {
            HttpExchanges exchanges = exchanges(LONG, LONG);
            Hand hand = new Hand();
            Out out = new Out(true);
            ends.clear();
            HttpExchange exchange = begin(exchanges, out, new Never());
            exchange.answer(HttpAnswer.json(200, new byte[0]), hand);
            if (i == 0) {
                exchange.onError(event());
            } else if (i == 1) {
                exchange.onTimeout(event());
            } else {
                Objects.requireNonNull(out.listener).onError(new IOException("gone"));
            }
            exchange.onError(event());
            assertEquals(List.of("drop", "complete"), List.copyOf(ends));
            assertEquals(1, hand.closed);
        }
    }

    private HttpExchange beginInPayara(HttpExchanges exchanges) throws ClassNotFoundException {
        HttpServletResponse response = fake(HttpServletResponse.class, Map.of("getOutputStream", new Out(true)));
        Class<?> type = Class.forName("org.apache.catalina.connector.OfPayara");
        AsyncContext context = fake(
                type.asSubclass(AsyncContext.class),
                Map.of(
                        "getRequest",
                        fake(HttpServletRequest.class, Map.of("getProtocol", "HTTP/1.1")),
                        "getResponse",
                        response,
                        "getTimeout",
                        7L));
        return exchanges.begin(fake(HttpServletRequest.class, Map.of("startAsync", context)), LONG, HttpRefusal.WORDS);
    }

    /** Law 9: Payara answers a request that takes too long by itself, unless that is complete when the listener returns. */
    @Test
    void onTimeout_inPayara_isCompleteWhenTheListenerReturns() throws ClassNotFoundException {
        HttpExchanges exchanges = new HttpExchanges(
                new HttpLimits(1, 1, 1, 1, LONG, LONG), tasks::add, tasks::add, TestDeadlines.shared());
        beginInPayara(exchanges).onTimeout(event());
        assertEquals(List.of(503), List.copyOf(statuses));
        assertEquals(List.of("complete"), List.copyOf(ends));
    }

    /** Law 5: the workers may all wait for a database. */
    @Test
    void answer_inPayaraAndNoWorkerIsFree_goesBackToTheContainer() throws Exception {
        HttpExchanges exchanges = new HttpExchanges(
                new HttpLimits(1, 100_000, 1, 1, LONG, LONG), tasks::add, Runnable::run, TestDeadlines.shared());
        beginInPayara(exchanges).answer(HttpAnswer.json(200, new byte[0]));
        assertTrue(completed.await(1, TimeUnit.MINUTES));
        assertEquals(0, tasks.size());
    }

    /** The first answer's pieces are its own. */
    @Test
    void pieces_secondAnswer_leavesTheFirstAlone() {
        HttpExchanges exchanges = exchanges(LONG, LONG);
        HttpExchange exchange = begin(exchanges, new Out(true), new Never());
        Hand first = new Hand();
        Hand second = new Hand();
        exchange.answer(HttpAnswer.json(200, new byte[0]), first);
        exchange.answer(HttpAnswer.json(200, new byte[0]), second);
        assertEquals(List.of(0, 1), List.of(first.closed, second.closed));
        first.give(new Pieces.Piece.End());
        assertEquals(List.of(1, 1), List.of(first.closed, second.closed));
        assertEquals(List.of("complete"), List.copyOf(ends));
    }

    /** A timer's thread answers nobody: a container may keep it waiting. */
    @Test
    void answerOnWorker_answersThere() {
        HttpExchanges exchanges = new HttpExchanges(
                new HttpLimits(1, 100_000, 1, 1, LONG, LONG), tasks::add, tasks::add, TestDeadlines.shared());
        begin(exchanges, new Out(true), new Never()).answerOnWorker(LARGE);
        assertEquals(List.of(), List.copyOf(statuses));
        tasks.remove().run();
        assertEquals(List.of(200), List.copyOf(statuses));
    }

    /** So many ask the database at once; who will never be has to know. */
    @Test
    void read_moreThanMayReadAtOnce_waitTheirTurn() {
        HttpExchanges exchanges = new HttpExchanges(
                new HttpLimits(1, 1, 1, 1, LONG, LONG), tasks::add, tasks::add, TestDeadlines.shared());
        Queue<String> done = new ArrayDeque<>();
        exchanges.read(() -> done.add("first"), () -> done.add("no"));
        exchanges.read(() -> done.add("second"), () -> done.add("no"));
        assertEquals(1, tasks.size());
        tasks.remove().run();
        tasks.remove().run();
        assertEquals(List.of("first", "second"), List.copyOf(done));
    }
}
