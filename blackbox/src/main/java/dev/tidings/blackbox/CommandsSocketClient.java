package dev.tidings.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<JsonNode> messages = new ArrayList<>();

    @GuardedBy("lock")
    private final List<String> faults = new ArrayList<>();

    @GuardedBy("lock")
    private int closeCode = -1;

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
                        client.new Listener())
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
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        int at = from;
        lock.lock();
        try {
            while (true) {
                checkLocked();
                for (; at < messages.size(); at++) {
                    if (fits.test(messages.get(at))) {
                        return messages.get(at);
                    }
                }
                long left = deadline - System.nanoTime();
                if (left <= 0 || closeCode >= 0) {
                    throw new AssertionError("did not come; close code " + closeCode + "; came: " + messages);
                }
                changed.awaitNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            checkLocked();
            return List.copyOf(messages);
        } finally {
            lock.unlock();
        }
    }

    /** The events that came: what has a cursor. */
    public List<JsonNode> events() {
        return messages().stream().filter(message -> message.has("cursor")).toList();
    }

    /** The close code, when it comes. */
    public int awaitClose() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        lock.lock();
        try {
            while (closeCode < 0) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new AssertionError("the socket stays open");
                }
                changed.awaitNanos(left);
            }
            return closeCode;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
    }

    private final class Listener implements WebSocket.Listener {
        // Confined: the client calls one at a time.
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int statusCode, String reason) {
            gone(statusCode);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            gone(1006);
        }
    }

    @GuardedBy("lock")
    private void checkLocked() {
        if (!faults.isEmpty()) {
            throw new AssertionError("against docs/asyncapi.yaml: " + faults);
        }
    }

    private void add(String message) {
        JsonNode read;
        try {
            read = JSON.readTree(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> wrong = AsyncApi.document().faultsOfSessionMessage(read);
        lock.lock();
        try {
            messages.add(read);
            faults.addAll(wrong);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void gone(int code) {
        lock.lock();
        try {
            closeCode = code;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
