package dev.tidings.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What any server must do for a client of the session commands API, seen from outside. The server answers with the demo
 * agent and asks for no key.
 *
 * <p>Public because the tests of other modules extend it. Threads: as JUnit does.
 */
public abstract class CommandsSuite {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CANCEL = "{\"type\":\"cancel\"}";

    // As browsers do: see SignedClient.
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Where the server is, without a slash at the end. */
    protected abstract URI base();

    /** Each answer is what the AsyncAPI document says. */
    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            assertEquals(List.of(), AsyncApi.document().faultsOfSessionsAnswer(nameOf(answer), json(answer)));
            return answer;
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static String nameOf(HttpResponse<String> answer) {
        if (answer.statusCode() == 201) {
            return "sessionMade";
        }
        if (answer.statusCode() != 200) {
            return "httpRefusal";
        }
        return answer.uri().getPath().endsWith("/api/sessions") ? "sessionList" : "sessionTranscript";
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(base() + path));
    }

    private static JsonNode json(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + response.body(), e);
        }
    }

    private String newSession() {
        HttpResponse<String> made =
                send(to("/api/sessions").POST(HttpRequest.BodyPublishers.ofString("{\"title\":\"lesson\"}")));
        assertEquals(201, made.statusCode(), made.body());
        assertEquals("lesson", json(made).get("title").asText());
        return json(made).get("session_id").asText();
    }

    private CommandsSocketClient open(String path) {
        return CommandsSocketClient.open(http, base(), path);
    }

    private List<JsonNode> stored(String session) {
        return stored(session, "");
    }

    private List<JsonNode> stored(String session, String query) {
        HttpResponse<String> read = send(to("/api/sessions/" + session + query));
        assertEquals(200, read.statusCode(), read.body());
        List<JsonNode> events = new ArrayList<>();
        json(read).get("events").forEach(events::add);
        return events;
    }

    private static List<String> kinds(List<JsonNode> events) {
        return events.stream().map(event -> event.get("kind").asText()).toList();
    }

    private static List<Long> cursors(List<JsonNode> events) {
        return events.stream().map(event -> event.get("cursor").asLong()).toList();
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }

    private static String deltas(List<JsonNode> events) {
        return events.stream()
                .filter(event -> event.get("kind").asText().equals("text_delta"))
                .map(event -> event.get("payload").get("content").asText())
                .collect(Collectors.joining());
    }

    /** A turn, as the three programs of the lesson see it: every event stored, in order, and the deltas its message. */
    @Test
    void turn_watchedLive_isWhatIsStored() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session)) {
            socket.say("show the event path");
            socket.awaitKind("run_finished");
            List<JsonNode> events = socket.events();
            List<String> kinds = kinds(events);
            assertEquals(List.of("user_message", "run_started", "text_delta"), kinds.subList(0, 3));
            assertEquals(List.of("assistant_message", "run_finished"), kinds.subList(kinds.size() - 2, kinds.size()));
            assertEquals(upTo(events.size()), cursors(events));
            assertEquals(
                    deltas(events),
                    events.get(events.size() - 2).get("payload").get("content").asText());
            assertEquals("completed", last(events).get("payload").get("reason").asText());
            assertEquals(events, stored(session));
        }
    }

    private static JsonNode last(List<JsonNode> events) {
        return events.get(events.size() - 1);
    }

    /** Something that is said, and what a client does upon the first event of a kind; empty for nothing. */
    private record Scene(String say, String upon, String send) {}

    private static final List<Scene> SCENES = List.of(
            new Scene("the quick brown fox jumps over the lazy dog", "", ""),
            new Scene("/tool search", "approval_requested", "grant"),
            new Scene("/tool search", "approval_requested", "deny"),
            new Scene("/tool search", "approval_requested", CANCEL),
            new Scene("/stream 1000 10 20", "text_delta", CANCEL),
            new Scene("/slow 60000", "run_started", CANCEL),
            new Scene("/child a little help", "", ""),
            new Scene("/fail", "", ""));

    /** Law 12: from every cursor on, live and replayed events are the same, and so is what a page makes of them. */
    @Test
    void replay_ofRunsOfEveryKind_fromEveryCursor_isTheRest() {
        String session = newSession();
        try (CommandsSocketClient live = open(session)) {
            SCENES.forEach(scene -> play(live, scene));
            List<JsonNode> all = live.events();
            assertEquals(upTo(all.size()), cursors(all));
            Map<String, String> shown = shown(all);
            for (int cut = 0; cut <= all.size(); cut++) {
                List<JsonNode> rest = all.subList(cut, all.size());
                assertEquals(rest, stored(session, "?cursor=" + cut));
                assertEquals(rest.subList(0, Math.min(2, rest.size())), stored(session, "?limit=2&cursor=" + cut));
                try (CommandsSocketClient again = open(session + "?cursor=" + cut)) {
                    if (!rest.isEmpty()) {
                        JsonNode end = last(all);
                        again.await(end::equals);
                        assertEquals(rest, again.events());
                        // A page that was cut off there, and one that is sent what it has once more.
                        List<JsonNode> resumed = new ArrayList<>(all.subList(0, cut));
                        resumed.addAll(again.events());
                        assertEquals(shown, shown(resumed), "cut at " + cut);
                        List<JsonNode> repeated = new ArrayList<>(all.subList(0, cut));
                        repeated.addAll(stored(session, "?cursor=" + cut / 2));
                        assertEquals(shown, shown(repeated), "repeated at " + cut);
                    }
                }
            }
        }
    }

    private static void play(CommandsSocketClient live, Scene scene) {
        int from = live.size();
        live.say(scene.say());
        if (!scene.upon().isEmpty()) {
            JsonNode event = live.awaitKindFrom(from, scene.upon());
            live.send(
                    scene.send().equals(CANCEL)
                            ? CANCEL
                            : approval(event.get("payload").get("approval_id").asText(), scene.send()));
        }
        live.awaitKindFrom(from, "run_finished");
    }

    /**
     * What a page shows of the events that it was sent, some of them twice: by message, tool, approval and run what it says
     * last; the text in progress, which the whole message takes the place of.
     */
    private static Map<String, String> shown(List<JsonNode> events) {
        Map<String, JsonNode> once = new LinkedHashMap<>();
        events.forEach(event -> once.put(event.get("event_id").asText(), event));
        Map<String, String> shown = new LinkedHashMap<>();
        StringBuilder temporary = new StringBuilder();
        once.values().stream()
                .sorted(Comparator.comparingLong(event -> event.get("cursor").asLong()))
                .forEach(event -> show(event, shown, temporary));
        shown.put("in progress", temporary.toString());
        return shown;
    }

    private static void show(JsonNode event, Map<String, String> shown, StringBuilder temporary) {
        JsonNode payload = event.get("payload");
        String kind = event.get("kind").asText();
        switch (kind) {
            case "text_delta" -> temporary.append(payload.get("content").asText());
            case "assistant_message", "user_message" -> {
                shown.put(event.get("event_id").asText(), payload.toString());
                if (kind.equals("assistant_message")) {
                    temporary.setLength(0);
                }
            }
            case "tool_started", "tool_finished" ->
                shown.put("tool " + payload.get("tool_call_id").asText(), kind);
            case "run_started", "run_finished" ->
                shown.put("run " + payload.get("run_id").asText(), payload.toString());
            default -> shown.put("approval " + payload.path("approval_id").asText(), kind);
        }
    }

    @Test
    void cancel_inMidText_keepsTheTextAndEndsOnce() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session);
                CommandsSocketClient other = open(session)) {
            socket.say("/stream 1000 10 20");
            other.awaitKind("text_delta");
            other.send(CANCEL);
            JsonNode end = socket.awaitKind("run_finished");
            assertEquals("cancelled", end.get("payload").get("reason").asText());
            List<JsonNode> events = stored(session);
            assertEquals(end, last(events));
            JsonNode message = events.get(events.size() - 2);
            assertEquals("assistant_message", message.get("kind").asText());
            assertTrue(message.get("payload").get("interrupted").asBoolean());
            assertEquals(deltas(events), message.get("payload").get("content").asText());
            assertEquals(upTo(events.size()), cursors(events));
            int before = other.size();
            other.send(CANCEL);
            other.awaitError(before, "no_active_run");
            assertEquals(events, stored(session));
        }
    }

    @Test
    void cancel_beforeAnyText_endIsTheNextEvent() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session)) {
            socket.say("/slow 60000");
            socket.awaitKind("run_started");
            socket.send(CANCEL);
            socket.awaitKind("run_finished");
            assertEquals(List.of("user_message", "run_started", "run_finished"), kinds(socket.events()));
        }
    }

    /** The tool is the work of a child run, which ends with it, in its own session. */
    @Test
    void cancel_inARunningTool_endsBothOnce() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session);
                CommandsSocketClient other = open(session)) {
            socket.say("/child /slow 60000");
            socket.awaitKind("tool_started");
            String child = newestBut(session);
            try (CommandsSocketClient below = open(child)) {
                below.awaitKind("run_started");
                other.send(CANCEL);
                other.send(CANCEL);
                assertEquals(
                        "cancelled",
                        socket.awaitKind("run_finished")
                                .get("payload")
                                .get("reason")
                                .asText());
                assertEquals(
                        "cancelled",
                        below.awaitKind("run_finished")
                                .get("payload")
                                .get("reason")
                                .asText());
                other.awaitError(0, "no_active_run");
                assertEquals(
                        List.of("user_message", "run_started", "tool_started", "run_finished"), kinds(stored(session)));
                assertEquals(1, ends(stored(child)));
            }
        }
    }

    private static long ends(List<JsonNode> events) {
        return kinds(events).stream().filter("run_finished"::equals).count();
    }

    /** The session in which something happened last, when it is another one; there is no signal for that. */
    private String newestBut(String session) {
        for (int i = 0; i < 1_000; i++) {
            String newest = json(send(to("/api/sessions?limit=1")))
                    .get("sessions")
                    .get(0)
                    .get("session_id")
                    .asText();
            if (!newest.equals(session)) {
                return newest;
            }
        }
        throw new AssertionError("no child has begun");
    }

    @Test
    void messages_whileARunIsActive_waitTheirTurn() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session)) {
            socket.say("/slow 60000");
            socket.awaitKind("run_started");
            socket.say("second");
            socket.await(event -> event.path("payload").path("content").asText().equals("second"));
            socket.send(CANCEL);
            socket.await(event -> event.path("payload").path("reason").asText().equals("completed"));
            List<JsonNode> events = socket.events();
            assertEquals(upTo(events.size()), cursors(events));
        }
    }

    /** Law 11. */
    @Test
    void messageId_repeated_isTheFirstMessage() {
        String session = newSession();
        String message = "{\"type\":\"user_message\",\"content\":\"once\",\"message_id\":\"m1\"}";
        try (CommandsSocketClient socket = open(session);
                CommandsSocketClient other = open(session)) {
            socket.send(message);
            other.send(message);
            socket.send(message);
            socket.awaitKind("run_finished");
            int before = socket.size();
            socket.send(message.replace("once", "twice"));
            socket.awaitError(before, "message_id_reused");
            List<JsonNode> events = stored(session);
            assertEquals(
                    1, kinds(events).stream().filter("user_message"::equals).count());
            assertEquals("m1", events.get(0).get("payload").get("message_id").asText());
        }
    }

    @Test
    void approval_grantedTwiceAndDenied_isDecidedOnce() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session);
                CommandsSocketClient other = open(session)) {
            socket.say("/tool search");
            String id = other.awaitKind("approval_requested")
                    .get("payload")
                    .get("approval_id")
                    .asText();
            socket.send(approval("nobody", "grant"));
            socket.awaitError(0, "unknown_approval");
            other.send(approval(id, "grant"));
            JsonNode granted = socket.awaitKind("approval_granted");
            assertEquals(id, granted.get("payload").get("approval_id").asText());
            int before = socket.size();
            socket.send(approval(id, "deny"));
            socket.awaitError(before, "approval_already_decided");
            int again = socket.size();
            socket.send(approval(id, "grant"));
            assertEquals(granted, socket.awaitFrom(again, message -> message.equals(granted)));
            socket.awaitKind("run_finished");
            List<String> kinds = kinds(stored(session));
            assertEquals(1, kinds.stream().filter("approval_granted"::equals).count());
            assertTrue(kinds.contains("tool_finished"), kinds::toString);
        }
    }

    @Test
    void approval_denied_toolDoesNotRun() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session)) {
            socket.say("/tool search");
            JsonNode asked = socket.awaitKind("approval_requested");
            socket.send(approval(asked.get("payload").get("approval_id").asText(), "deny"));
            socket.awaitKind("approval_denied");
            socket.awaitKind("run_finished");
            for (JsonNode event : stored(session)) {
                assertFalse(event.get("payload").has("output"), event::toString);
            }
        }
    }

    /** Any end of a run closes its approvals; a reconnecting client sees a pending one by replay. */
    @Test
    void approval_runCancelled_expiresWithIt() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session)) {
            socket.say("/tool search");
            JsonNode asked = socket.awaitKind("approval_requested");
            try (CommandsSocketClient late = open(session)) {
                assertEquals(asked, late.awaitKind("approval_requested"));
                late.send(CANCEL);
                JsonNode expired = late.awaitKind("approval_expired");
                assertEquals(
                        asked.get("payload").get("approval_id"),
                        expired.get("payload").get("approval_id"));
                late.awaitKind("run_finished");
                int before = late.size();
                late.send(approval(asked.get("payload").get("approval_id").asText(), "grant"));
                late.awaitError(before, "approval_already_decided");
            }
        }
    }

    private static String approval(String id, String decision) {
        return "{\"type\":\"tool_approval\",\"approval_id\":\"" + id + "\",\"decision\":\"" + decision + "\"}";
    }

    /** U+0000 is a character like another, whatever the database: it comes back as it was sent. */
    @Test
    void texts_withNul_areKept() {
        HttpResponse<String> made =
                send(to("/api/sessions").POST(HttpRequest.BodyPublishers.ofString("{\"title\":\"a\\u0000b\"}")));
        assertEquals(201, made.statusCode(), made.body());
        assertEquals("a\0b", json(made).get("title").asText());
        String session = json(made).get("session_id").asText();
        String message = "{\"type\":\"user_message\",\"content\":\"x\\u0000y\",\"message_id\":\"m\\u0000\"}";
        try (CommandsSocketClient socket = open(session)) {
            socket.send(message);
            socket.send(message);
            socket.awaitKind("run_finished");
            List<JsonNode> events = stored(session);
            assertEquals("x\0y", events.get(0).get("payload").get("content").asText());
            assertEquals("m\0", events.get(0).get("payload").get("message_id").asText());
            assertEquals(
                    1, kinds(events).stream().filter("user_message"::equals).count());
        }
        assertEquals(
                "a\0b", json(send(to("/api/sessions/" + session))).get("title").asText());
    }

    /** No text that names nothing is an error of the database. */
    @Test
    void names_thatNoneCanHave_nameNothing() {
        for (String agent : List.of("a%00b", "%ff", "none")) {
            int status = send(to("/api/sessions?agent_id=" + agent)).statusCode();
            assertTrue(status == 403 || status == 404, agent + " " + status);
        }
        for (String body : List.of("{\"agent_id\":\"a\\u0000b\"}", "{\"agent_id\":\"" + "x".repeat(300) + "\"}")) {
            int status = send(to("/api/sessions").POST(HttpRequest.BodyPublishers.ofString(body)))
                    .statusCode();
            assertTrue(status == 403 || status == 404, body + " " + status);
        }
        assertEquals(
                400,
                send(to("/api/sessions").POST(HttpRequest.BodyPublishers.ofString("{\"title\":\"\\ud800\"}")))
                        .statusCode());
        assertEquals(400, send(to("/api/sessions?cursor=1:a%00b&limit=x")).statusCode());
        assertEquals(200, send(to("/api/sessions?cursor=1:a%00b")).statusCode());
    }

    /** Law 9: a bad command is answered to its socket alone, and nothing is stored. */
    @Test
    void commands_thatAreNone_areAnsweredToTheirSocketAlone() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session);
                CommandsSocketClient other = open(session)) {
            socket.send("nonsense");
            socket.awaitError(0, "invalid_json");
            int before = socket.size();
            socket.send("");
            socket.awaitError(before, "invalid_json");
            before = socket.size();
            socket.send("{\"type\":\"user_message\",\"content\":\"\\ud800\"}");
            socket.awaitError(before, "invalid_json");
            socket.send("{\"type\":\"tool_approval\",\"approval_id\":\"a\\u0000b\",\"decision\":\"deny\"}");
            socket.awaitError(0, "unknown_approval");
            socket.send("{\"type\":\"dance\"}");
            socket.awaitError(0, "unknown_command");
            socket.send("{\"type\":\"user_message\",\"content\":\"\"}");
            socket.awaitError(0, "invalid_content");
            socket.send(CANCEL);
            socket.awaitError(0, "no_active_run");
            socket.say("hello");
            other.awaitKind("run_finished");
            assertEquals(other.messages(), stored(session));
        }
    }

    @Test
    void failure_isNamed() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session)) {
            socket.say("/fail");
            JsonNode end = socket.awaitKind("run_finished");
            assertEquals("failed", end.get("payload").get("reason").asText());
            assertFalse(end.get("payload").get("error").get("code").asText().isEmpty());
        }
    }

    /** Closing a socket cancels nothing. */
    @Test
    void socketClosed_inMidRun_runGoesOn() {
        String session = newSession();
        try (CommandsSocketClient socket = open(session)) {
            socket.say("/stream 20 5 10");
            socket.awaitKind("text_delta");
        }
        try (CommandsSocketClient late = open(session)) {
            assertEquals(
                    "completed",
                    late.awaitKind("run_finished").get("payload").get("reason").asText());
            assertEquals(100, deltas(late.events()).length());
        }
    }

    @Test
    void sessions_unknownOrOfOthers_are404() {
        assertEquals(404, send(to("/api/sessions/none")).statusCode());
        assertEquals(404, upgrade("/ws/sessions/none", Map.of()));
        assertEquals(400, upgrade("/ws/sessions/" + newSession() + "?cursor=-1", Map.of()));
        assertEquals(
                400, send(to("/api/sessions/" + newSession() + "?cursor=x")).statusCode());
        assertEquals(
                400,
                send(to("/api/sessions").POST(HttpRequest.BodyPublishers.ofString("{\"title\":7}")))
                        .statusCode());
        assertEquals(405, send(to("/api/sessions").DELETE()).statusCode());
    }

    @Test
    void sessions_listed_newestFirstByPages() {
        String first = newSession();
        String second = newSession();
        JsonNode page = json(send(to("/api/sessions?limit=1")));
        assertEquals(1, page.get("sessions").size());
        assertEquals(second, page.get("sessions").get(0).get("session_id").asText());
        String cursor = page.get("next_cursor").asText();
        JsonNode next = json(send(to("/api/sessions?limit=1&cursor=" + cursor.replace(":", "%3A"))));
        assertNotEquals(second, next.get("sessions").get(0).get("session_id").asText());
        assertTrue(json(send(to("/api/sessions"))).toString().contains(first));
    }

    /** Own pages, and whoever is no page, are let in. */
    @Test
    void ownOrigin_isLetIn() {
        String session = newSession();
        String host = base().getHost() + ":" + base().getPort();
        assertEquals(101, upgrade("/ws/sessions/" + session, Map.of()));
        assertEquals(101, upgrade("/ws/sessions/" + session, Map.of("Origin", "http://" + host)));
        assertEquals(
                200,
                RawUpgrade.status(base(), "GET", "/api/sessions/" + session, Map.of("Sec-Fetch-Site", "same-origin")));
    }

    /** What a browser tells of a page of another site; or of one that took this machine's address for its own name. */
    private static List<Map<String, String>> foreign() {
        return List.of(
                Map.of("Origin", "https://evil.example"),
                Map.of("Origin", "null"),
                Map.of("Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"),
                Map.of("Host", "evil.example", "Origin", "http://evil.example"),
                Map.of("Host", "evil.example"),
                Map.of("Sec-Fetch-Site", "cross-site"),
                Map.of("Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors"));
    }

    /** A page of another origin can neither read, nor send, nor approve: refused before the upgrade, and nothing happens. */
    @Test
    void otherOrigins_canNeitherReadNorSendNorApprove() {
        String session = newSession();
        String before = send(to("/api/sessions")).body();
        try (CommandsSocketClient own = open(session)) {
            own.say("/tool search");
            JsonNode asked = own.awaitKind("approval_requested");
            List<JsonNode> events = stored(session);
            for (Map<String, String> page : foreign()) {
                assertEquals(403, upgrade("/ws/sessions/" + session, page), page::toString);
                assertEquals(403, upgrade("/ws/sessions/" + session + "?cursor=0", page), page::toString);
                for (String path : List.of("/api/sessions", "/api/sessions/" + session)) {
                    assertEquals(403, RawUpgrade.status(base(), "GET", path, page), page::toString);
                }
                assertEquals(403, RawUpgrade.status(base(), "POST", "/api/sessions", page), page::toString);
                Map<String, String> preflight = new LinkedHashMap<>(page);
                preflight.put("Access-Control-Request-Method", "POST");
                assertEquals(403, RawUpgrade.status(base(), "OPTIONS", "/api/sessions", preflight), page::toString);
            }
            assertEquals(events, stored(session), "nothing was sent and nothing approved");
            assertEquals(before, send(to("/api/sessions")).body(), "no session was made");
            own.send(approval(asked.get("payload").get("approval_id").asText(), "deny"));
            own.awaitKind("run_finished");
        }
    }

    private int upgrade(String path, Map<String, String> headers) {
        return RawUpgrade.status(base(), path, headers);
    }
}
