package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.Head;
import dev.tidings.RunStatus;
import dev.tidings.StreamKey;
import dev.tidings.blackbox.Answer;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.spi.Directory;
import dev.tidings.spi.Directory.RunQuery;
import dev.tidings.spi.EventLog;
import jakarta.enterprise.inject.spi.CDI;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Law 11 over HTTP and a real database, through restarts and lost commits; deletion during a live run. */
@Timeout(180)
class ActionsIT {

    @TempDir
    private Path data;

    private @Nullable Server server;
    private SignedClient owner = SignedClient.newAccount(URI.create("http://127.0.0.1:1"));

    @BeforeAll
    static void quiet() {
        Logging.configure("error");
    }

    @BeforeEach
    void start() {
        Server started = Server.start(new Options("127.0.0.1", 0, data, Optional.empty(), false), Faces.ofTidings());
        server = started;
        owner = owner.at(URI.create("http://127.0.0.1:" + started.port()));
    }

    @AfterEach
    void stop() {
        LossyCommits.LOSE.set(0);
        Server running = server;
        if (running != null) {
            server = null;
            running.stop();
        }
    }

    private void restart() {
        stop();
        start();
    }

    private static Map<String, Object> create(String name, String clientId) {
        return Map.of("definition", Map.of("name", name), "clientRequestId", clientId);
    }

    private static Map<String, Object> say(String session, String text, String clientId) {
        return Map.of(
                "sessionId",
                session,
                "content",
                List.of(Map.of("type", "text", "text", text)),
                "clientMessageId",
                clientId);
    }

    private int agents() {
        return owner.call("ListAgents", Map.of()).get("agents").size();
    }

    private int runs(String session) {
        return runs(session, null);
    }

    private int runs(String session, @Nullable RunStatus status) {
        return CDI.current()
                .select(Directory.class)
                .get()
                .runs(new RunQuery(null, session, null, status, 200))
                .size();
    }

    @Test
    void sameSignatureAndClientId_afterARestart_firstAnswer() {
        byte[] body = owner.signed("CreateAgent", create("A", "r1"));
        Answer first = owner.post(body).join();
        assertEquals(200, first.status());
        restart();
        assertEquals(first, owner.post(body).join());
        assertEquals(first, owner.send("CreateAgent", create("A", "r1")));
        Answer other = owner.send("CreateAgent", create("B", "r1"));
        assertEquals(409, other.status());
        assertEquals("client_id_reused", other.body().get("code").asText());
        assertEquals(1, agents());
    }

    @Test
    void commitThrewAfterItHappened_firstAnswerAndOneEffect() {
        LossyCommits.LOSE.set(1);
        Answer first = owner.send("CreateAgent", create("A", "r1"));
        assertEquals(0, LossyCommits.LOSE.get());
        assertEquals(200, first.status());
        assertEquals(first, owner.send("CreateAgent", create("A", "r1")));
        assertEquals(1, agents());
    }

    @Test
    void message_commitThrewAfterItHappened_oneMessageAndItsTurnsAnswer() {
        String session = owner.newSession();
        LossyCommits.LOSE.set(1);
        Answer first = owner.send("MessageSession", say(session, "hello", "m1"));
        assertEquals(0, LossyCommits.LOSE.get());
        Answer again = owner.send("MessageSession", say(session, "hello", "m1"));

        assertEquals(200, first.status(), () -> first.body().toString());
        assertEquals(first, again);
        assertFalse(first.body().get("assistantEventId").asText().isEmpty());
        assertEquals(1, runs(session));
        assertEquals(List.of("user", "assistant"), roles(session));
    }

    private List<String> roles(String session) {
        List<String> roles = new ArrayList<>();
        for (JsonNode event :
                owner.call("GetSession", Map.of("sessionId", session)).get("events")) {
            roles.add(event.get("event")
                    .path("role")
                    .asText(event.get("event").get("type").asText()));
        }
        return roles;
    }

    @Test
    void message_sameClientIdDuringTheTurn_oneTurnTwoAnswers() {
        String session = owner.newSession();
        CompletableFuture<Answer> first = owner.sendAsync("MessageSession", say(session, "/slow 500", "m1"));
        CompletableFuture<Answer> again = owner.sendAsync("MessageSession", say(session, "/slow 500", "m1"));
        assertEquals(first.join(), again.join());
        assertEquals(200, first.join().status());
        assertEquals(1, runs(session));
    }

