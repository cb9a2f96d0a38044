package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.blackbox.CommandsSocketClient;
import dev.tidings.blackbox.RawSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Laws 4 and 5 over HTTP: who sends slowly, or reads nothing, holds nobody else up, and not for ever. */
@TestInstance(Lifecycle.PER_CLASS)
class SlowPeersIT {
    /** More than the server has threads for HTTP, or connections to its database. */
    private static final int PEERS = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Socket> peers = new ArrayList<>();
    private RunningServer server;

    @BeforeAll
    void start(@TempDir Path data) {
        server = RunningServer.start(
                data,
                Map.of(
                        "TIDINGS_HTTP_BODY_TIMEOUT",
                        "PT2S",
                        "TIDINGS_HTTP_MAX_TRANSCRIPTS",
                        "40",
                        "TIDINGS_OUTBOX_SEND_TIMEOUT",
                        "PT2S"));
    }

    @AfterEach
    void leave() throws IOException {
        for (Socket peer : peers) {
            peer.close();
        }
        peers.clear();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Socket peer(String request) throws IOException {
        Socket peer = new Socket();
        peers.add(peer);
        peer.setReceiveBufferSize(RawSocket.SMALL_BUFFER * 4);
        peer.setSoTimeout((int) PATIENCE.toMillis());
        peer.connect(new java.net.InetSocketAddress(
                server.base().getHost(), server.base().getPort()));
        peer.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return peer;
    }

    private String post(String path, String type) {
        return "POST " + path + " HTTP/1.1\r\nHost: " + server.base().getAuthority() + "\r\nContent-Type: " + type
                + "\r\nContent-Length: 1000\r\n\r\n{";
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(server.base() + path));
    }

    private void othersAreServed() throws Exception {
        assertEquals(200, send(to("/agents/api/health")).statusCode());
        assertEquals(200, send(to("/api/sessions?limit=1")).statusCode());
        assertEquals(
                201,
                send(to("/api/sessions").POST(HttpRequest.BodyPublishers.ofString("{}")))
                        .statusCode());
    }

    private static String rest(Socket peer) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        InputStream in = peer.getInputStream();
        byte[] chunk = new byte[64 << 10];
        try {
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                all.write(chunk, 0, length);
            }
        } catch (java.net.SocketException reset) {
            // The end as well.
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    @Test
    void slowBodies_holdNobodyUpAndAreEnded() throws Exception {
        List<Socket> sessions = new ArrayList<>();
        List<Socket> messages = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            sessions.add(peer(post("/api/sessions", "application/json")));
            messages.add(peer(post("/agents/api/message", "application/cbor")));
            peer(post("/api/sessions", "application/x-www-form-urlencoded"));
            peer(post("/ws/sessions/none?x=1", "application/x-www-form-urlencoded"));
        }
        othersAreServed();
        for (Socket slow : sessions) {
            String answer = rest(slow);
            assertTrue(answer.startsWith("HTTP/1.1 408 ") && answer.contains("\"body_timeout\""), answer);
        }
        for (Socket slow : messages) {
            String answer = rest(slow);
            assertTrue(answer.startsWith("HTTP/1.1 408 ") && answer.contains("body_timeout"), answer);
        }
    }

    /** Whether it may come in is decided before anything of the body is. */
    @Test
    void slowBody_ofAnotherOrigin_isRefusedAtOnce() throws Exception {
        String request = post("/api/sessions", "application/json")
                .replace("\r\nContent-Type", "\r\nOrigin: https://other.example\r\nContent-Type");
        String told = "\"code\":\"forbidden_origin\"";
        StringBuilder answer = new StringBuilder();
        InputStream in = peer(request).getInputStream();
        while (answer.indexOf(told) < 0) {
            int next = in.read();
            assertTrue(next >= 0, answer::toString);
            answer.append((char) next);
        }
        assertTrue(answer.toString().startsWith("HTTP/1.1 403 "), answer::toString);
    }

    /** Asks until it is answered: there is no place until all that nobody reads are dropped. */
    private void awaitPlace(String session) throws Exception {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (send(to("/api/sessions/" + session)).statusCode() == 503) {
            assertTrue(System.nanoTime() < until, "no place comes free");
        }
    }

    @Test
    void unreadTranscripts_holdNobodyUpAndAreDropped() throws Exception {
        HttpResponse<String> made = send(to("/api/sessions").POST(HttpRequest.BodyPublishers.ofString("{}")));
        String session = made.body().replaceFirst(".*\"session_id\":\"([^\"]+)\".*", "$1");
        try (CommandsSocketClient socket = CommandsSocketClient.open(http, server.base(), session)) {
            for (int i = 0; i < 8; i++) {
                int from = socket.size();
                socket.say("/big 1000000");
                socket.awaitKindFrom(from, "run_finished");
            }
        }
        String request = "GET /api/sessions/" + session + " HTTP/1.1\r\nHost: "
                + server.base().getAuthority() + "\r\nConnection: close\r\n\r\n";
        List<Socket> readers = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            readers.add(peer(request));
        }
        othersAreServed();
        awaitPlace(session);
        int busy = 0;
        int cut = 0;
        for (Socket reader : readers) {
            String answer = rest(reader);
            if (answer.startsWith("HTTP/1.1 503 ")) {
                assertTrue(answer.contains("\"busy\"") && answer.contains("Retry-After: "), answer);
                busy++;
            } else {
                assertTrue(answer.startsWith("HTTP/1.1 200 "), answer.substring(0, Math.min(200, answer.length())));
                cut += answer.endsWith("]}\r\n0\r\n\r\n") ? 0 : 1;
            }
        }
        assertTrue(busy > 0, "none was one too many");
        assertTrue(cut > 0, "none was dropped");
        HttpResponse<String> whole = send(to("/api/sessions/" + session));
        assertEquals(200, whole.statusCode());
        assertTrue(whole.body().endsWith("]}"));
    }
}
