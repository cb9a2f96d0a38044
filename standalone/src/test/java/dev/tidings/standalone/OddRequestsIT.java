package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Law 9: whatever is asked, and however, the answer is one of ours: JSON with a stable code, and {@code Allow} is true. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(60)
class OddRequestsIT {
    private static final String AUTH = "tidings.commands.auth";
    private static final String HEARTBEAT = "tidings.heartbeat.interval";

    private Server server;
    private String key;
    private String session;
    private Path directory;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        Logging.configure("error");
        System.setProperty(AUTH, "none");
        // Another test's server of this process has left its name; this one is to keep its own.
        System.clearProperty("tidings.node.id");
        // A stream of events shows its head with the first of them.
        System.setProperty(HEARTBEAT, "PT1S");
        directory = data.resolve("data");
        server = Server.start(
                new Options("127.0.0.1", 0, directory, Options.OtherDatabase.NONE, Optional.empty(), false),
                Faces.ofTidings());
        KeyDesk.Answer made = Keys.run(List.of("create", "--data", directory.toString()));
        assertTrue(made.done(), made.text());
        key = made.text();
        session = ask(request("POST", "/api/sessions", "Content-Length: 0"))
                .replaceFirst("(?s).*\"session_id\":\"([^\"]+)\".*", "$1");
    }

    @AfterAll
    void stop() {
        System.clearProperty(AUTH);
        System.clearProperty(HEARTBEAT);
        server.stop();
    }

    private String path(String pattern) {
        return pattern.replace("{key}", "?api_key=" + key).replace("{id}", session);
    }

    private static String request(String method, String path, String... headers) {
        String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        return method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n";
    }

    private String ask(String request) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(request);
            return client.response();
        }
    }

    private static void assertRefusal(int status, String code, String response) {
        assertTrue(response.startsWith("HTTP/1.1 " + status + " "), response);
        assertTrue(response.contains("\r\nContent-Type: application/json"), response);
        assertTrue(response.contains("\r\n\r\n{\"type\":\"error\",\"code\":\"" + code + "\",\"message\":\""), response);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/sessions | GET, POST",
                "/api/sessions/{id} | GET",
                "/agents/api/health | GET, HEAD",
                "/agents/ws | GET",
                "/ws/sessions/{id} | GET",
                "/events/recent{key} | GET",
                "/ws{key} | GET",
                "/conversations/{id}/ws{key} | GET"
            })
    void methods_thatAPathHasNot_areRefusedAndAllowIsTrue(String pattern, String allowed) throws Exception {
        for (String method : List.of("TRACE", "OPTIONS", "DELETE", "PUT", "PATCH", "HEADER", "get")) {
            String response = ask(request(method, path(pattern)));
            assertRefusal(405, "method_not_allowed", response);
            assertTrue(response.contains("\r\nAllow: " + allowed + "\r\n"), response);
        }
    }

    /** Its errors are DAG-CBOR. */
    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "GET", "HEADER"})
    void methods_thatMessagesHaveNot_areRefused(String method) throws Exception {
        String response = ask(request(method, "/agents/api/message"));
        assertTrue(response.startsWith("HTTP/1.1 405 "), response);
        assertTrue(response.contains("\r\nContent-Type: application/cbor"), response);
        assertTrue(
                response.contains("method_not_allowed") && response.contains("\r\nAllow: POST, OPTIONS\r\n"), response);
    }

    @Test
    void health_head_isAnsweredWithoutABody() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(request("HEAD", "/agents/api/health", "Connection: close"));
            assertTrue(client.head().startsWith("HTTP/1.1 200 "));
            assertEquals(0, client.rest().length);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/../",
                "/../api/sessions",
                "/api/sessions/../../x",
                "/%2e%2e/x",
                "/%zz",
                "/%00",
                "/x\\y",
                "/agents",
                "/agents/api",
                "/agents/ws/",
                "/ws/sessions/",
                "/ws/sessions/none",
                "/api/sessions/none",
                "/api/sessions/a/b",
                "/conversations//ws{key}",
                "/events{key}",
                "*"
            })
    void paths_thatAreNone_areNotFound(String pattern) throws Exception {
        for (String method : List.of("GET", "OPTIONS", "TRACE")) {
            String response = ask(request(method, path(pattern)));
            assertTrue(response.startsWith("HTTP/1.1 404 ") || response.startsWith("HTTP/1.1 405 "), response);
            assertRefusal(
                    Integer.parseInt(response.substring(9, 12)),
                    response.startsWith("HTTP/1.1 404 ") ? "not_found" : "method_not_allowed",
                    response);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api/sessions HTTP/1.1\r\n\r\n",
                "GET /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "GET /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n"
            })
    void requests_thatAreNone_areBadRequests(String request) throws Exception {
        assertRefusal(400, "bad_request", ask(request));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/agents/ws", "/ws/sessions/{id}", "/ws{key}", "/conversations/{id}/ws{key}"})
    void sockets_askedForWithoutAnUpgrade_areRefused(String pattern) throws Exception {
        assertRefusal(400, "upgrade_required", ask(request("GET", path(pattern))));
    }

    @Test
    void upgrades_refused_areSaidInJson() throws Exception {
        String local = "Host: localhost";
        assertRefusal(
                404, "not_found", ask(RawClient.upgrade("/ws/sessions/none").replace("Host: test", local)));
        assertRefusal(401, "unauthorized", ask(RawClient.upgrade("/ws?api_key=wrong")));
        assertRefusal(403, "forbidden_host", ask(RawClient.upgrade(path("/ws/sessions/{id}"))));
        assertRefusal(
                400,
                "bad_request",
                ask(RawClient.upgrade(path("/ws/sessions/{id}?cursor=x")).replace("Host: test", local)));
        assertRefusal(
                400, "upgrade_required", ask(RawClient.upgrade("/agents/ws").replace("Version: 13", "Version: 8")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "", "x", "1.5", "%201", "9007199254740992", "99999999999999999999"})
    void limits_thatAreNone_areBadRequests(String limit) throws Exception {
        for (String pattern : List.of("/api/sessions/{id}?", "/api/sessions?", "/events/recent{key}&")) {
            assertRefusal(400, "bad_request", ask(request("GET", path(pattern) + "limit=" + limit)));
        }
        assertRefusal(400, "bad_request", ask(request("GET", path("/api/sessions/{id}?cursor=-1"))));
    }

    @Test
    void limits_fromOne_areTaken() throws Exception {
        for (String pattern : List.of("/api/sessions/{id}?", "/api/sessions?", "/events/recent{key}&")) {
            try (RawClient client = new RawClient(server.port())) {
                client.send(request("GET", path(pattern) + "limit=1", "Connection: close"));
                assertTrue(client.head().startsWith("HTTP/1.1 200 "), pattern);
            }
        }
    }

    @Test
    void events_thatAreNotAcceptable_areAnAnswer() throws Exception {
        for (String accept : List.of("text/event-stream;q=0", "*/*", "text/event-stream;q=0.1, application/json")) {
            String response = ask(request("GET", path("/events/recent{key}"), "Accept: " + accept));
            assertTrue(response.contains("\r\nContent-Type: application/json"), response);
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send(request("GET", path("/events/recent{key}"), "Accept: text/event-stream, */*;q=0.1"));
            String head = client.head();
            assertTrue(head.contains("\r\nContent-Type: text/event-stream"), head);
        }
    }

    /** Law 9: the reason of a close is a text of ours, whoever draws the line. */
    @ParameterizedTest
    @CsvSource({
        "/agents/ws, 2147483648",
        "/agents/ws, 1000000",
        "/ws/sessions/{id}, 2147483648",
        "/ws/sessions/{id}, 1000000",
        "/ws{key}, 2147483648",
        "/ws{key}, 1000000",
        "/conversations/{id}/ws{key}, 2147483648"
    })
    void message_tooLarge_closesWithOurReason(String pattern, long size) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send(RawClient.upgrade(path(pattern)).replace("Host: test", "Host: localhost"));
            String head = client.head();
            assertTrue(head.startsWith("HTTP/1.1 101 "), head);
            if (size <= 1_000_000) {
                client.send(RawClient.frame(
                        true, 1, "x".repeat((int) size).getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
            } else {
                client.send(ByteBuffer.allocate(14)
                        .put((byte) 0x81)
                        .put((byte) 0xff)
                        .putLong(size)
                        .putInt(0x01020304)
                        .array());
            }
            RawClient.Frame frame = client.frame();
            while (frame.opcode() != 8) {
                frame = client.frame();
            }
            assertEquals(1009, frame.closeCode());
            assertEquals("message is too big", frame.closeReason());
        }
    }

    /** What the server keeps is its owner's alone. */
    @Test
    void data_everyFile_isItsOwnersAlone() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                assertFalse(permissions.substring(3).contains("r"), file.getFileName() + " " + permissions);
            }
        }
        assertTrue(Files.exists(directory.resolve("node-id")));
    }
}
