package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
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

@Timeout(40)
class WebServerIT {
    private final WebServer server = new WebServer("127.0.0.1", 0, TestFaces.faces(), TestFaces::make);
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void quiet() {
        Logging.configure("error");
    }

    @BeforeEach
    void start() {
        TestFaces.OPENED.clear();
        TestFaces.CLOSED.clear();
        NonBlocking.SEEN.clear();
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 503})
    void upgrade_filterRefuses_answersAndNoFrameFollows(int status) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(RawClient.upgrade("/held?deny=" + status));
            String response = client.response();
            assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
            assertTrue(response.endsWith("}") && response.contains("{\"type\":\"error\",\"code\":\""), response);
            assertEquals(0, client.rest().length);
        }
        assertTrue(TestFaces.OPENED.isEmpty());
    }

    @Test
    void upgrade_unknownPath_is404() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(RawClient.upgrade("/echo/more"));
            assertTrue(client.response().startsWith("HTTP/1.1 404 "));
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send(RawClient.upgrade("/room/a/other"));
            assertTrue(client.response().startsWith("HTTP/1.1 404 "));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/x", "/hello/more", "/hellos", "/echo/more", "/zzz?a=b"})
    void http_unknownPath_is404(String path) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(RawClient.get(path));
            String response = client.response();
            assertTrue(response.startsWith("HTTP/1.1 404 ") && response.contains("\"not_found\""), response);
            // A refusal ends the connection: what else was asked on it would hold a thread for a peer that does not
            // read.
            assertEquals(0, client.rest().length);
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send(RawClient.get(path).replace("GET", "POST").replace("Host", "Content-Length: 0\r\nHost"));
            assertTrue(client.response().startsWith("HTTP/1.1 404 "));
        }
    }

    /** Law 5: who was refused holds no connection by keeping back what it announced. */
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nab"})
    void http_refusedAndTheBodyHeldBack_theConnectionEnds(String body) throws Exception {
        WebServer impatient = new WebServer("127.0.0.1", 0, TestFaces.faces(), TestFaces::make, Duration.ofMillis(100));
        impatient.start();
        try (RawClient client = new RawClient(impatient.port())) {
            client.send("POST /x HTTP/1.1\r\nHost: test\r\n" + body);
            assertTrue(client.response().startsWith("HTTP/1.1 404 "));
            assertTrue(client.ends());
        } finally {
            impatient.stop();
        }
    }

    @Test
    void http_errorOfTheContainer_isSaidAsTheFacesSayIt() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(RawClient.get("/hello?deny=503"));
            String response = client.response();
            assertTrue(response.contains("\r\nContent-Type: application/json"), response);
            assertTrue(response.contains("{\"type\":\"error\",\"code\":\"busy\""), response);
        }
    }

    @Test
    void upgrade_queryOnThePath_isIgnored() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/echo?a=%zz&b=%41&token")) {
            client.send(RawClient.text("x"));
            assertEquals("x", client.frame().text());
        }
    }

    @Test
    void upgrade_pathWithParameter_reachesTheEndpoint() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/room/blue/ws")) {
            assertEquals("blue", client.frame().text());
        }
    }

    @Test
    void upgrade_noUpgradeHeaders_is400() throws Exception {
        assertRefused(RawClient.get("/echo"), 400);
    }

    @Test
    void upgrade_wrongMethodVersionOrKey_isRefused() throws Exception {
        String request = RawClient.upgrade("/echo");
        assertRefused(request.replace("GET", "POST"), 405);
        assertRefused(request.replace("Version: 13", "Version: 8"), 400);
        assertRefused(request.replace("dGhlIHNhbXBsZSBub25jZQ==", "short"), 400);
        assertRefused(request.replaceAll("Sec-WebSocket-Key.*\r\n", ""), 400);
        assertTrue(TestFaces.OPENED.isEmpty());
    }

    private void assertRefused(String request, int status) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(request);
            String response = client.response();
            assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
        }
    }

    @Test
    void socket_frameInOneSegmentWithTheRequest_isNotLost() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.writeBytes(RawClient.upgrade("/echo").getBytes(StandardCharsets.US_ASCII));
            both.writeBytes(RawClient.text("early"));
            client.send(both.toByteArray());
            assertTrue(client.head().startsWith("HTTP/1.1 101 "));
            assertEquals("early", client.frame().text());
            client.send(RawClient.text("later"));
            assertEquals("later", client.frame().text());
        }
    }

    @Test
    void socket_textBinaryFragmentsAndPings_comeBackWhole() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/echo")) {
            client.send(RawClient.text("häuser €"));
            assertEquals("häuser €", client.frame().text());
            byte[] large = new byte[TestFaces.LIMIT];
            large[TestFaces.LIMIT - 1] = 7;
            client.send(RawClient.frame(true, 2, large));
            assertArrayEquals(large, client.frame().payload());
            byte[] euro = "a€b".getBytes(StandardCharsets.UTF_8);
            client.send(RawClient.frame(false, 1, new byte[] {euro[0], euro[1]}));
            client.send(RawClient.frame(true, 9, new byte[] {42}));
            RawClient.Frame pong = client.frame();
            assertEquals(10, pong.opcode());
            assertArrayEquals(new byte[] {42}, pong.payload());
            client.send(RawClient.frame(false, 0, new byte[] {euro[2]}));
            client.send(RawClient.frame(true, 0, new byte[] {euro[3], euro[4]}));
            assertEquals("a€b", client.frame().text());
        }
    }

    @Test
    void socket_serverPings_reachesThePongHandler() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/held")) {
            Session session = taken(TestFaces.OPENED);
            session.getAsyncRemote().sendPing(ByteBuffer.wrap(new byte[3]));
            RawClient.Frame ping = client.frame();
            assertEquals(9, ping.opcode());
            client.send(RawClient.frame(true, 10, ping.payload()));
            assertEquals("pong 3", client.frame().text());
        }
    }

    @Test
    void socket_oneByteOverTheLimit_closesWith1009() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/echo")) {
            client.send(RawClient.text("before"));
            client.send(RawClient.frame(true, 2, new byte[TestFaces.LIMIT + 1]));
            assertEquals("before", client.frame().text());
            assertEquals(1009, client.frame().closeCode());
            assertEquals(0, client.rest().length);
        }
    }

    @Test
    void socket_fragmentsOverTheLimit_closesWith1009() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/echo")) {
            client.send(RawClient.frame(false, 2, new byte[TestFaces.LIMIT]));
            client.send(RawClient.frame(true, 0, new byte[1]));
            assertEquals(1009, client.frame().closeCode());
        }
    }

    /** Law 4: a length alone takes no memory and gets its answer without a byte of payload. */
    @Test
    void socket_headerOfAnEndlessMessage_closesWith1009() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/echo")) {
            client.send(new byte[] {(byte) 0x82, (byte) 0xff, 0x7f, -1, -1, -1, -1, -1, -1, -1, 1, 2, 3, 4});
            RawClient.Frame close = client.frame();
            assertEquals(1009, close.closeCode());
            assertEquals("message is too big", close.closeReason());
        }
    }

    @Test
    void socket_unmaskedFrame_closesWith1002() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/echo")) {
            client.send(new byte[] {(byte) 0x81, 1, 'x'});
            RawClient.Frame close = client.frame();
            assertEquals(1002, close.closeCode());
            assertEquals("", close.closeReason(), "law 9: what Tyrus says of it");
        }
    }

    @Test
    void socket_brokenUtf8_closesWith1007() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/echo")) {
            client.send(RawClient.frame(true, 1, new byte[] {(byte) 0xc3, 0x28}));
            RawClient.Frame close = client.frame();
            assertEquals(1007, close.closeCode());
            assertEquals("", close.closeReason(), "law 9: what Tyrus says of it");
        }
    }

    @Test
    void socket_clientCloses_isAnsweredAndEnds() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/held")) {
            client.send(RawClient.frame(true, 8, new byte[] {3, (byte) 0xe8}));
            assertEquals(1000, client.frame().closeCode());
            assertEquals(0, client.rest().length);
            assertEquals(CloseCodes.NORMAL_CLOSURE, taken(TestFaces.CLOSED).getCloseCode());
        }
    }

    @Test
    void socket_connectionLost_callsOnCloseWith1006() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/held")) {
            assertTrue(taken(TestFaces.OPENED).isOpen());
        }
        assertEquals(CloseCodes.CLOSED_ABNORMALLY, taken(TestFaces.CLOSED).getCloseCode());
    }

    /** The close frame of a server that had enough is not lost to a reset when the peer is still sending. */
    @Test
    void socket_serverClosesWhileThePeerSends_closeFrameArrives() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/echo")) {
            client.send(RawClient.text("close"));
            for (int i = 0; i < 100; i++) {
                client.send(RawClient.frame(true, 2, new byte[50_000]));
            }
            RawClient.Frame close = client.frame();
            assertEquals(8, close.opcode());
            assertEquals(4000, close.closeCode());
            assertEquals(0, client.rest().length);
        }
    }

    /** Law 9: what an endpoint threw stays inside; the socket lives. */
    @Test
    void socket_endpointThrows_nothingOfItReachesThePeer() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/echo")) {
            client.send(RawClient.text("fail"));
            client.send(RawClient.text("still here"));
            assertEquals("still here", client.frame().text());
        }
    }

    @Test
    void socket_manySendsAndPingsAtOnce_allArriveInOrder() throws Exception {
        int messages = 20_000;
        try (RawClient client = RawClient.upgraded(server.port(), "/held")) {
            Session session = taken(TestFaces.OPENED);
            Thread sender = new Thread(() -> {
                for (int i = 0; i < messages; i++) {
                    session.getAsyncRemote().sendText("message " + i, result -> {});
                }
            });
            sender.start();
            int pongs = 0;
            int next = 0;
            while (next < messages || pongs == 0) {
                if (next % 100 == 0) {
                    client.send(RawClient.frame(true, 9, new byte[] {1}));
                }
                RawClient.Frame frame = client.frame();
                if (frame.opcode() == 10) {
                    pongs++;
                } else {
                    assertEquals("message " + next, frame.text());
                    next++;
                }
            }
            sender.join();
            assertTrue(pongs > 0);
        }
    }

    @Test
    void socket_sendsFromTheCallback_doNotRecurse() throws Exception {
        int messages = 20_000;
        try (RawClient client = RawClient.upgraded(server.port(), "/held")) {
            sendFromCallback(taken(TestFaces.OPENED), 0, messages);
            for (int i = 0; i < messages; i++) {
                assertEquals("" + i, client.frame().text());
            }
        }
    }

    private static void sendFromCallback(Session session, int number, int end) {
        if (number < end) {
            session.getAsyncRemote().sendText("" + number, result -> sendFromCallback(session, number + 1, end));
        }
    }

    /** Law 7: a socket that does not take its bytes can be dropped, at once and in the kernel too. */
    @Test
    void abort_clientNeverReads_resetsAndFailsTheSend() throws Exception {
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.send(RawClient.upgrade("/held"));
            assertTrue(client.head().startsWith("HTTP/1.1 101 "));
            Session session = taken(TestFaces.OPENED);
            CompletableFuture<SendResult> sent = new CompletableFuture<>();
            session.getAsyncRemote().sendText("x".repeat(32 * 1024 * 1024), sent::complete);
            assertThrows(TimeoutException.class, () -> sent.get(300, TimeUnit.MILLISECONDS));

            ((Runnable) Objects.requireNonNull(session.getUserProperties().get("dev.tidings.abort"))).run();

            assertFalse(sent.get(20, TimeUnit.SECONDS).isOK());
            assertEquals(CloseCodes.CLOSED_ABNORMALLY, taken(TestFaces.CLOSED).getCloseCode());
            assertThrows(SocketException.class, client::rest, "a reset, not an end");
        }
    }

    /** Law 4: what waits behind a write that does not go through is bounded. */
    @Test
    void send_clientNeverReads_isCutAtTheBound() throws Exception {
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.send(RawClient.upgrade("/held"));
            assertTrue(client.head().startsWith("HTTP/1.1 101 "));
            Session session = taken(TestFaces.OPENED);
            CompletableFuture<SendResult> last = new CompletableFuture<>();
            String megabyte = "x".repeat(1024 * 1024);
            for (int i = 0; i < 31 && session.isOpen(); i++) {
                session.getAsyncRemote().sendText(megabyte, result -> {
                    if (!result.isOK()) {
                        last.complete(result);
                    }
                });
            }
            assertFalse(last.get(20, TimeUnit.SECONDS).isOK());
            assertEquals(CloseCodes.CLOSED_ABNORMALLY, taken(TestFaces.CLOSED).getCloseCode());
        }
    }

    @Test
    void servlet_completedByAnotherThread_answers() throws Exception {
        CompletableFuture<HttpResponse<String>> answer =
                http.sendAsync(request("/later"), HttpResponse.BodyHandlers.ofString());
        AsyncContext started = taken(TestFaces.STARTED);
        started.getResponse().setContentType("text/plain");
        started.getResponse().getOutputStream().print("from another thread");
        started.complete();
        HttpResponse<String> response = answer.get(20, TimeUnit.SECONDS);
        assertEquals(200, response.statusCode());
        assertEquals("from another thread", response.body());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 8192, 1_000_000})
    void servlet_nonBlockingBodyAndAnswer_areWhole(int length) throws Exception {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        HttpRequest post = HttpRequest.newBuilder(request("/non-blocking").uri())
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        HttpResponse<byte[]> response = http.send(post, HttpResponse.BodyHandlers.ofByteArray());
        assertEquals(200, response.statusCode());
        assertArrayEquals(body, response.body());
    }

    /** Requests end on other threads while their first call is still running; none gets the answer of another. */
    @Test
    void servlet_manyAtOnce_eachGetsItsOwnAnswer() throws Exception {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int number = 0; number < 8; number++) {
            String name = "client " + number;
            clients.add(CompletableFuture.runAsync(() -> postAndCompare(name, 250), run -> new Thread(run).start()));
        }
        for (CompletableFuture<Void> client : clients) {
            client.get(30, TimeUnit.SECONDS);
        }
    }

    private void postAndCompare(String name, int times) {
        try (RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < times; i++) {
                String body = name + ", request " + i;
                client.send("POST /non-blocking HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n");
                client.send(body);
                String response = client.response();
                assertTrue(response.startsWith("HTTP/1.1 200 ") && response.endsWith("\r\n\r\n" + body), response);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Java's HTTP client asks for HTTP/2 along with its first request. */
    @Test
    void servlet_requestThatWouldLikeHttp2_isServedAsItIs() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /non-blocking HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                    + "Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\nContent-Length: 2\r\n\r\nab");
            assertTrue(client.response().endsWith("\r\n\r\nab"));
            client.send(RawClient.get("/hello"));
            assertTrue(client.response().endsWith("hello"));
        }
    }

    @Test
    void servlet_bodyInPieces_isWhole() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /non-blocking HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n");
            client.send("ab");
            awaitSeen("data");
            client.send("cd");
            awaitSeen("data");
            client.send("ef");
            assertTrue(client.response().endsWith("\r\n\r\nabcdef"));
            client.send(RawClient.get("/hello"));
            assertTrue(client.response().endsWith("hello"));
        }
    }

    @Test
    void servlet_clientGoesInTheMiddleOfTheBody_isTold() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /non-blocking HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nab");
            awaitSeen("data");
        }
        awaitSeen("error");
    }

    @Test
    void servlet_asyncTimeRunsOut_answersWhatTheListenerSays() throws Exception {
        HttpRequest post = HttpRequest.newBuilder(request("/non-blocking?t").uri())
                .POST(HttpRequest.BodyPublishers.ofString("t"))
                .build();
        assertEquals(
                503, http.send(post, HttpResponse.BodyHandlers.discarding()).statusCode());
        awaitSeen("timeout");
        awaitSeen("complete");
    }

    private static void awaitSeen(String what) throws InterruptedException {
        String seen = taken(NonBlocking.SEEN);
        while (!seen.equals(what)) {
            seen = taken(NonBlocking.SEEN);
        }
    }

    /** Law 9. */
    @Test
    void servlet_throws_answers500WithoutWhy() throws Exception {
        HttpResponse<String> response = http.send(request("/hello?fail"), HttpResponse.BodyHandlers.ofString());
        assertEquals(500, response.statusCode());
        assertFalse(response.body().contains("s3cret"));
        assertFalse(response.body().contains("Exception"));
    }

    @Test
    void stop_openSockets_closesThemWith1001() throws Exception {
        try (RawClient client = RawClient.upgraded(server.port(), "/held")) {
            assertTrue(taken(TestFaces.OPENED).isOpen());
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::stop);
            assertEquals(1001, client.frame().closeCode());
            assertThrows(EOFException.class, client::frame);
            client.close();
            stopped.get(20, TimeUnit.SECONDS);
            assertEquals(CloseCodes.GOING_AWAY, taken(TestFaces.CLOSED).getCloseCode());
        }
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .build();
    }

    private static <T> T taken(BlockingQueue<T> queue) throws InterruptedException {
        return Objects.requireNonNull(queue.poll(20, TimeUnit.SECONDS), "nothing came");
    }
}
