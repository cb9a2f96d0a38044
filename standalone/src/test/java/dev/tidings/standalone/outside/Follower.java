package dev.tidings.standalone.outside;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidings.blackbox.RawSocket;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What one client knows of some sessions over all its connections: checks that each event comes once and in order, and
 * that every client is shown the same one under a number.
 *
 * <p>Threads: its sockets are read one after the other; the rest any.
 */
class Follower implements RawSocket.Inbox {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What all followers of a test share: what is wrong, and which event has which number. */
    static final class Common {
        final Queue<String> faults = new ConcurrentLinkedQueue<>();
        private final Map<String, String> ids = new ConcurrentHashMap<>();

        /** The id of a session's event as it was shown first; null if it was not. */
        @Nullable
        String id(String session, long seq) {
            return ids.get(session + ' ' + seq);
        }

        private void shown(String session, long seq, String id) {
            String before = ids.putIfAbsent(session + ' ' + seq, id);
            if (before != null && !before.equals(id)) {
                faults.add(seq + " of " + session + " is " + id + " and " + before);
            }
        }
    }

    private record Goal(String session, long seq, CompletableFuture<Void> reached) {}

    private final Common common;
    private final Map<String, Long> last = new ConcurrentHashMap<>();
    // Confined: the reader. Where the present connection stands; behind what was reached, if it asked for older ones.
    private final Map<String, Long> here = new HashMap<>();
    private final Queue<Goal> goals = new ConcurrentLinkedQueue<>();
    // Volatile: replaced with each connection.
    private volatile CompletableFuture<Integer> closed = new CompletableFuture<>();

    Follower(Common common) {
        this.common = common;
    }

    /** The number of the last event of that session; 0 for none. */
    final long last(String session) {
        return last.getOrDefault(session, 0L);
    }

    /** Before the subscription is sent on a new connection. */
    final void from(String session, long afterSeq) {
        here.put(session, afterSeq);
    }

    /** Before a new connection is read. */
    final void connecting() {
        here.clear();
        closed = new CompletableFuture<>();
    }

    /** Done with the close code of the present connection. */
    final CompletableFuture<Integer> whenClosed() {
        return closed;
    }

    /** Done once that event, and all before, have come. */
    final CompletableFuture<Void> when(String session, long seq) {
        Goal goal = new Goal(session, seq, new CompletableFuture<>());
        goals.add(goal);
        reach();
        return goal.reached();
    }

    private void reach() {
        goals.removeIf(
                goal -> last(goal.session()) >= goal.seq() && (goal.reached().complete(null) || true));
    }

    final void fault(String what) {
        common.faults.add(what);
    }

    @Override
    public final void text(byte[] utf8) {
        JsonNode frame;
        try {
            frame = JSON.readTree(utf8);
        } catch (IOException e) {
            fault("not JSON");
            return;
        }
        switch (frame.path("_").asText()) {
            case "append" -> append(frame.get("event"));
            case "appendPartial" -> partial(frame);
            case "error" -> fault("refused: " + frame);
            default -> {}
        }
    }

    private void append(JsonNode event) {
        String session = event.get("sessionId").asText();
        long seq = event.get("seq").asLong();
        Long before = here.put(session, seq);
        if (before == null || seq != before + 1) {
            fault("law 1: " + seq + " of " + session + " behind " + before);
        }
        common.shown(session, seq, event.get("id").asText());
        event(session, event);
        last.merge(session, seq, Math::max);
        reach();
    }

    /** An event came; once for each number of a session on each connection. */
    void event(String session, JsonNode event) {}

    /** A piece of an answer in progress came. */
    void partial(JsonNode frame) {}

    @Override
    public final void closed(int code) {
        closed.complete(code);
    }
}
