package dev.tidings.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What any server must do for those who watch conversations, seen from outside. The server answers with the demo agent.
 *
 * <p>Public because the tests of other modules extend it. Threads: as JUnit does.
 */
public abstract class ConversationsSuite extends ConversationsRules {
    @Test
    void socket_turn_showsItFromTheQueueToTheEnd() {
        SignedClient owner = SignedClient.newAccount(base());
        EventSocket all = open("/ws", key(), -1);
        String conversation = owner.newSession();
        EventSocket one = open("/conversations/" + conversation + "/ws", key(), -1);
        owner.message(conversation, "hello there");
        all.await(event -> is(event, "run.completed", conversation));
        one.awaitType("run.completed");
        List<JsonNode> events = of(all, conversation);
        assertRising(all.events());
        assertTrue(of(events, "conversation.updated").get(0).at("/data/created").asBoolean());
        assertEquals(
                "hello there",
                of(events, "message.created").get(0).at("/data/content").asText());
        assertEquals(
                "user", of(events, "message.created").get(0).at("/data/role").asText());
        JsonNode answer = of(events, "message.created").get(1);
        assertEquals("assistant", answer.at("/data/role").asText());
        StringBuilder text = new StringBuilder();
        of(events, "message.delta").forEach(delta -> {
            assertEquals(answer.at("/data/messageId"), delta.at("/data/messageId"));
            text.append(delta.at("/data/delta").asText());
        });
        assertEquals(answer.at("/data/content").asText(), text.toString());
        assertEquals(1, of(events, "run.started").size());
        Set<String> queue = new HashSet<>();
        of(events, "queue.updated")
                .forEach(change -> queue.add(change.at("/data/action").asText()));
        assertTrue(queue.containsAll(Set.of("added", "started")), () -> "only " + queue);
        // Each may be ahead of the other by what follows the end of the run.
        one.events()
                .forEach(event -> all.await(
                        shown -> shown.path("seq").asLong() == event.get("seq").asLong()));
        all.abort();
        one.abort();
    }

    @Test
    void socket_failureAndChild_areShown() {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        EventSocket socket = open("/conversations/" + conversation + "/ws", key(), -1);
        owner.messageAsync(conversation, "/fail").join();
        JsonNode failed = socket.awaitType("run.failed");
        assertFalse(failed.at("/data/error/code").asText().isEmpty());
        assertFalse(failed.toString().contains("at dev.tidings"));
        owner.message(conversation, "/child hello");
        JsonNode started = socket.awaitType("subagent.started");
        JsonNode message = socket.awaitType("subagent.message.created");
        JsonNode completed = socket.awaitType("subagent.completed");
        assertEquals(started.at("/data/runId"), completed.at("/data/runId"));
        assertEquals(started.at("/data/childConversationId"), message.at("/data/childConversationId"));
        socket.abort();
    }

