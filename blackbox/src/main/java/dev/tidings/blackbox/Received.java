package dev.tidings.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.ByteArrayOutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What came on a client's socket: every message, in order, and the close. Each is held to the AsyncAPI document; after one that
 * does not fit, whoever looks gets an error.
 *
 * <p>Threads: any.
 */
final class Received {
    private static final int NO_CLOSE = -1;
    private static final int DROPPED = 1006;

    private final Duration patience;
    private final Function<JsonNode, List<String>> faultsOf;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<JsonNode> messages = new ArrayList<>();

    @GuardedBy("lock")
    private final List<String> faults = new ArrayList<>();

    @GuardedBy("lock")
    private int closeCode = NO_CLOSE;

    /**
     * Nothing yet.
     *
     * @param patience how long to wait for something
     * @param faultsOf what is wrong with a message; pure
     */
    Received(Duration patience, Function<JsonNode, List<String>> faultsOf) {
        this.patience = patience;
        this.faultsOf = faultsOf;
    }

    /** The first message that fits among those from index {@code from} on, already here or still to come. */
    JsonNode awaitFrom(int from, Predicate<JsonNode> fits) {
        long deadline = System.nanoTime() + patience.toNanos();
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
                if (closeCode != NO_CLOSE || left <= 0) {
                    throw new AssertionError((closeCode != NO_CLOSE ? "closed with " + closeCode : "waited too long")
                            + " after " + messages.size() + " messages: " + messages);
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

    /** Everything that came so far. */
    List<JsonNode> all() {
        lock.lock();
        try {
            checkLocked();
            return List.copyOf(messages);
        } finally {
            lock.unlock();
        }
    }

    /** How many messages came so far. */
    int size() {
        lock.lock();
        try {
            return messages.size();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the close; gives its code, 1006 if the connection just went. */
    int awaitClose() {
        long deadline = System.nanoTime() + patience.toNanos();
        lock.lock();
        try {
            while (closeCode == NO_CLOSE) {
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

    /** A message came. */
    void came(JsonNode message) {
        List<String> wrong = faultsOf.apply(message);
        lock.lock();
        try {
            messages.add(message);
            faults.addAll(wrong);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Something came that must not come. */
    void mustNotCome(String what) {
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
            closeCode = code;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void checkLocked() {
        if (!faults.isEmpty()) {
            throw new AssertionError("against docs/asyncapi.yaml: " + faults);
        }
    }

    /** Listens for text messages of JSON. */
    WebSocket.Listener json() {
        return listener(
                text -> came(SignedClient.parse(text)), bytes -> mustNotCome("a binary message on a socket of JSON"));
    }

    /** Listens; what it is given gets whole messages. */
    WebSocket.Listener listener(Consumer<String> text, Consumer<byte[]> binary) {
        return new Listener(text, binary);
    }

    /** What the HTTP client calls, one call at a time. */
    private final class Listener implements WebSocket.Listener {
        private final Consumer<String> text;
        private final Consumer<byte[]> binary;
        // Confined, both of them: the client's calls, one at a time.
        private final StringBuilder part = new StringBuilder();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Listener(Consumer<String> text, Consumer<byte[]> binary) {
            this.text = text;
            this.binary = binary;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                String whole = part.toString();
                part.setLength(0);
                text.accept(whole);
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
                byte[] whole = bytes.toByteArray();
                bytes.reset();
                binary.accept(whole);
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
            went(DROPPED);
        }
    }
}
