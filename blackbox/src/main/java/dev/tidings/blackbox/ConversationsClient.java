package dev.tidings.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What the suites of conversations need of a server, and how they ask it.
 *
 * <p>Public because the tests of other modules extend it. Threads: as JUnit does.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public abstract class ConversationsClient {
    /** Locked by tests that count on what the server's one feed holds; shared by those that run beside others. */
    static final String FEED = "the feed of all conversations";

    /** The place of those that lock it: they would keep the others waiting. */
    static final int LAST = Integer.MAX_VALUE;

    static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** Where the server is, without a slash at the end. */
    protected abstract URI base();

    /** A key that sees everything. */
    protected abstract String key();

    /** Makes a key; the words are those of {@code ./run keys create}. */
    protected abstract String newKey(String... words);

    /** Revokes a key. */
    protected abstract void revoke(String key);

    /** Starts the server again over the same data; {@link #base} may be another one then. */
    protected abstract void restart();

    /** An answer and a stream are refused alike, and what comes says nothing of any event. */
    void assertNothing(String query) {
        for (String accept : List.of("", "text/event-stream")) {
            HttpResponse<String> answer = get("/events/recent?since=0&" + query, accept);
            assertEquals(401, answer.statusCode());
            assertEquals(
                    "{\"type\":\"error\",\"code\":\"unauthorized\",\"message\":\"A valid API key is required\"}",
                    answer.body());
        }
    }

    /** The lines of an event stream, up to one with that text in it. */
    List<String> stream(String path, @Nullable String lastEventId, String until) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base() + path)).header("Accept", "text/event-stream");
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        HttpResponse<InputStream> response = send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        assertEquals(200, response.statusCode());
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.isEmpty()) {
                    lines.add(line);
                }
                if (line.startsWith("data: ")) {
                    JsonNode event = SignedClient.parse(line.substring("data: ".length()));
                    assertEquals(List.of(), AsyncApi.document().faultsOfEvent(event));
                    String id = lines.get(Math.max(0, lines.size() - 2));
                    assertTrue(!event.has("seq") || id.equals("id: " + event.get("seq")), () -> id + " of " + event);
                }
                if (line.contains(until)) {
                    return lines;
                }
            }
        } catch (IOException e) {
            throw new AssertionError("the stream broke after " + lines, e);
        }
        throw new AssertionError("the stream ended: " + lines);
    }

    HttpResponse<String> get(String path, String accept) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base() + path));
        return send(
                accept.isEmpty()
                        ? request.build()
                        : request.header("Accept", accept).build());
    }

    static HttpResponse<String> send(HttpRequest request) {
        return send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body) {
        try {
            return HTTP.send(request, body);
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    EventSocket open(String path, String key, long after) {
        return EventSocket.open(base(), path + "?api_key=" + key + (after < 0 ? "" : "&lastEventSeq=" + after));
    }

    static boolean is(JsonNode event, String type, String conversation) {
        return event.path("type").asText().equals(type) && isOf(event, conversation);
    }

    static boolean isOf(JsonNode event, String conversation) {
        return event.path("conversationId").asText().equals(conversation);
    }

    static List<JsonNode> of(EventSocket socket, String conversation) {
        return socket.events().stream()
                .filter(event -> isOf(event, conversation))
                .toList();
    }

    static List<JsonNode> of(List<JsonNode> events, String type) {
        return events.stream()
                .filter(event -> event.get("type").asText().equals(type))
                .toList();
    }

    /** What is stored whatever is configured. */
    static List<JsonNode> stored(List<JsonNode> events) {
        return events.stream()
                .filter(event -> Set.of("message.created", "run.started", "run.completed")
                        .contains(event.get("type").asText()))
                .toList();
    }

    static List<Long> seqs(List<JsonNode> events) {
        return events.stream().map(event -> event.get("seq").asLong()).toList();
    }

    static void assertRising(List<JsonNode> events) {
        List<Long> seqs = seqs(events);
        for (int i = 1; i < seqs.size(); i++) {
            assertTrue(seqs.get(i) > seqs.get(i - 1), "strictly rising");
        }
    }
}
