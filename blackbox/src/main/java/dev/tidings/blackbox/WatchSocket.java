package dev.tidings.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A client's socket at {@code /agents/ws}: keeps every frame that came, in order, and lets one wait for one that fits.
 *
 * <p>Every frame is held to the schemas of the AsyncAPI document; whoever looks at the socket after one that does not fit
 * gets an error.
 *
 * <p>Threads: any.
 */
public final class WatchSocket {
    /** The sub-protocol of the second version. */
    public static final String V2 = "tidings.v2";

    /** The same with frames in DAG-CBOR. */
    public static final String V2_CBOR = "tidings.v2+cbor";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SignedClient client;
    private final Received received;

    // Volatile: written once, before the socket is handed out.
    private volatile @Nullable WebSocket socket;

    // Whether it asked for tidings.v2, in any encoding.
    private final boolean more;
    private final boolean binary;

    private WatchSocket(SignedClient client, String subprotocol) {
        this.client = client;
        this.more = subprotocol.startsWith(V2);
        this.binary = subprotocol.equals(V2_CBOR);
        this.received = new Received(PATIENCE, frame -> AsyncApi.document().faultsOfFrame(frame, more));
    }

    /** @param subprotocol the one to offer; empty for none */
    static WatchSocket open(HttpClient http, URI base, SignedClient client, String subprotocol) {
        WatchSocket watch = new WatchSocket(client, subprotocol);
        URI uri = URI.create(base.toString().replaceFirst("^http", "ws") + "/agents/ws");
        WebSocket.Builder builder = http.newWebSocketBuilder().connectTimeout(Duration.ofSeconds(10));
        if (!subprotocol.isEmpty()) {
            builder.subprotocols(subprotocol);
        }
        WebSocket opened = builder.buildAsync(uri, watch.received.listener(watch::text, watch::binary))
                .join();
        if (!opened.getSubprotocol().equals(subprotocol)) {
            throw new AssertionError("offered " + subprotocol + ", got " + opened.getSubprotocol());
        }
        watch.socket = opened;
        watch.await(frame -> type(frame).equals("connected"));
        return watch;
    }

    /** The member {@code _} of a frame. */
    public static String type(JsonNode frame) {
        return frame.path("_").asText();
    }

    /** Sends bytes as one binary message. */
    public void sendBinary(byte[] message) {
        ws().sendBinary(ByteBuffer.wrap(message), true).join();
    }

    /** Sends bytes as a binary message of several fragments. */
    public void sendFragments(byte[] message, int size) {
        for (int at = 0; at < message.length; at += size) {
            int end = Math.min(message.length, at + size);
            ws().sendBinary(ByteBuffer.wrap(message, at, end - at), end == message.length)
                    .join();
        }
    }

    /** Sends a text message. */
    public void sendText(String text) {
        ws().sendText(text, true).join();
    }

    /** Subscribes and waits for the answer; gives it, a refusal too. */
    public JsonNode subscribe(String key) {
        return subscribe(key, Map.of());
    }

    /** Subscribes behind a seq and waits for the answer. */
    public JsonNode subscribe(String key, long afterSeq) {
        return subscribe(key, Map.of("afterSeq", afterSeq));
    }

    /** Subscribes with further members of the action and waits for the answer. */
    public JsonNode subscribe(String key, Map<String, ?> more) {
        return subscribeAs(client, key, more);
    }

    /** Subscribes with a message that somebody else signed, and waits for the answer. */
    public JsonNode subscribeAs(SignedClient other, String key, Map<String, ?> more) {
        int before = size();
        Map<String, Object> members = new LinkedHashMap<>(more);
        members.put("key", key);
        sendBinary(other.signed("Subscribe", members));
        return awaitFrom(
                before,
                frame -> (type(frame).equals("subscribed") || type(frame).equals("error"))
                        && frame.path("key").asText(key).equals(key));
    }

    /** Gives a key up and waits for the answer. */
    public JsonNode unsubscribe(String key) {
        int before = size();
        sendBinary(client.signed("Unsubscribe", Map.of("key", key)));
        return awaitFrom(
                before,
                frame -> type(frame).equals("unsubscribed") || type(frame).equals("error"));
    }

    /** The first frame that fits, already here or still to come. */
    public JsonNode await(Predicate<JsonNode> fits) {
        return awaitFrom(0, fits);
    }

    /** The first frame that fits among those from index {@code from} on. */
    public JsonNode awaitFrom(int from, Predicate<JsonNode> fits) {
        return received.awaitFrom(from, fits);
    }

    /** The append of a session event with that id. */
    public JsonNode awaitAppend(String eventId) {
        return await(frame -> type(frame).equals("append")
                && frame.path("event").path("id").asText().equals(eventId));
    }

    /** The append of a session's event with that seq. */
    public JsonNode awaitSeq(String sessionId, long seq) {
        return await(frame -> type(frame).equals("append")
                && frame.path("event").path("sessionId").asText().equals(sessionId)
                && frame.path("event").path("seq").asLong() == seq);
    }

    /** Everything that came so far. */
    public List<JsonNode> frames() {
        return received.all();
    }

    /** How many frames came so far. */
    public int size() {
        return received.size();
    }

    /** The session events that came so far, in the order in which they came. */
    public List<JsonNode> appends(String sessionId) {
        return frames().stream()
                .filter(frame -> type(frame).equals("append")
                        && frame.path("event").path("sessionId").asText().equals(sessionId))
                .map(frame -> frame.get("event"))
                .toList();
    }

    /** The {@code seq} of the session events that came so far. */
    public List<Long> seqs(String sessionId) {
        return appends(sessionId).stream()
                .map(event -> event.get("seq").asLong())
                .toList();
    }

    /** Waits for the socket to close; gives the code, 1006 if the connection just went. */
    public int awaitClose() {
        return received.awaitClose();
    }

    /** Drops the connection without a word. */
    public void abort() {
        ws().abort();
    }

    /** Closes in good order. */
    public void close() {
        ws().sendClose(WebSocket.NORMAL_CLOSURE, "");
    }

    private WebSocket ws() {
        WebSocket open = socket;
        if (open == null) {
            throw new AssertionError("not open");
        }
        return open;
    }

    private void text(String message) {
        if (binary) {
            received.mustNotCome("a text message on a socket of " + V2_CBOR + ": " + message);
        } else {
            received.came(SignedClient.parse(message));
        }
    }

    private void binary(byte[] message) {
        if (binary) {
            received.came(SignedClient.fromCbor(message));
        } else {
            received.mustNotCome("a binary message on a socket of JSON");
        }
    }
}
