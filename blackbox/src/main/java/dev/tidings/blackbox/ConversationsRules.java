package dev.tidings.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The rules of the protocol one by one: every type of event, what memory holds, numbers that are none, odd paths, what a peer
 * says.
 *
 * <p>Public because the tests of other modules extend it. Threads: as JUnit does.
 */
public abstract class ConversationsRules extends ConversationsDeletions {
    private static final int KEPT = 2_000;
    /** All fifteen, each by what really happens. */
    @Test
    @Order(LAST)
    @ResourceLock(FEED)
    void types_allOfThem_comeByWhatHappens() {
        SignedClient owner = SignedClient.newAccount(base());
        EventSocket all = open("/ws", key(), -1);
        String conversation = owner.newSession();
        owner.message(conversation, "hello");
        owner.messageAsync(conversation, "/fail").join();
        owner.message(conversation, "/child hello");
        owner.messageAsync(conversation, "/child /fail").join();
        String slow = owner.newSession();
        CompletableFuture<Answer> turn = owner.messageAsync(slow, "/slow 60000");
        JsonNode started = all.await(event -> is(event, "run.started", slow));
        owner.call("CancelRun", Map.of("runId", started.at("/data/runId").asText()));
        turn.join();
        approvedTool();
        owner.call("DeleteSession", Map.of("sessionId", slow));
        Set<String> types = AsyncApi.document().eventTypes().stream()
                .filter(type -> !type.startsWith("replay."))
                .collect(Collectors.toSet());
        assertEquals(15, types.size());
        for (String type : types) {
            assertFalse(all.awaitType(type).isEmpty());
        }
        Set<String> seen =
                all.frames().stream().map(frame -> frame.get("type").asText()).collect(Collectors.toSet());
        assertEquals(types, seen);
        Set<String> roles = of(all.events(), "message.created").stream()
                .map(event -> event.at("/data/role").asText())
                .collect(Collectors.toSet());
        assertEquals(Set.of("user", "assistant", "tool"), roles);
        for (JsonNode frame : all.frames()) {
            boolean beats = frame.get("type").asText().equals("heartbeat");
            assertNotEquals(beats, frame.has("seq"), frame::toString);
            assertEquals(beats ? 1 : 5, frame.size(), frame::toString);
        }
        assertRising(all.events());
        all.abort();
    }

    /** A tool that a person lets run, in a conversation of its own. */
    private void approvedTool() {
        HttpRequest create = HttpRequest.newBuilder(URI.create(base() + "/api/sessions"))
                .header("Authorization", "Bearer " + key())
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        String session =
                SignedClient.parse(send(create).body()).get("session_id").asText();
        EventSocket watching = open("/conversations/" + session + "/ws", key(), -1);
        try (CommandsSocketClient client = CommandsSocketClient.open(HTTP, base(), session + "?api_key=" + key())) {
            client.say("/tool hammer");
            String approval = client.awaitKind("approval_requested")
                    .at("/payload/approval_id")
                    .asText();
            client.send("{\"type\":\"tool_approval\",\"approval_id\":" + CommandsSocketClient.quoted(approval)
                    + ",\"decision\":\"grant\"}");
            watching.awaitType("run.completed");
        }
        Set<String> labels = of(watching.events(), "run.progress").stream()
                .map(event -> event.at("/data/label").asText())
                .collect(Collectors.toSet());
        assertTrue(labels.containsAll(Set.of("tool_call", "approval_requested", "tool_result")), labels::toString);
        assertEquals(
                1,
                of(watching.events(), "message.created").stream()
                        .filter(event -> event.at("/data/role").asText().equals("tool"))
                        .count());
        watching.abort();
    }

    /** The last events come from memory, whole; what is further back and stored comes from the log, and a loss is told first. */
    @Test
    @Order(LAST)
    @ResourceLock(FEED)
    void memory_moreThanItHolds_isToldAndStoredEventsComeAllTheSame() {
        SignedClient owner = SignedClient.newAccount(base());
        EventSocket all = open("/ws", key(), -1);
        String conversation = owner.newSession();
        long first = all.await(event -> is(event, "conversation.updated", conversation))
                .get("seq")
                .asLong();
        List<String> conversations = new ArrayList<>(List.of(conversation));
        for (int i = 0; i < 19; i++) {
            conversations.add(owner.newSession());
        }
        while (all.events().size() < KEPT + 500) {
            conversations.stream()
                    .map(each -> owner.messageAsync(each, "hello"))
                    .toList()
                    .forEach(CompletableFuture::join);
        }
        String last = owner.newSession();
        owner.message(last, "the last");
        long end = all.await(event -> is(event, "queue.updated", last)
                        && event.at("/data/action").asText().equals("completed"))
                .get("seq")
                .asLong();
        List<JsonNode> expected = upTo(end, all.events());

        JsonNode within = expected.get(expected.size() - 1_000);
        EventSocket recent = open("/ws", key(), within.get("seq").asLong());
        recent.await(event -> event.path("seq").asLong() >= end);
        assertEquals(expected.subList(expected.size() - 999, expected.size()), upTo(end, recent.events()));
        assertFalse(recent.frames().get(0).get("type").asText().startsWith("replay."));

        EventSocket beyond = open("/ws", key(), first - 1);
        beyond.await(event -> event.path("seq").asLong() >= end);
        assertEquals("replay.truncated", beyond.frames().get(0).get("type").asText());
        long oldest = beyond.frames().get(0).at("/data/oldestSeq").asLong();
        List<JsonNode> held = from(oldest, expected);
        assertTrue(held.size() > KEPT - 100 && held.size() <= KEPT, () -> "held: " + held.size());
        assertEquals(held, from(oldest, upTo(end, beyond.events())));
        assertEquals(stored(expected), stored(upTo(end, beyond.events())));
        assertRising(beyond.events());

        String path = "/events/recent?limit=2000&api_key=" + key() + "&since=";
        assertTrue(SignedClient.parse(get(path + (first - 1), "").body())
                .get("truncated")
                .asBoolean());
        JsonNode page =
                SignedClient.parse(get(path + within.get("seq").asLong(), "").body());
        assertFalse(page.get("truncated").asBoolean());
        assertEquals(
                upTo(end, recent.events()),
                upTo(
                        end,
                        StreamSupport.stream(page.get("events").spliterator(), false)
                                .toList()));
        List.of(all, recent, beyond).forEach(EventSocket::abort);
    }

