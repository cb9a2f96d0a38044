package dev.tidings.blackbox;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What WebSocket containers are known to get wrong under a module like this, each in a test: many senders at once, mixed
 * frames, readers that never read, sizes around limits, sockets closed as they open, proxies that cut what is idle.
 *
 * <p>The server has {@code tidings.heartbeat.interval=PT1S}, {@code tidings.outbox.send-timeout=PT5S} and
 * {@code tidings.agents.max-sockets-per-account=128}, and the rest as {@link CommandsSuite} wants it.
 *
 * <p>Those that wait for a clock of the server may run beside the others, where JUnit is told to do so.
 *
 * <p>Public because the tests of other modules extend it. Threads: as JUnit does.
 */
public abstract class TrapsSuite {
    private static final int SENDERS = 64;
    private static final int MOST_BYTES = 262_144;
    private static final int MOST_SOCKETS = 128;

    /** Three heartbeats. */
    private static final int CUT_MILLIS = 6_000;

    private static final int PATIENCE = 120;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Where the server is, without a slash at the end. */
    protected abstract URI base();

    /** Sends from 64 threads into one session, whose sockets see each message once and in one order. */
    @Test
    void senders_sixtyFourThreadsToOneSession_nothingIsLostDoubledOrSwapped() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        List<WatchSocket> sockets = List.of(owner.open(), owner.open(WatchSocket.V2), owner.open(WatchSocket.V2_CBOR));
        sockets.forEach(socket -> socket.subscribe("sessions/" + session));
        together(SENDERS, sender -> owner.message(session, "from " + sender));
        long last = 2L * SENDERS;
        for (WatchSocket socket : sockets) {
            socket.awaitSeq(session, last);
            assertEquals(LongStream.rangeClosed(1, last).boxed().toList(), socket.seqs(session));
            assertEquals(sockets.get(0).appends(session), socket.appends(session));
        }
    }

    /** 64 sessions at work at once, all shown on one socket: the server's threads all want to send there. */
    @Test
    void streams_sixtyFourAtOnceOnOneSocket_eachIsWhole() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String agent = owner.newAgent();
        WatchSocket socket = owner.open(WatchSocket.V2);
        List<String> sessions = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            sessions.add(owner.newSession(agent));
            socket.subscribe("sessions/" + sessions.get(i));
        }
        together(SENDERS, i -> owner.message(sessions.get(i), "/stream 20 50"));
        for (String session : sessions) {
            socket.awaitSeq(session, 2);
            assertEquals(List.of(1L, 2L), socket.seqs(session));
            String said = socket.appends(session).get(1).at("/event/content").asText();
            assertEquals(1_000, said.length());
        }
    }

    /** 64 sockets of the session commands say something at once; all of them see the same. */
    @Test
    void commands_sixtyFourSocketsOfOneSession_allSeeTheSame() throws Exception {
        String session = newCommandsSession();
        List<CommandsSocketClient> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < SENDERS; i++) {
                sockets.add(CommandsSocketClient.open(http, base(), session));
            }
            together(SENDERS, i -> {
                sockets.get(i).say("from " + i);
                return i;
            });
            List<JsonNode> all = List.of();
            for (CommandsSocketClient socket : sockets) {
                for (int end = 0, at = 0; end < SENDERS; end++) {
                    at = indexOf(socket, socket.awaitKindFrom(at, "run_finished"), at) + 1;
                }
                all = all.isEmpty() ? socket.events() : all;
                assertEquals(all, socket.events());
            }
            assertEquals(
                    LongStream.rangeClosed(1, all.size()).boxed().toList(),
                    all.stream().map(event -> event.get("cursor").asLong()).toList());
        } finally {
            sockets.forEach(CommandsSocketClient::close);
        }
    }

    private static int indexOf(CommandsSocketClient socket, JsonNode message, int from) {
        List<JsonNode> messages = socket.messages();
        for (int i = from; i < messages.size(); i++) {
            if (messages.get(i) == message) {
                return i;
            }
        }
        throw new AssertionError("it came, and is not there");
    }

    /**
     * Text, binary messages and pings from three threads, while the server streams, answers and pings. Where pings arrive
     * while a write is in flight, one pong for the latest is an answer to all of them (RFC 6455, 5.5.3).
     */
    @Test
    void frames_textBinaryAndPingAtOnce_areAllAnswered() throws Exception {
        int each = 60;
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        Counted counted = new Counted(2 * each, each - 1);
        try (RawSocket socket = RawSocket.open(base(), "", RawSocket.USUAL_BUFFER)) {
            Thread reader = reader(socket, counted);
            socket.send(owner.signed("Subscribe", Map.of("key", "sessions/" + session)));
            counted.await(counted.subscribed);
            var turn = owner.messageAsync(session, "/stream 400 200 5");
            together(3, kind -> {
                for (int i = 0; i < each; i++) {
                    switch (kind) {
                        case 0 -> socket.send(new byte[] {(byte) 0xff});
                        case 1 -> socket.sendText(new byte[] {'x'});
                        default -> socket.ping(new byte[] {(byte) i});
                    }
                }
                return kind;
            });
            counted.await(counted.errors);
            counted.await(counted.lastPong);
            assertEquals(200, turn.get(PATIENCE, TimeUnit.SECONDS).status());
            counted.await(counted.end);
            assertEquals(400 * 200, counted.letters);
            socket.close();
            reader.join();
            assertEquals(
                    counted.pongs.stream().distinct().sorted().toList(),
                    counted.pongs,
                    "each once, in the order of the pings");
        }
    }

    /** Counts what comes. Confined: its reader writes; latches tell the test. */
    private static final class Counted implements RawSocket.Inbox {
        final CountDownLatch subscribed = new CountDownLatch(1);
        final CountDownLatch errors;
        final CountDownLatch lastPong = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);
        final List<Integer> pongs = new ArrayList<>();
        private final int lastPing;
        int letters;

        Counted(int errors, int lastPing) {
            this.errors = new CountDownLatch(errors);
            this.lastPing = lastPing;
        }

        @Override
        public void text(byte[] utf8) {
            JsonNode frame = SignedClient.parse(utf8);
            letters += frame.at("/patch/textDelta").asText().length();
            if (type(frame).equals("subscribed")) {
                subscribed.countDown();
            } else if (type(frame).equals("error")) {
                errors.countDown();
            } else if (frame.at("/event/seq").asLong() == 2) {
                end.countDown();
            }
        }

        @Override
        public void pong(byte[] payload) {
            pongs.add((int) payload[0]);
            if (payload[0] == lastPing) {
                lastPong.countDown();
            }
        }

        @Override
        public void closed(int code) {}

        void await(CountDownLatch latch) throws InterruptedException {
            assertTrue(latch.await(PATIENCE, TimeUnit.SECONDS), () -> "still to come: " + latch.getCount());
        }
    }

    /** Eight that never read, more than Payara has threads: nobody else waits, and they are dropped. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void readers_thatNeverRead_areDroppedAndNobodyElseWaits() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        String key = "sessions/" + session;
        List<RawSocket> asleep = new ArrayList<>();
        WatchSocket awake = owner.open(WatchSocket.V2);
        awake.subscribe(key);
        try {
            for (int i = 0; i < 8; i++) {
                RawSocket socket = RawSocket.open(base(), "", RawSocket.SMALL_BUFFER);
                asleep.add(socket);
                socket.send(owner.signed("Subscribe", Map.of("key", key)));
            }
            // More than kernels keep for a connection: each text comes in pieces and whole.
            for (int i = 0; i < 4; i++) {
                String answer = owner.message(session, "/big 2000000")
                        .get("assistantEventId")
                        .asText();
                awake.awaitAppend(answer);
            }
            // Beyond the send timeout, by the server's own clock: a heartbeat comes every second.
            for (int beat = 0, at = awake.size(); beat < 8; beat++, at = awake.size()) {
                awake.awaitFrom(at, frame -> type(frame).equals("heartbeat"));
            }
            for (RawSocket socket : asleep) {
                assertNotEquals(1000, drain(socket), "dropped, not done");
            }
        } finally {
            asleep.forEach(RawSocket::close);
        }
        assertEquals("subscribed", type(owner.open().subscribe(key, 8)));
    }

    /** Reads what is left up to the end, and gives the close code. */
    private static int drain(RawSocket socket) throws IOException {
        Ended ended = new Ended();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        try {
            while (socket.read(64 * 1024, ended) >= 0) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("it was not dropped");
                }
            }
        } catch (SocketTimeoutException stays) {
            throw new AssertionError("the connection stays, and nothing comes", stays);
        } catch (IOException reset) {
            ended.closed(1006);
        }
        return ended.code;
    }

    /** Confined: one reader. */
    private static final class Ended implements RawSocket.Inbox {
        int code = -1;

        @Override
        public void text(byte[] utf8) {}

        @Override
        public void closed(int closeCode) {
            code = closeCode;
        }
    }

    /** The limit is ours in every container: up to it answered, one byte more closes with 1009. */
    @Test
    void message_ofTheLimitIsTaken_oneByteMoreClosesWith1009() {
        SignedClient owner = SignedClient.newAccount(base());
        String key = "account/" + owner.account();
        byte[] atLimit = subscribeOf(owner, key, MOST_BYTES);
        WatchSocket socket = owner.open();
        socket.sendBinary(atLimit);
        assertEquals("subscribed", type(socket.await(frame -> !type(frame).equals("connected"))));
        int before = socket.size();
        socket.sendText(" ".repeat(MOST_BYTES));
        assertEquals("error", type(socket.awaitFrom(before, frame -> type(frame).equals("error"))));
        assertEquals("subscribed", type(socket.subscribe(key)));

        socket.sendBinary(subscribeOf(owner, key, MOST_BYTES + 1));
        assertEquals(1009, socket.awaitClose());
        WatchSocket texts = owner.open();
        texts.sendText(" ".repeat(MOST_BYTES + 1));
        assertEquals(1009, texts.awaitClose());
    }

    /** The default buffers of several containers end at 8,192 bytes. */
    @Test
    void subscribe_of8193Bytes_isTaken() {
        SignedClient owner = SignedClient.newAccount(base());
        String key = "account/" + owner.account();
        for (int size : new int[] {8_191, 8_192, 8_193, 65_537}) {
            WatchSocket socket = owner.open();
            socket.sendBinary(subscribeOf(owner, key, size));
            assertEquals("subscribed", type(socket.await(frame -> !type(frame).equals("connected"))), "size " + size);
            socket.close();
        }
    }

    private static byte[] subscribeOf(SignedClient owner, String key, int size) {
        int padding = size;
        byte[] message = owner.signed("Subscribe", Map.of("key", key, "padding", "x".repeat(padding)));
        while (message.length != size) {
            padding += size - message.length;
            message = owner.signed("Subscribe", Map.of("key", key, "padding", "x".repeat(padding)));
        }
        return message;
    }

    /** A message of 200 MB is cut off long before its end, of which nothing is waited for; the server goes on. */
    @Test
    void message_of200Megabytes_isCutOff() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        long beginning = 16L << 20;
        byte[] chunk = new byte[64 * 1024];
        long sent = 0;
        Ended ended = new Ended();
        try (RawSocket socket = RawSocket.open(base(), "", RawSocket.USUAL_BUFFER)) {
            AtomicBoolean over = new AtomicBoolean();
            Thread reader = reader(socket, new RawSocket.Inbox() {
                @Override
                public void text(byte[] utf8) {}

                @Override
                public void closed(int code) {
                    ended.closed(code);
                    over.set(true);
                }
            });
            try {
                socket.announce(200L << 20);
                while (!over.get() && sent < beginning) {
                    socket.sendRaw(chunk);
                    sent += chunk.length;
                }
            } catch (IOException cut) {
                over.set(true);
            }
            reader.join(TimeUnit.SECONDS.toMillis(PATIENCE));
        }
        // None if it waits for the rest. Which code is the container's affair: 1009, or 1011 in Tyrus, or the
        // connection goes.
        assertTrue(Set.of(1006, 1009, 1011).contains(ended.code), () -> "closed with " + ended.code);
        assertEquals("subscribed", type(owner.open().subscribe("account/" + owner.account())));
    }

    @Test
    void frame_ofAMebibyte_arrivesWhole() {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        for (String subprotocol : List.of("", WatchSocket.V2_CBOR)) {
            WatchSocket socket = owner.open(subprotocol);
            socket.subscribe("sessions/" + session);
            String answer = owner.message(session, "/big 1048576")
                    .get("assistantEventId")
                    .asText();
            assertEquals(
                    1 << 20,
                    socket.awaitAppend(answer)
                            .at("/event/event/content")
                            .asText()
                            .length());
        }
    }

    /**
     * Sockets that are closed as they open, and upgrades that are refused, a thousand of both; between them answers that are
     * ready early: a container that mixes up requests gives the wrong one, or none.
     */
    @Test
    void sockets_closedAsTheyOpen_leaveTheServerAnswering() throws Exception {
        String session = newCommandsSession();
        List<CommandsSocketClient> held = new ArrayList<>();
        try {
            for (int i = 0; i < MOST_SOCKETS; i++) {
                held.add(CommandsSocketClient.open(http, base(), session));
            }
            // Whatever was held before has gone or will: all of these are in when they hear.
            held.get(0).say("hello");
            List<CommandsSocketClient> in =
                    held.stream().filter(TrapsSuite::isIn).toList();
            assertTrue(in.size() > MOST_SOCKETS / 2, () -> "only " + in.size() + " were let in");
            together(16, i -> {
                String own = newCommandsSession();
                for (int k = 0; k < 32; k++) {
                    try (CommandsSocketClient refused = CommandsSocketClient.open(http, base(), session)) {
                        assertEquals(4005, refused.awaitClose());
                    }
                    assertEquals(own, answeredSession(own));
                    assertEquals(401, RawUpgrade.status(base(), "/ws?api_key=wrong", Map.of()));
                }
                return i;
            });
            int before = in.get(0).size();
            in.get(0).say("still here");
            in.get(in.size() - 1)
                    .awaitFrom(
                            0,
                            message -> message.at("/payload/content").asText().equals("still here"));
            assertTrue(in.get(0).awaitKindFrom(before, "run_finished").has("cursor"));
        } finally {
            held.forEach(CommandsSocketClient::close);
        }
        SignedClient owner = SignedClient.newAccount(base());
        assertEquals("subscribed", type(owner.open().subscribe("account/" + owner.account())));
    }

    private String answeredSession(String asked) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(base() + "/api/sessions/" + asked))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        return SignedClient.parse(answer.body()).get("session_id").asText();
    }

    private static boolean isIn(CommandsSocketClient socket) {
        try {
            socket.awaitKind("run_finished");
            return true;
        } catch (AssertionError closed) {
            return false;
        }
    }

    /** Sockets that come and go in the middle of sends, some in good order; the one that stays misses nothing. */
    @Test
    void sockets_closedInMidSend_theOneThatStaysMissesNothing() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        String key = "sessions/" + session;
        WatchSocket stays = owner.open(WatchSocket.V2);
        stays.subscribe(key);
        CompletableFuture<Answer> turn = owner.messageAsync(session, "/stream 600 500 5");
        stays.await(Suite::isDelta);
        together(16, i -> {
            for (int k = 0; k < 10; k++) {
                WatchSocket goes = openedAtLast(owner);
                goes.subscribe(key, 0);
                if (k % 2 == 0) {
                    goes.close();
                } else {
                    goes.abort();
                }
            }
            return i;
        });
        String answer = turn.get(PATIENCE, TimeUnit.SECONDS)
                .body()
                .get("assistantEventId")
                .asText();
        String whole = stays.awaitAppend(answer).at("/event/event/content").asText();
        assertEquals(300_000, whole.length());
        assertEquals(whole, Suite.deltas(stays.frames()));
    }

    /**
     * A send that fails costs the socket and not an event: who comes back with its cursor gets the rest. Each entry is more than
     * kernels keep for a connection, so that the reset comes in the middle of a send.
     */
    @Test
    void sends_thatFailMidway_whoComesBackWithItsCursorMissesNothing() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        String key = "sessions/" + session;
        WatchSocket stays = owner.open();
        stays.subscribe(key);
        for (int i = 0; i < 3; i++) {
            owner.message(session, "/big 2000000");
        }
        stays.awaitSeq(session, 6);
        List<JsonNode> got = new ArrayList<>();
        while (got.size() < 6) {
            int cursor = got.size();
            try (RawSocket cut = RawSocket.open(base(), "", RawSocket.SMALL_BUFFER)) {
                cut.send(owner.signed("Subscribe", Map.of("key", key, "afterSeq", cursor)));
                RawSocket.Inbox first = new RawSocket.Inbox() {
                    @Override
                    public void text(byte[] utf8) {
                        JsonNode frame = SignedClient.parse(utf8);
                        if (type(frame).equals("append") && got.size() == cursor) {
                            got.add(frame.get("event"));
                        }
                    }

                    @Override
                    public void closed(int code) {
                        throw new AssertionError("closed with " + code + " after " + cursor);
                    }
                };
                while (got.size() == cursor) {
                    cut.read(64 * 1024, first);
                }
            }
        }
        assertEquals(stays.appends(session), got);
    }

    /** As clients do: Payara, in its first seconds, was seen to answer a handshake with 200 when many come at once. */
    private static WatchSocket openedAtLast(SignedClient owner) {
        for (int tries = 1; ; tries++) {
            try {
                return owner.open();
            } catch (CompletionException refused) {
                if (tries == 3) {
                    throw refused;
                }
            }
        }
    }

    /** Some containers lose what comes in the moment in which a socket opens. */
    @Test
    void subscribe_atOnceBehindTheHandshake_isAnswered() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String key = "account/" + owner.account();
        together(16, i -> {
            for (int k = 0; k < 12; k++) {
                byte[] subscribe = owner.signed("Subscribe", Map.of("key", key, "n", i * 100 + k));
                CountDownLatch answered = new CountDownLatch(1);
                try (RawSocket socket = RawSocket.open(base(), "", RawSocket.USUAL_BUFFER)) {
                    socket.send(subscribe);
                    Thread reader = reader(socket, new RawSocket.Inbox() {
                        @Override
                        public void text(byte[] utf8) {
                            if (type(SignedClient.parse(utf8)).equals("subscribed")) {
                                answered.countDown();
                            }
                        }

                        @Override
                        public void closed(int code) {}
                    });
                    assertTrue(answered.await(PATIENCE, TimeUnit.SECONDS), "not answered");
                    socket.close();
                    reader.join();
                }
            }
            return i;
        });
    }

    /**
     * Who does not wait for the answer to the handshake, which is against the protocol and in Tyrus used to take a thread of the
     * container each time, for ever.
     */
    @Test
    void message_beforeTheHandshakeIsAnswered_takesNoThread() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String key = "account/" + owner.account();
        List<RawSocket> hasty = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                RawSocket socket = RawSocket.knock(base(), "", RawSocket.USUAL_BUFFER);
                hasty.add(socket);
                socket.send(owner.signed("Subscribe", Map.of("key", key, "n", i)));
            }
            for (int i = 0; i < 12; i++) {
                assertEquals(
                        200,
                        SignedClient.get(URI.create(base() + "/agents/api/health"))
                                .statusCode());
                assertEquals("subscribed", type(owner.open().subscribe(key)));
            }
        } finally {
            hasty.forEach(RawSocket::close);
        }
    }

    /** Behind a proxy that cuts what says nothing: the heartbeat keeps an idle socket, and it still hears. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void socket_idleBehindAProxyThatCuts_staysAndHears() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        try (CuttingProxy proxy = CuttingProxy.before(base(), CUT_MILLIS);
                Socket silent = new Socket("127.0.0.1", proxy.base().getPort())) {
            WatchSocket idle = owner.at(proxy.base()).open();
            idle.subscribe("sessions/" + session);
            // Longer than the proxy waits.
            proxy.awaitFromServer(CUT_MILLIS / 1_000 + 1);
            owner.message(session, "after a long silence");
            idle.awaitSeq(session, 2);

            // It does cut: the connection on which nothing is said did not last, and it alone.
            silent.setSoTimeout(30_000);
            assertEquals(-1, silent.getInputStream().read());
            assertEquals(1, proxy.cuts());
            idle.abort();
        }
    }

    private String newCommandsSession() throws IOException, InterruptedException {
        HttpResponse<String> made = http.send(
                HttpRequest.newBuilder(URI.create(base() + "/api/sessions"))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(201, made.statusCode(), made.body());
        return SignedClient.parse(made.body()).get("session_id").asText();
    }

    private static Thread reader(RawSocket socket, RawSocket.Inbox inbox) {
        Thread reader = new Thread(
                () -> {
                    try {
                        while (socket.read(64 * 1024, inbox) >= 0) {
                            Thread.onSpinWait();
                        }
                    } catch (SocketTimeoutException stays) {
                        // Not gone: who waits for the end sees that none came.
                    } catch (IOException over) {
                        socket.gone(inbox);
                    }
                },
                "reader");
        reader.setDaemon(true);
        reader.start();
        return reader;
    }

    private interface Numbered<T> {
        T call(int number) throws Exception;
    }

    /** Does it in so many threads that begin together, and waits for all. */
    private static <T> void together(int threads, Numbered<T> task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch begin = new CountDownLatch(1);
            List<Future<T>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                Callable<T> one = () -> {
                    begin.await();
                    return task.call(number);
                };
                all.add(pool.submit(one));
            }
            begin.countDown();
            for (Future<T> one : all) {
                one.get(PATIENCE, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
