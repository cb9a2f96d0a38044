package dev.tidings.standalone.outside;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.blackbox.CommandsSocketClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One session that is talked to until it has so many events, by a socket that stays, and watched by one that drops at any
 * event and comes back behind the last that it was shown.
 *
 * <p>Threads: any; callbacks of sockets take what came, the executor answers.
 */
final class SoakSession {
    private static final int DROPS = 400;
    private static final int CANCELS = 900;
    private static final int SILENT = 4002;

    private final HttpClient http;
    private final Executor executor;
    private final URI base;
    private final String id;
    private final long target;
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Random random;

    @GuardedBy("lock")
    private Chain stayed = Chain.EMPTY;

    @GuardedBy("lock")
    private Chain wandered = Chain.EMPTY;

    @GuardedBy("lock")
    private final List<String> faults = new ArrayList<>();

    @GuardedBy("lock")
    private CompletableFuture<Void> sending = CompletableFuture.completedFuture(null);

    @GuardedBy("lock")
    private long end = Long.MAX_VALUE;

    @GuardedBy("lock")
    private int reconnects;

    // What the socket that stays said last, until an event shows that it was heard.
    @GuardedBy("lock")
    private String unanswered = command("begin");

    // Which of the wandering sockets counts: a dropped one may be handed what was on its way.
    @GuardedBy("lock")
    private int generation;

    SoakSession(HttpClient http, Executor executor, URI base, String id, long target, long seed) {
        this.http = http;
        this.executor = executor;
        this.base = base;
        this.id = id;
        this.target = target;
        this.random = new Random(seed);
    }

    String id() {
        return id;
    }

    /** Both sockets have seen the end, or something was wrong. */
    CompletableFuture<Boolean> done() {
        return done;
    }

    void begin() {
        connect("?cursor=0", new Staying());
        wander(0);
    }

    private void wander(long cursor) {
        int mine;
        lock.lock();
        try {
            mine = ++generation;
        } finally {
            lock.unlock();
        }
        connect("?cursor=" + cursor, new Wandering(mine));
    }

    private void connect(String query, WebSocket.Listener listener) {
        http.newWebSocketBuilder()
                .buildAsync(
                        URI.create(base.toString().replaceFirst("^http", "ws") + "/ws/sessions/" + id + query),
                        listener)
                .exceptionally(failure -> {
                    fault("not connected: " + failure);
                    throw new IllegalStateException(failure);
                });
    }

    private void fault(String what) {
        lock.lock();
        try {
            faults.add(what);
        } finally {
            lock.unlock();
        }
        done.complete(false);
    }

    List<String> faults() {
        lock.lock();
        try {
            return List.copyOf(faults);
        } finally {
            lock.unlock();
        }
    }

    Chain stayed() {
        lock.lock();
        try {
            return stayed;
        } finally {
            lock.unlock();
        }
    }

    Chain wandered() {
        lock.lock();
        try {
            return wandered;
        } finally {
            lock.unlock();
        }
    }

    int reconnects() {
        lock.lock();
        try {
            return reconnects;
        } finally {
            lock.unlock();
        }
    }

