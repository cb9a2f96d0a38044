package dev.tidings.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Frame;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Extension;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A session whose remote endpoint ends sends in the way that a test chose, and which notes what was asked of it.
 *
 * <p>Threads: one at a time.
 */
final class FakeSession {
    /** How a send ends. */
    enum Way {
        /** The handler is called before the call returns. */
        AT_ONCE,
        /** The handler is called by the test. */
        LATER,
        /** The handler is told of a failure before the call returns. */
        FAILS,
        /** The call throws. */
        THROWS,
        /** The handler is told of a failure, and then the call throws. */
        FAILS_AND_THROWS
    }

    final List<String> texts = new ArrayList<>();
    final List<String> asked = new ArrayList<>();
    final Map<String, Object> properties = new HashMap<>();
    Way way = Way.AT_ONCE;
    boolean closed;
    boolean secure;
    List<Extension> extensions = List.of();
    private @Nullable CloseReason closeReason;
    private @Nullable SendHandler waiting;
    private int deepest;
    private int depth;

    private final RemoteEndpoint.Async remote = proxy(RemoteEndpoint.Async.class, this::ofRemote);

    Session session() {
        return proxy(Session.class, this::ofSession);
    }

    /** How it was closed. */
    CloseReason closeReason() {
        if (closeReason == null) {
            throw new AssertionError("not closed");
        }
        return closeReason;
    }

    /** Whether a send has not yet ended. */
    boolean sending() {
        return waiting != null;
    }

    /** Ends the send that waits. */
    void end(boolean ok) {
        SendHandler handler = waiting;
        if (handler == null) {
            throw new AssertionError("nothing is being sent");
        }
        waiting = null;
        handler.onResult(ok ? new SendResult() : new SendResult(new IOException("cut")));
    }

    /** How many sends were at most within one another. */
    int deepest() {
        return deepest;
    }

    private @Nullable Object ofSession(String name, @Nullable Object[] arguments) throws IOException {
        switch (name) {
            case "getAsyncRemote" -> {
                return remote;
            }
            case "getUserProperties" -> {
                return properties;
            }
            case "isSecure" -> {
                return secure;
            }
            case "getNegotiatedExtensions" -> {
                return extensions;
            }
            case "setMaxIdleTimeout" -> {
                asked.add("idle " + arguments[0]);
                if (closed) {
                    throw new IllegalStateException("the session is closed");
                }
                return null;
            }
            case "close" -> {
                closeReason = (CloseReason) arguments[0];
                asked.add("close");
                if (closed) {
                    throw new IOException("the session is closed");
                }
                return null;
            }
            default -> throw new UnsupportedOperationException(name);
        }
    }

    private @Nullable Object ofRemote(String name, @Nullable Object[] arguments) throws IOException {
        if (name.equals("sendPing")) {
            asked.add("ping");
            if (way == Way.THROWS) {
                throw new IOException("the session is closed");
            }
            return null;
        }
        if (!name.equals("sendObject") && !name.equals("sendBinary")) {
            throw new UnsupportedOperationException(name);
        }
        assertTrue(waiting == null, "law 7: one send in flight");
        depth++;
        deepest = Math.max(deepest, depth);
        try {
            texts.add(
                    arguments[0] instanceof ByteBuffer binary
                            ? "binary " + StandardCharsets.UTF_8.decode(binary)
                            : ((Frame) arguments[0]).text());
            SendHandler handler = (SendHandler) arguments[1];
            if (handler == null) {
                throw new AssertionError("no handler: nobody would know of the end");
            }
            switch (way) {
                case AT_ONCE -> handler.onResult(new SendResult());
                case LATER -> waiting = handler;
                case FAILS -> handler.onResult(new SendResult(new IOException("cut")));
                case THROWS -> throw new IllegalStateException("the session is closed");
                case FAILS_AND_THROWS -> {
                    handler.onResult(new SendResult(new IOException("cut")));
                    throw new IllegalStateException("the session is closed");
                }
            }
            return null;
        } finally {
            depth--;
        }
    }

    private interface Answering {
        @Nullable
        Object answer(String name, @Nullable Object[] arguments) throws IOException;
    }

    private static <T> T proxy(Class<T> type, Answering answering) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answering.answer(method.getName(), arguments)));
    }
}
