package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The demo agent's tools, children, journals and plans, over a real database, seen from outside. */
@TestInstance(Lifecycle.PER_CLASS)
class RunTreesIT {

    private RunningServer server;
    private SignedClient owner;

    @BeforeAll
    void start(@TempDir Path data) {
        server = RunningServer.start(data);
        owner = SignedClient.newAccount(server.base());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private List<JsonNode> runs(String member, String id) {
        List<JsonNode> runs = new ArrayList<>();
        owner.call("ListRuns", Map.of(member, id)).get("runs").forEach(runs::add);
        return runs;
    }

    private List<JsonNode> events(String session) {
        List<JsonNode> events = new ArrayList<>();
        owner.call("GetSession", Map.of("sessionId", session)).get("events").forEach(e -> events.add(e.get("event")));
        return events;
    }

    /** Watches a session until its turn is over. */
    private WatchSocket say(String session, String text) {
        WatchSocket socket = owner.open();
        socket.subscribe("sessions/" + session);
        // The state as it is comes first, and is idle too.
        socket.await(frame -> changed(frame, session, "idle"));
        int from = socket.size();
        owner.message(session, text);
        socket.awaitFrom(from, frame -> changed(frame, session, "idle"));
        return socket;
    }

    private static boolean changed(JsonNode frame, String session, String status) {
        return WatchSocket.type(frame).equals("change")
                && frame.get("key").asText().equals("sessions/" + session)
                && frame.get("value").path("status").asText().equals(status);
    }

    @Test
    void child_text_answersInItsOwnSession() {
        String session = owner.newSession();
        say(session, "/child hello there").close();

        List<JsonNode> events = events(session);
        assertEquals(
                List.of("message", "tool_call", "tool_result", "message"),
                events.stream().map(e -> e.get("type").asText()).toList());
        JsonNode output = events.get(2).get("output");
        assertEquals("succeeded", output.get("status").asText());
        assertEquals(
                List.of("hello there", "hello there"),
                events(output.get("sessionId").asText()).stream()
                        .map(e -> e.get("content").asText())
                        .toList());
        JsonNode root = runs("sessionId", session).get(0);
        List<JsonNode> tree = runs("rootRunId", root.get("id").asText());
        assertEquals(2, tree.size());
        assertEquals(1, root.get("childRunCount").asInt());
        assertEquals(1, tree.get(1).get("depth").asInt());
        JsonNode info = owner.call("GetSession", Map.of("sessionId", session)).get("session");
        assertEquals(1, info.get("childSessionCount").asInt());
    }

    @Test
    void plan_steps_areShownAndSettled() {
        String session = owner.newSession();
        WatchSocket socket = say(session, "/plan 3");
        List<String> first = socket.frames().stream()
                .filter(frame -> frame.path("value").path("plan").has("steps"))
                .map(frame -> frame.get("value")
                        .get("plan")
                        .get("steps")
                        .get(0)
                        .get("status")
                        .asText())
                .toList();
        socket.close();

        // A state may be replaced by the next one before it is sent; none goes back.
        assertEquals("done", first.get(first.size() - 1));
        assertEquals(first.lastIndexOf("running") + 1, first.indexOf("done"), first::toString);
        JsonNode run = runs("sessionId", session).get(0);
        assertTrue(run.get("plan").has("settledAt"), run::toString);
    }

    @Test
    void journal_andBig_areStored() {
        String session = owner.newSession();
        say(session, "/journal 50").close();

        assertEquals(
                "succeeded", runs("sessionId", session).get(0).get("status").asText());
        assertEquals(
                "The journal has 50 more entries.",
                events(session).get(1).get("content").asText());
    }

    /** Law 10: an approval that waits ends with its run. */
    @Test
    void tool_stoppedWhileItAsks_expiresWithTheRun() {
        String session = owner.newSession();
        JsonNode answer = owner.message(session, "/tool rm");
        assertEquals("", answer.get("assistantEventId").asText());
        assertEquals("waiting", runs("sessionId", session).get(0).get("status").asText());

        assertTrue(owner.call("StopSession", Map.of("sessionId", session))
                .get("stopped")
                .asBoolean());

        assertEquals(
                List.of("message", "approval_requested", "approval_expired"),
                events(session).stream().map(e -> e.get("type").asText()).toList());
        assertEquals("canceled", runs("sessionId", session).get(0).get("status").asText());
    }
}