    /** Law 1, over and over: back every 60 ms with the last number, in the middle of deltas. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    @ResourceLock(value = FEED, mode = ResourceAccessMode.READ)
    void socket_reconnectingThroughARun_endsWithTheListOfOneThatNeverLeft() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        String path = "/conversations/" + conversation + "/ws";
        EventSocket steady = open(path, key(), 0);
        JsonNode first = steady.awaitType("conversation.updated");
        CompletableFuture<Answer> turn = owner.messageAsync(conversation, "/stream 500 20 10");
        List<JsonNode> pieces = new ArrayList<>(List.of(first));
        long last = first.get("seq").asLong();
        int visits = 0;
        while (!turn.isDone()) {
            EventSocket visit = open(path, key(), last);
            // How long a visit lasts, not how long something takes.
            TimeUnit.MILLISECONDS.sleep(60);
            visit.abort();
            List<JsonNode> events = visit.events();
            pieces.addAll(events);
            assertTrue(
                    visit.frames().stream()
                            .noneMatch(frame -> frame.path("type").asText().startsWith("replay.")),
                    () -> "told " + visit.frames().get(0));
            last = events.isEmpty()
                    ? last
                    : events.get(events.size() - 1).get("seq").asLong();
            visits++;
        }
        steady.awaitType("run.completed");
        long end = steady.await(frame -> is(frame, "queue.updated", conversation)
                        && frame.at("/data/action").asText().equals("completed"))
                .get("seq")
                .asLong();
        EventSocket finish = open(path, key(), last);
        finish.await(frame -> true);
        long lastSeen = last;
        if (lastSeen < end) {
            finish.await(frame -> frame.path("seq").asLong() >= end);
        }
        pieces.addAll(finish.events());
        List<JsonNode> expected = steady.events().stream()
                .filter(event -> event.get("seq").asLong() <= end)
                .toList();
        assertEquals(
                expected,
                pieces.stream()
                        .filter(event -> event.get("seq").asLong() <= end)
                        .toList());
        assertTrue(visits > 5, "only " + visits + " visits");
        steady.abort();
        finish.abort();
    }

    @Test
    void socket_manyConversations_oneRisingFeed() {
        SignedClient owner = SignedClient.newAccount(base());
        String agent = owner.newAgent();
        EventSocket all = open("/ws", key(), -1);
        List<String> conversations = new ArrayList<>();
        List<CompletableFuture<Answer>> turns = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String conversation = owner.newSession(agent);
            conversations.add(conversation);
            turns.add(owner.messageAsync(conversation, "hello " + i));
        }
        for (CompletableFuture<Answer> turn : turns) {
            assertEquals(200, turn.join().status());
        }
        for (String conversation : conversations) {
            all.await(event -> is(event, "run.completed", conversation));
        }
        assertRising(all.events());
        for (String conversation : conversations) {
            assertEquals(2, of(of(all, conversation), "message.created").size());
        }
        all.abort();
    }

    @Test
    @Order(LAST)
    @ResourceLock(FEED)
    void socket_afterARestart_goesOn() {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        String path = "/conversations/" + conversation + "/ws";
        EventSocket before = open(path, key(), 0);
        owner.message(conversation, "before");
        before.awaitType("run.completed");
        List<JsonNode> shown = before.events();
        List<JsonNode> stored = new ArrayList<>(stored(shown));
        long last = shown.get(shown.size() - 1).get("seq").asLong();
        restart();
        EventSocket after = open(path, key(), last);
        owner.at(base()).message(conversation, "after");
        after.awaitType("run.completed");
        after.events().forEach(event -> assertTrue(event.get("seq").asLong() > last, "used again"));
        stored.addAll(stored(after.events()));
        EventSocket whole = open(path, key(), 0);
        long end = stored.get(stored.size() - 1).get("seq").asLong();
        whole.await(frame -> frame.path("seq").asLong() >= end);
        assertEquals(
                stored,
                stored(whole.events()).stream()
                        .filter(event -> event.get("seq").asLong() <= end)
                        .toList());
        after.abort();
        whole.abort();
    }

    @Test
    void key_wrongMissingOrRevoked_neverSeesAByte() {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        for (String path : List.of("/ws", "/conversations/" + conversation + "/ws")) {
            assertEquals(401, EventSocket.handshake(base(), path));
            assertEquals(401, EventSocket.handshake(base(), path + "?api_key=wrong"));
            assertEquals(401, EventSocket.handshake(base(), path, "Authorization", "Bearer wrong"));
            assertEquals(101, EventSocket.handshake(base(), path, "Authorization", "Bearer " + key()));
        }
        assertNothing("");
        assertNothing("api_key=wrong");
        // A key is more than its beginning, and more than what its parts have in common with another.
        assertNothing("api_key=" + key().substring(0, key().length() - 1));
    }

    /** Law 6: whoever watches with a key sees nothing of what comes behind its revocation. */
    @Test
    @Order(LAST)
    @ResourceLock(FEED)
    void key_revoked_endsWhatIsOpenAndOpensNothing() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        String revoked = newKey();
        EventSocket socket = open("/ws", revoked, -1);
        EventSocket one = open("/conversations/" + conversation + "/ws", revoked, -1);
        HttpResponse<InputStream> stream = HTTP.send(
                HttpRequest.newBuilder(URI.create(base() + "/events/recent?since=0&conversationId=" + conversation
                                + "&api_key=" + revoked))
                        .header("Accept", "text/event-stream")
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertEquals(200, stream.statusCode());
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
        owner.message(conversation, "seen");
        socket.awaitType("run.completed");
        one.awaitType("run.completed");
        String line = "";
        while (!line.contains("\"seen\"")) {
            line = Objects.requireNonNull(lines.readLine(), "the stream ended");
        }
        revoke(revoked);
        owner.message(conversation, "unseen");
        assertEquals(4401, socket.awaitClose());
        assertEquals(4401, one.awaitClose());
        // To its end, which is the server's doing.
        String rest = lines.lines().collect(Collectors.joining("\n"));
        assertFalse(rest.contains("unseen"), rest);
        assertTrue(rest.stripTrailing().endsWith(": 4401 a valid key is required"), rest);
        assertFalse((socket.frames() + " " + one.frames()).contains("unseen"));
        assertEquals(401, EventSocket.handshake(base(), "/ws?api_key=" + revoked));
        assertNothing("api_key=" + revoked);
    }

