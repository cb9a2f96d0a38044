package dev.tidings.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<JsonNode> frames = new ArrayList<>();

    @GuardedBy("lock")
    private final List<String> faults = new ArrayList<>();

    @GuardedBy("lock")
    private int closeCode = -1;

    // Volatile: written once, before the socket is handed out.
    private volatile @Nullable WebSocket socket;

    private EventSocket() {}

    /** Opens a socket; the key goes the way that is asked for. */
    public static EventSocket open(URI base, String pathAndQuery) {
        EventSocket made = new EventSocket();
        made.socket = HTTP.newWebSocketBuilder()
                .connectTimeout(Duration.ofSeconds(10))
                .buildAsync(uri(base, pathAndQuery), made.new Listener())
                .join();
        return made;
    }

    /** Opens a socket with the key in a sub-protocol, as browsers can; gives the one that was selected. */
    public static String selectedProtocol(URI base, String path, String key) {
        EventSocket made = new EventSocket();
        WebSocket open = HTTP.newWebSocketBuilder()
                .subprotocols("tidings.conversations", "bearer." + key)
                .buildAsync(uri(base, path), made.new Listener())
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
            builder.buildAsync(uri(base, pathAndQuery), new EventSocket().new Listener())
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
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int at = 0;
        lock.lock();
        try {
            while (true) {
                assertAllowedLocked();
                for (; at < frames.size(); at++) {
                    if (fits.test(frames.get(at))) {
                        return frames.get(at);
                    }
                }
                long left = deadline - System.nanoTime();
                if (closeCode >= 0 || left <= 0) {
                    throw new AssertionError(
                            (closeCode >= 0 ? "closed with " + closeCode : "waited too long") + " after " + frames);
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

    /** The first event of a type. */
    public JsonNode awaitType(String type) {
        return await(frame -> frame.path("type").asText().equals(type));
    }

    /** Everything that came so far. */
    public List<JsonNode> frames() {
        lock.lock();
        try {
            assertAllowedLocked();
            return List.copyOf(frames);
        } finally {
            lock.unlock();
        }
    }

    /** The events with a number that came so far. */
    public List<JsonNode> events() {
        return frames().stream().filter(frame -> frame.has("seq")).toList();
    }

    /** Waits for the close, and gives its code. */
    public int awaitClose() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        lock.lock();
        try {
            while (closeCode < 0) {
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
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
    }

    @GuardedBy("lock")
    private void assertAllowedLocked() {
        if (!faults.isEmpty()) {
            throw new AssertionError("not in the document: " + faults);
        }
    }

    private void came(String text) {
        JsonNode frame = SignedClient.parse(text);
        List<String> wrong = AsyncApi.document().faultsOfEvent(frame);
        lock.lock();
        try {
            faults.addAll(wrong);
            frames.add(frame);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void went(int code) {
        lock.lock();
        try {
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

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                came(part.toString());
                part.setLength(0);
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
