package dev.tidings.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<JsonNode> frames = new ArrayList<>();

    @GuardedBy("lock")
    private final List<String> faults = new ArrayList<>();

    @GuardedBy("lock")
    private int closeCode = -1;

    @GuardedBy("lock")
    private boolean gone;

    // Volatile: written once, before the socket is handed out.
    private volatile @Nullable WebSocket socket;

    // Whether it asked for tidings.v2, in any encoding.
    private final boolean more;
    private final boolean binary;

    private WatchSocket(SignedClient client, String subprotocol) {
        this.client = client;
        this.more = subprotocol.startsWith(V2);
        this.binary = subprotocol.equals(V2_CBOR);
    }

    /** @param subprotocol the one to offer; empty for none */
    static WatchSocket open(HttpClient http, URI base, SignedClient client, String subprotocol) {
        WatchSocket watch = new WatchSocket(client, subprotocol);
        URI uri = URI.create(base.toString().replaceFirst("^http", "ws") + "/agents/ws");
        WebSocket.Builder builder = http.newWebSocketBuilder().connectTimeout(Duration.ofSeconds(10));
        if (!subprotocol.isEmpty()) {
            builder.subprotocols(subprotocol);
        }
        WebSocket opened = builder.buildAsync(uri, watch.new Listener()).join();
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
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int at = from;
        lock.lock();
        try {
            while (true) {
                checkLocked();
                for (; at < frames.size(); at++) {
                    if (fits.test(frames.get(at))) {
                        return frames.get(at);
                    }
                }
                long left = deadline - System.nanoTime();
                if (gone || left <= 0) {
                    throw new AssertionError((gone ? "the socket closed with " + closeCode : "waited too long")
                            + " after " + frames.size() + " frames; the last: "
                            + (frames.isEmpty() ? "none" : frames.get(frames.size() - 1)));
                }
                changed.await(left, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            checkLocked();
            return List.copyOf(frames);
        } finally {
            lock.unlock();
        }
    }

    /** How many frames came so far. */
    public int size() {
        lock.lock();
        try {
            return frames.size();
        } finally {
            lock.unlock();
        }
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
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        lock.lock();
        try {
            while (!gone) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new AssertionError("the socket is still open");
                }
                changed.await(left, TimeUnit.NANOSECONDS);
            }
            return closeCode;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            lock.unlock();
        }
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

    @GuardedBy("lock")
    private void checkLocked() {
        if (!faults.isEmpty()) {
            throw new AssertionError("against docs/asyncapi.yaml: " + faults);
        }
    }

    private void came(JsonNode frame) {
        List<String> wrong = AsyncApi.document().faultsOfFrame(frame, more);
        lock.lock();
        try {
            frames.add(frame);
            faults.addAll(wrong);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void mustNotCome(String what) {
        lock.lock();
        try {
            faults.add(what);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void went(int code) {
        lock.lock();
        try {
            gone = true;
            closeCode = code;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What the HTTP client calls, one call at a time. */
    private final class Listener implements WebSocket.Listener {
        // Confined: the client's calls, one at a time.
        private final StringBuilder part = new StringBuilder();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                String text = part.toString();
                part.setLength(0);
                if (binary) {
                    mustNotCome("a text message on a socket of " + V2_CBOR + ": " + text);
                } else {
                    came(SignedClient.parse(text));
                }
            }
            webSocket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket webSocket, ByteBuffer data, boolean last) {
            byte[] piece = new byte[data.remaining()];
            data.get(piece);
            bytes.writeBytes(piece);
            if (last) {
                byte[] message = bytes.toByteArray();
                bytes.reset();
                if (binary) {
                    came(SignedClient.fromCbor(message));
                } else {
                    mustNotCome("a binary message on a socket of JSON");
                }
            }
            webSocket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
            went(statusCode);
            return null;
        }

        @Override
        public void onError(WebSocket webSocket, Throwable error) {
            went(1006);
        }
    }
}