    @Test
    void key_ofOneConversation_seesThatAlone() {
        SignedClient owner = SignedClient.newAccount(base());
        String mine = owner.newSession();
        String other = owner.newSession();
        String key = newKey("--session", mine);
        EventSocket socket = open("/ws", key, -1);
        assertEquals(404, EventSocket.handshake(base(), "/conversations/" + other + "/ws?api_key=" + key));
        assertEquals(404, EventSocket.handshake(base(), "/conversations/none/ws?api_key=" + key()));
        owner.message(other, "not for this key");
        owner.message(mine, "for this key");
        socket.awaitType("run.completed");
        // Read once: the queue's end comes behind it.
        List<JsonNode> events = socket.events();
        assertEquals(events, events.stream().filter(event -> isOf(event, mine)).toList());
        socket.abort();
    }

    @Test
    void socket_numberThatIsNone_isRefused() {
        for (String number : List.of("x", "-1", "1.5", "9007199254740992", "")) {
            String query = "?api_key=" + key() + "&lastEventSeq=" + number;
            assertEquals(400, EventSocket.handshake(base(), "/ws" + query));
            assertEquals(
                    400,
                    get("/events/recent?api_key=" + key() + "&since=" + number, "")
                            .statusCode());
        }
        EventSocket above = open("/ws", key(), 9007199254740991L);
        assertTrue(above.awaitType("replay.reset").at("/data").has("latestSeq"));
        above.abort();
    }

    @Test
    void socket_keyAsSubProtocol_isNotEchoed() {
        assertEquals("tidings.conversations", EventSocket.selectedProtocol(base(), "/ws", key()));
    }

    @Test
    void socket_pageOfAnotherSite_isRefused() {
        // The client of the JDK sends no Origin by itself; a stranger's cannot be set, so the answer to a GET counts.
        HttpRequest request = HttpRequest.newBuilder(URI.create(base() + "/events/recent?api_key=" + key()))
                .header("Origin", "https://evil.example")
                .build();
        assertEquals(403, send(request).statusCode());
    }

    @Test
    void recent_paged_isTheSameAsTheSocket() {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        EventSocket socket = open("/conversations/" + conversation + "/ws", key(), 0);
        owner.message(conversation, "hello");
        long end = socket.await(frame -> is(frame, "queue.updated", conversation)
                        && frame.at("/data/action").asText().equals("completed"))
                .get("seq")
                .asLong();
        List<JsonNode> paged = new ArrayList<>();
        long since = 0;
        while (since < end) {
            JsonNode page = SignedClient.parse(get(
                            "/events/recent?limit=3&since=" + since + "&conversationId=" + conversation + "&api_key="
                                    + key(),
                            "")
                    .body());
            assertEquals(List.of(), AsyncApi.document().faultsOfRecentEvents(page));
            assertTrue(page.get("events").size() <= 3);
            assertTrue(page.get("latestSeq").asLong() >= end);
            page.get("events").forEach(paged::add);
            since = paged.get(paged.size() - 1).get("seq").asLong();
        }
        List<JsonNode> events = socket.events();
        assertEquals(
                events.stream()
                        .filter(event -> event.get("seq").asLong() <= end)
                        .toList(),
                paged.stream().filter(event -> event.get("seq").asLong() <= end).toList());
        socket.abort();
    }

    @Test
    void recent_eventStream_resumesByLastEventId() throws Exception {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        owner.message(conversation, "first");
        String path = "/events/recent?conversationId=" + conversation + "&api_key=" + key();
        List<String> first = stream(path + "&since=0", null, "\"first\"");
        String id = first.get(first.size() - 2).substring("id: ".length());
        CompletableFuture<Answer> turn = owner.messageAsync(conversation, "second");
        List<String> second = stream(path, id, "\"second\"");
        turn.join();
        assertTrue(second.stream().anyMatch(line -> line.contains("\"second\"")));
        for (String line : second) {
            if (line.startsWith("id: ")) {
                assertTrue(Long.parseLong(line.substring(4)) > Long.parseLong(id));
            }
        }
    }
}
