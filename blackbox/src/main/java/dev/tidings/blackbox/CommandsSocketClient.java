package dev.tidings.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client's socket at {@code /ws/sessions/{id}}: keeps every message that came, in order, and lets one wait for one that
 * fits. What is not as the AsyncAPI document says fails whoever looks at the messages next.
 *
 * <p>Threads: any.
 */
public final class CommandsSocketClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Received received = new Received(PATIENCE, AsyncApi.document()::faultsOfSessionMessage);

    // Volatile: written once, before the socket is handed out.
    private volatile @Nullable WebSocket socket;

    private CommandsSocketClient() {}

    /** Connects; the path is that behind {@code /ws/sessions/}. */
    public static CommandsSocketClient open(HttpClient http, URI base, String path) {
        CommandsSocketClient client = new CommandsSocketClient();
        client.socket = http.newWebSocketBuilder()
                .connectTimeout(Duration.ofSeconds(10))
                .buildAsync(
                        URI.create(base.toString().replaceFirst("^http", "ws") + "/ws/sessions/" + path),
                        client.received.json())
                .join();
        return client;
    }

    /** Sends a text message. */
    public void send(String text) {
        WebSocket open = socket;
        if (open == null) {
            throw new IllegalStateException("not connected");
        }
        open.sendText(text, true).join();
    }

    /** Sends a message that begins a turn. */
    public void say(String content) {
        send("{\"type\":\"user_message\",\"content\":" + quoted(content) + "}");
    }

    /** A text as JSON. */
    public static String quoted(String text) {
        return JSON.valueToTree(text).toString();
    }

    /** The first message that fits, already here or still to come. */
    public JsonNode await(Predicate<JsonNode> fits) {
        return awaitFrom(0, fits);
    }

    /** The first message that fits among those from index {@code from} on. */
    public JsonNode awaitFrom(int from, Predicate<JsonNode> fits) {
        return received.awaitFrom(from, fits);
    }

    /** The first event of a kind. */
    public JsonNode awaitKind(String kind) {
        return await(message -> message.path("kind").asText().equals(kind));
    }

    /** The first event of a kind among the messages from index {@code from} on. */
    public JsonNode awaitKindFrom(int from, String kind) {
        return awaitFrom(from, message -> message.path("kind").asText().equals(kind));
    }

    /** The first error with a code among the messages from index {@code from} on. */
    public JsonNode awaitError(int from, String code) {
        return awaitFrom(
                from,
                message -> message.path("type").asText().equals("error")
                        && message.path("code").asText().equals(code));
    }

    /** How many messages came. */
    public int size() {
        return messages().size();
    }

    /** Everything that came. */
    public List<JsonNode> messages() {
        return received.all();
    }

    /** The events that came: what has a cursor. */
    public List<JsonNode> events() {
        return messages().stream().filter(message -> message.has("cursor")).toList();
    }

    /** The close code, when it comes. */
    public int awaitClose() {
        return received.awaitClose();
    }

    @Override
    public void close() {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
    }
}
