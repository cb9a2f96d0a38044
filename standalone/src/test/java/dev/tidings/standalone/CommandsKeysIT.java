package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.demo.DemoData;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The session commands with API keys: presented in three ways, refused before the upgrade, revoked under open sockets. */
class CommandsKeysIT {
    private static final String AUTH = "tidings.commands.auth";

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeEach
    void ask() {
        for (String key : List.of("tidings.agents.enabled", "tidings.commands.enabled")) {
            System.clearProperty(key);
        }
        System.setProperty(AUTH, "api-key");
    }

    @AfterEach
    void unset() {
        System.clearProperty(AUTH);
    }

    private static String newKey(Path data, String... scope) throws Exception {
        List<String> words = new java.util.ArrayList<>(List.of("create", "--data", data.toString()));
        words.addAll(List.of(scope));
        KeyDesk.Answer made = Keys.run(words);
        assertTrue(made.done(), made.text());
        return made.text();
    }

    private String session(Server server, String key) throws Exception {
        HttpResponse<String> made = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/api/sessions"))
                        .header("Authorization", "Bearer " + key)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(201, made.statusCode(), made.body());
        return made.body().replaceFirst(".*\"session_id\":\"([^\"]+)\".*", "$1");
    }

    private static String head(Server server, String path, String... headers) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                    + "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n");
            for (String header : headers) {
                request.append(header).append("\r\n");
            }
            client.send(request + "\r\n");
            return client.head();
        }
    }

    @Test
    void key_presentedInThreeWays_isLetInAndNeverEchoed(@TempDir Path data) throws Exception {
        Server server = Server.start(new Options("127.0.0.1", 0, data, Optional.empty(), false), Faces.ofTidings());
        try {
            String key = newKey(data);
            String path = "/ws/sessions/" + session(server, key);
            String offered = head(server, path, "Sec-WebSocket-Protocol: tidings.commands, bearer." + key);
            for (String head : List.of(
                    offered,
                    head(server, path, "Authorization: Bearer " + key),
                    head(server, path + "?cursor=0&api_key=" + key))) {
                assertTrue(head.startsWith("HTTP/1.1 101"), head);
                assertFalse(head.contains(key), "echoed");
            }
            assertTrue(
                    offered.toLowerCase(java.util.Locale.ROOT).contains("sec-websocket-protocol: tidings.commands"),
                    offered);
            String wrong = key.substring(0, 63) + (key.endsWith("A") ? "E" : "A");
            for (String head : List.of(
                    head(server, path),
                    head(server, path, "Authorization: Bearer " + wrong),
                    head(server, path, "Sec-WebSocket-Protocol: tidings.commands, bearer." + wrong),
                    head(server, path + "?api_key=" + wrong))) {
                assertTrue(head.startsWith("HTTP/1.1 401"), head);
                assertFalse(head.contains(wrong), "echoed");
            }
        } finally {
            server.stop();
        }
    }

    @Test
    void scopes_seeTheirOwn(@TempDir Path data) throws Exception {
        Server server = Server.start(new Options("127.0.0.1", 0, data, Optional.empty(), false), Faces.ofTidings());
        try {
            String all = newKey(data);
            String first = session(server, all);
            String second = session(server, all);
            String one = newKey(data, "--session", first);
            assertTrue(head(server, "/ws/sessions/" + first + "?api_key=" + one).startsWith("HTTP/1.1 101"));
            assertTrue(
                    head(server, "/ws/sessions/" + second + "?api_key=" + one).startsWith("HTTP/1.1 404"));
            String agent = newKey(data, "--agent", DemoData.AGENT);
            assertTrue(
                    head(server, "/ws/sessions/" + second + "?api_key=" + agent).startsWith("HTTP/1.1 101"));
        } finally {
            server.stop();
        }
    }

    /** Law 6: revoked by another process, through the running server. */
    @Test
    void revoked_openSocket_isClosedWith4401(@TempDir Path data) throws Exception {
        Server server = Server.start(new Options("127.0.0.1", 0, data, Optional.empty(), false), Faces.ofTidings());
        try {
            String key = newKey(data);
            CompletableFuture<Integer> closed = new CompletableFuture<>();
            http.newWebSocketBuilder()
                    .header("Authorization", "Bearer " + key)
                    .buildAsync(
                            URI.create("ws://127.0.0.1:" + server.port() + "/ws/sessions/" + session(server, key)),
                            new WebSocket.Listener() {
                                @Override
                                public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
                                    closed.complete(code);
                                    return null;
                                }
                            })
                    .get(30, TimeUnit.SECONDS);
            assertTrue(Keys.run(List.of("revoke", key.substring(4, 20), "--data", data.toString()))
                    .done());
            assertEquals(4401, closed.get(30, TimeUnit.SECONDS));
        } finally {
            server.stop();
        }
    }
}
