package dev.tidings.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What is deleted is gone: nothing of it is shown again, from wherever, and whoever watches it is told and closed.
 *
 * <p>Public because the tests of other modules extend it. Threads: as JUnit does.
 */
public abstract class ConversationsDeletions extends ConversationsClient {

    /** Law 6. */
    @Test
    @Order(LAST)
    @ResourceLock(FEED)
    void deletion_ofASession_isTheLastThatIsSeenOfItAnywhere() {
        SignedClient owner = SignedClient.newAccount(base());
        EventSocket all = open("/ws", key(), -1);
        String conversation = owner.newSession();
        String scoped = newKey("--session", conversation);
        EventSocket one = open("/conversations/" + conversation + "/ws", key(), -1);
        EventSocket ofKey = open("/ws", scoped, -1);
        CompletableFuture<List<String>> stream =
                streamToItsEnd("/events/recent?since=0&conversationId=" + conversation);
        owner.message(conversation, "confidential");
        all.await(event -> is(event, "run.completed", conversation));
        long first = of(all, conversation).get(0).get("seq").asLong();
        owner.call("DeleteSession", Map.of("sessionId", conversation));
        for (EventSocket watching : List.of(one, ofKey)) {
            assertEquals(4404, watching.awaitClose());
            List<JsonNode> events = watching.events();
            assertEquals(
                    "conversation.deleted",
                    events.get(events.size() - 1).get("type").asText());
        }
        List<String> lines = stream.join();
        assertTrue(lines.get(lines.size() - 2).contains("\"conversation.deleted\""), lines::toString);
        assertEquals(": 4404 not found", lines.get(lines.size() - 1));
        all.await(event -> is(event, "conversation.deleted", conversation));
        assertGone(first, conversation);
        assertOpensNothing(conversation, scoped);
        all.abort();
    }

    @Test
    @Order(LAST)
    @ResourceLock(FEED)
    void deletion_ofAnAgent_isThatOfEachOfItsConversations() {
        SignedClient owner = SignedClient.newAccount(base());
        String agent = owner.newAgent();
        EventSocket all = open("/ws", key(), -1);
        List<String> conversations = List.of(owner.newSession(agent), owner.newSession(agent));
        List<EventSocket> watching = new ArrayList<>();
        for (String conversation : conversations) {
            watching.add(open("/conversations/" + conversation + "/ws", key(), -1));
            owner.message(conversation, "confidential");
            all.await(event -> is(event, "run.completed", conversation));
        }
        long first = of(all, conversations.get(0)).get(0).get("seq").asLong();
        owner.call("DeleteAgent", Map.of("agentId", agent));
        for (EventSocket one : watching) {
            assertEquals(4404, one.awaitClose());
            List<JsonNode> events = one.events();
            assertEquals(
                    "conversation.deleted",
                    events.get(events.size() - 1).get("type").asText());
        }
        for (String conversation : conversations) {
            all.await(event -> is(event, "conversation.deleted", conversation));
            assertGone(first, conversation);
        }
        all.abort();
    }

    /** Of all that is replayed from before a conversation on, only its deletion is its. */
    private void assertGone(long first, String conversation) {
        String since = "/events/recent?api_key=" + key() + "&since=" + (first - 1);
        EventSocket again = open("/ws", key(), first - 1);
        JsonNode deletion = again.await(event -> is(event, "conversation.deleted", conversation));
        assertEquals(List.of(deletion), of(again, conversation));
        assertFalse(again.frames().get(0).path("type").asText().startsWith("replay."), "what was deleted is no loss");
        List<JsonNode> recent = new ArrayList<>();
        SignedClient.parse(get(since, "").body()).get("events").forEach(recent::add);
        assertEquals(
                List.of(deletion),
                recent.stream()
                        .filter(event -> event.path("conversationId").asText().equals(conversation))
                        .toList());
        assertRising(recent);
        List<String> lines = stream(since, null, deletion.toString());
        assertEquals(
                1,
                lines.stream()
                        .filter(line ->
                                line.startsWith("data: ") && line.contains("\"conversationId\":\"" + conversation))
                        .count());
        again.abort();
    }

    /** Neither it by its name nor the key that saw nothing else opens anything. */
    private void assertOpensNothing(String conversation, String scoped) {
        String path = "/conversations/" + conversation + "/ws?api_key=";
        assertEquals(404, EventSocket.handshake(base(), path + key()));
        assertEquals(404, EventSocket.handshake(base(), path + scoped));
        assertEquals(404, EventSocket.handshake(base(), "/ws?api_key=" + scoped));
        for (String accept : List.of("", "text/event-stream")) {
            for (String query : List.of("conversationId=" + conversation + "&api_key=" + key(), "api_key=" + scoped)) {
                HttpResponse<String> answer = get("/events/recent?since=0&" + query, accept);
                assertEquals(404, answer.statusCode(), query);
                assertEquals("{\"type\":\"error\",\"code\":\"not_found\",\"message\":\"Not found\"}", answer.body());
            }
        }
    }

    /** All lines of an event stream that the server ends. */
    private CompletableFuture<List<String>> streamToItsEnd(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base() + path + "&api_key=" + key()))
                .header("Accept", "text/event-stream")
                .build();
        return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofLines()).thenApplyAsync(answer -> {
            try (Stream<String> lines = answer.body()) {
                return lines.filter(line -> !line.isEmpty()).collect(Collectors.toList());
            }
        });
    }
}