    private static List<JsonNode> upTo(long seq, List<JsonNode> events) {
        return events.stream().filter(event -> event.get("seq").asLong() <= seq).toList();
    }

    private static List<JsonNode> from(long seq, List<JsonNode> events) {
        return events.stream().filter(event -> event.get("seq").asLong() >= seq).toList();
    }

    /** One rule for an answer and a stream: the header, then since, then lastEventSeq; each must be a number. */
    @Test
    void recent_numbersInSeveralPlaces_theHeaderWins() {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        EventSocket socket = open("/conversations/" + conversation + "/ws", key(), 0);
        owner.message(conversation, "hello");
        socket.awaitType("run.completed");
        List<Long> seqs = seqs(socket.events());
        String path = "/events/recent?conversationId=" + conversation + "&api_key=" + key();
        assertEquals(
                seqs.get(3),
                firstBehind(path + "&since=" + seqs.get(0), seqs.get(2).toString()));
        assertEquals(seqs.get(1), firstBehind(path + "&since=" + seqs.get(0) + "&lastEventSeq=" + seqs.get(2), ""));
        assertEquals(seqs.get(3), firstBehind(path + "&lastEventSeq=" + seqs.get(2), ""));
        assertEquals(
                seqs.get(0),
                SignedClient.parse(recent(path, "", "").body())
                        .at("/events/0/seq")
                        .asLong());
        for (String accept : List.of("application/json", "text/event-stream")) {
            for (String wrong :
                    List.of("&since=x", "&since=0&lastEventSeq=x", "&since=-1", "&limit=0", "&limit=2001")) {
                assertEquals(400, recent(path + wrong, accept, "0").statusCode(), wrong);
            }
            for (String wrong : List.of("abc", "-1", "9007199254740992")) {
                HttpResponse<String> answer = recent(path + "&since=0", accept, wrong);
                assertEquals(400, answer.statusCode(), wrong);
                assertEquals(
                        "{\"type\":\"error\",\"code\":\"bad_request\",\"message\":\"A parameter is wrong\"}",
                        answer.body());
            }
        }
        socket.abort();
    }

    /** The first number that an answer gives, which is also the first that a stream does. */
    private long firstBehind(String path, String lastEventId) {
        long answered = SignedClient.parse(recent(path, "", lastEventId).body())
                .at("/events/0/seq")
                .asLong();
        List<String> lines = stream(path, lastEventId.isEmpty() ? null : lastEventId, "data: ");
        assertEquals("id: " + answered, lines.get(lines.size() - 2));
        return answered;
    }

    private HttpResponse<String> recent(String path, String accept, String lastEventId) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base() + path));
        if (!accept.isEmpty()) {
            request.header("Accept", accept);
        }
        if (!lastEventId.isEmpty()) {
            request.header("Last-Event-ID", lastEventId);
        }
        return send(request.build());
    }

    /** What is no conversation is refused like one that does not exist, and not as if the key were wrong. */
    @Test
    void paths_thatNameNoConversation_areRefusedAsUnknown() {
        Set<Integer> unknown = Set.of(400, 404);
        for (String path : List.of("//ws", "/%20/ws", "/a/b/ws", "///ws", "/none/ws", "/ws")) {
            int status = RawUpgrade.status(base(), "/conversations" + path + "?api_key=" + key(), Map.of());
            assertTrue(unknown.contains(status), () -> path + ": " + status);
        }
        assertEquals(401, RawUpgrade.status(base(), "/conversations/none/ws?api_key=wrong", Map.of()));
        assertEquals(403, RawUpgrade.status(base(), "/ws?api_key=" + key(), Map.of("Origin", "https://evil.example")));
        assertEquals(405, RawUpgrade.status(base(), "POST", "/events/recent?api_key=" + key(), Map.of()));
    }

    /** What a peer says is passed over, up to the size that is allowed everywhere; beyond it the socket is closed. */
    @Test
    void messages_ofAPeer_arePassedOverUpToTheLimit() {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        for (String path : List.of("/ws", "/conversations/" + conversation + "/ws")) {
            EventSocket socket = open(path, key(), -1);
            socket.say("hello");
            socket.say("x".repeat(100 << 10));
            socket.say("é".repeat(128 << 10));
            owner.message(conversation, "still there");
            socket.await(event -> is(event, "run.completed", conversation));
            EventSocket tooMuch = open(path, key(), -1);
            tooMuch.say("x".repeat((256 << 10) + 1));
            assertEquals(1009, tooMuch.awaitClose());
            socket.abort();
        }
    }

    /** Whoever watches is told every quarter of a minute that the server is there, on whatever wire. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = FEED, mode = ResourceAccessMode.READ)
    void heartbeat_onAStream_isAnEventWithoutANumber() {
        List<String> lines = stream("/events/recent?since=9007199254740991&api_key=" + key(), null, "heartbeat");
        assertEquals("data: {\"type\":\"heartbeat\"}", lines.get(lines.size() - 1));
        assertFalse(lines.get(lines.size() - 2).startsWith("id: "), lines::toString);
    }
}