    /** Puts the pieces of messages together. Confined: a client calls one listener at a time. */
    private abstract class Whole implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        abstract void came(WebSocket from, String message);

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                String message = text.toString();
                text.setLength(0);
                try {
                    came(from, message);
                } catch (RuntimeException e) {
                    fault(String.valueOf(e.getMessage()));
                }
            }
            from.request(1);
            return null;
        }
    }

    /** Drives the session; goes only if it is told to come back, as may happen where the machine stands still for long. */
    private final class Staying extends Whole {
        @Override
        public void onOpen(WebSocket socket) {
            socket.request(1);
            String again;
            lock.lock();
            try {
                again = unanswered;
            } finally {
                lock.unlock();
            }
            if (!again.isEmpty()) {
                send(socket, again);
            }
        }

        @Override
        void came(WebSocket socket, String message) {
            if (Chain.cursor(message) == 0) {
                // An error to us alone: a cancel that came too late.
                return;
            }
            String answer;
            lock.lock();
            try {
                stayed = stayed.with(message);
                answer = answerLocked(message);
                unanswered = answer;
            } finally {
                lock.unlock();
            }
            if (!answer.isEmpty()) {
                send(socket, answer);
            }
            finishIfDone();
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            if (code != SILENT) {
                fault("closed with " + code);
                return null;
            }
            long cursor;
            lock.lock();
            try {
                cursor = stayed.last();
                reconnects++;
            } finally {
                lock.unlock();
            }
            connect("?cursor=" + cursor, new Staying());
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            fault("failed: " + error);
        }
    }

    /** What the driving socket sends upon an event; empty for nothing. */
    @GuardedBy("lock")
    private String answerLocked(String event) {
        if (event.contains("\"kind\":\"run_finished\"")) {
            if (stayed.last() >= target) {
                end = stayed.last();
                return "";
            }
            return command(next());
        }
        if (event.contains("\"kind\":\"approval_requested\"")) {
            String approval = event.replaceFirst(".*\"approval_id\":\"([^\"]+)\".*", "$1");
            return "{\"type\":\"tool_approval\",\"approval_id\":\"" + approval + "\",\"decision\":\""
                    + (random.nextInt(3) == 0 ? "deny" : "grant") + "\"}";
        }
        return random.nextInt(CANCELS) == 0 ? "{\"type\":\"cancel\"}" : "";
    }

    @GuardedBy("lock")
    private String next() {
        return switch (random.nextInt(8)) {
            case 0 -> "/tool search";
            case 1 -> "/fail";
            case 2 -> "\u2603 \ud83d\ude00 text \" with \\ everything";
            default -> "/stream " + Math.min(2_000, Math.max(20, target - stayed.last())) + " 10 2";
        };
    }

    /** With an identifier, so that it is one turn however often it is said. */
    private static String command(String content) {
        return "{\"type\":\"user_message\",\"message_id\":\"" + UUID.randomUUID() + "\",\"content\":"
                + CommandsSocketClient.quoted(content) + "}";
    }

    /** One behind the other, as a client's socket wants it. */
    private void send(WebSocket socket, String text) {
        lock.lock();
        try {
            sending = sending.thenRunAsync(() -> sendNow(socket, text), executor);
        } finally {
            lock.unlock();
        }
    }

    private void sendNow(WebSocket socket, String text) {
        try {
            socket.sendText(text, true).join();
        } catch (RuntimeException e) {
            if (!socket.isInputClosed()) {
                fault("not sent: " + e);
            }
        }
    }

    /** Comes and goes. */
    private final class Wandering extends Whole {
        private final int mine;

        Wandering(int mine) {
            this.mine = mine;
        }

        @Override
        void came(WebSocket socket, String message) {
            boolean drop;
            long cursor;
            lock.lock();
            try {
                if (mine != generation) {
                    return;
                }
                wandered = wandered.with(message);
                cursor = wandered.last();
                drop = random.nextInt(DROPS) == 0;
                if (drop) {
                    generation++;
                    reconnects++;
                }
            } finally {
                lock.unlock();
            }
            if (drop) {
                socket.abort();
                executor.execute(() -> wander(cursor));
            }
            finishIfDone();
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            if (code != SILENT) {
                fault("closed with " + code);
                return null;
            }
            long cursor;
            lock.lock();
            try {
                if (mine != generation) {
                    return null;
                }
                cursor = wandered.last();
                reconnects++;
            } finally {
                lock.unlock();
            }
            wander(cursor);
            return null;
        }
    }

    private void finishIfDone() {
        boolean both;
        lock.lock();
        try {
            both = stayed.last() == end && wandered.last() == end;
        } finally {
            lock.unlock();
        }
        if (both) {
            done.complete(true);
        }
    }
}