    @Test
    void message_cutByARestart_answersWithTheRunsEnd() throws Exception {
        String session = owner.newSession();
        CompletableFuture<Answer> cut = owner.sendAsync("MessageSession", say(session, "/slow 60000", "m1"));
        while (runs(session, RunStatus.RUNNING) == 0) {
            Thread.onSpinWait();
        }
        restart();
        assertTrue(cut.handle((answer, failure) -> true).get(30, TimeUnit.SECONDS));
        Answer answer = owner.send("MessageSession", say(session, "/slow 60000", "m1"));
        assertEquals(502, answer.status(), () -> answer.body().toString());
        assertEquals("interrupted_by_restart", answer.body().get("code").asText());
        assertEquals(answer, owner.send("MessageSession", say(session, "/slow 60000", "m1")));
        assertEquals(1, runs(session));
    }

    /** Law 10: nothing of a run is stored behind the deletion of its session. */
    @Test
    void deleteSession_duringALiveRun_endsItAndLeavesNothing() throws Exception {
        String agent = owner.newAgent();
        String session = owner.newSession(agent);
        CompletableFuture<Answer> turn = owner.sendAsync("MessageSession", say(session, "/stream 10000 10 5", "m1"));
        while (runs(session, RunStatus.RUNNING) == 0) {
            Thread.onSpinWait();
        }
        byte[] delete = owner.signed("DeleteSession", Map.of("sessionId", session));

        Answer deleted = owner.post(delete).join();

        assertEquals(200, deleted.status(), () -> deleted.body().toString());
        assertEquals(agent, deleted.body().get("agentId").asText());
        turn.get(60, TimeUnit.SECONDS);
        assertEquals(404, owner.send("GetSession", Map.of("sessionId", session)).status());
        assertEquals(new Head(0, 0), CDI.current().select(EventLog.class).get().head(StreamKey.session(session)));
        assertEquals(0, runs(session));
        assertEquals(deleted, owner.post(delete).join());
        assertEquals(200, owner.send("DeleteAgent", Map.of("agentId", agent)).status());
        assertEquals(0, agents());
    }

    @Test
    void weirdPaths_any_areNoFaultsOfTheServer() throws Exception {
        Server running = server;
        if (running == null) {
            throw new AssertionError("not started");
        }
        for (String path : List.of(
                "/../",
                "/%00",
                "/agents/../../x",
                "/agents/api/%00",
                "/agents/api/message/%2e%2e/",
                "/%zz",
                "/%",
                "//",
                "/agents/ws;x=1",
                "/agents/%c0%af",
                "/\u0001",
                "*",
                "x")) {
            try (RawClient client = new RawClient(running.port())) {
                client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                String status = client.head().substring(9, 12);
                assertTrue(List.of("400", "404", "405").contains(status), path + " " + status);
            }
        }
    }

    @Test
    void edges_typesMethodsAndOrigins_asPromised() throws Exception {
        Server running = server;
        if (running == null) {
            throw new AssertionError("not started");
        }
        String post = " /api/message HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: https://any.example\r\n";
        Map<String, String> expected = Map.of(
                "POST" + post + "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx", "415",
                "POST" + post + "Content-Length: 1\r\n\r\nx", "415",
                "POST" + post + "Content-Type: application/cbor\r\nContent-Length: 1\r\n\r\nx", "400",
                "POST" + post + "Content-Type: application/cbor\r\nContent-Length: 0\r\n\r\n", "400",
                "GET" + post + "\r\n", "405",
                "OPTIONS" + post + "Access-Control-Request-Method: POST\r\n\r\n", "204");
        for (Map.Entry<String, String> one : expected.entrySet()) {
            try (RawClient client = new RawClient(running.port())) {
                client.send(one.getKey());
                String head = client.head();
                assertEquals(one.getValue(), head.substring(9, 12), one.getKey());
                assertTrue(
                        head.toLowerCase(java.util.Locale.ROOT).contains("access-control-allow-origin: *"),
                        one.getKey());
            }
        }
    }
}
