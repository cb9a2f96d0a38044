package dev.tidings.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client's socket at {@code /ws} or {@code /conversations/{id}/ws}: keeps every frame that came, in order. A frame that the
 * document does not allow fails whoever looks at them.
 *
 * <p>Threads: any.
 */
public final class EventSocket {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Received received = new Received(PATIENCE, AsyncApi.document()::faultsOfEvent);

    // Volatile: written once, before the socket is handed out.
    private volatile @Nullable WebSocket socket;

    private EventSocket() {}

    /** Opens a socket; the key goes the way that is asked for. */
    public static EventSocket open(URI base, String pathAndQuery) {
        EventSocket made = new EventSocket();
        made.socket = HTTP.newWebSocketBuilder()
                .connectTimeout(Duration.ofSeconds(10))
                .buildAsync(uri(base, pathAndQuery), made.received.json())
                .join();
        return made;
    }

    /** Opens a socket with the key in a sub-protocol, as browsers can; gives the one that was selected. */
    public static String selectedProtocol(URI base, String path, String key) {
        EventSocket made = new EventSocket();
        WebSocket open = HTTP.newWebSocketBuilder()
                .subprotocols("tidings.conversations", "bearer." + key)
                .buildAsync(uri(base, path), made.received.json())
                .join();
        open.abort();
        return open.getSubprotocol();
    }

    /** The status with which a handshake is refused; 101 if it is not. */
    public static int handshake(URI base, String pathAndQuery, String... headers) {
        WebSocket.Builder builder = HTTP.newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        try {
            builder.buildAsync(uri(base, pathAndQuery), new EventSocket().received.json())
                    .join()
                    .abort();
            return 101;
        } catch (CompletionException refused) {
            if (refused.getCause() instanceof WebSocketHandshakeException answer) {
                return answer.getResponse().statusCode();
            }
            throw refused;
        }
    }

    private static URI uri(URI base, String pathAndQuery) {
        return URI.create(base.toString().replaceFirst("^http", "ws") + pathAndQuery);
    }

    /** The first frame that fits, already here or still to come. */
    public JsonNode await(Predicate<JsonNode> fits) {
        return received.awaitFrom(0, fits);
    }

    /** The first event of a type. */
    public JsonNode awaitType(String type) {
        return await(frame -> frame.path("type").asText().equals(type));
    }

    /** Everything that came so far. */
    public List<JsonNode> frames() {
        return received.all();
    }

    /** The events with a number that came so far. */
    public List<JsonNode> events() {
        return frames().stream().filter(frame -> frame.has("seq")).toList();
    }

    /** Waits for the close, and gives its code. */
    public int awaitClose() {
        return received.awaitClose();
    }

    /** Says something, of which nothing comes; done when it is sent. */
    public void say(String text) {
        WebSocket open = socket;
        if (open == null) {
            throw new IllegalStateException("not open");
        }
        open.sendText(text, true).join();
    }

    /** Drops the connection without a word. */
    public void abort() {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
    }
}
