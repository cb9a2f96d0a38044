package dev.tidings.protocol.agents;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The text so far of the partials in progress, for whoever joins a running turn, and where in it each piece begins.
 *
 * <p>A piece is noted before it is published, and a subscription reads the text after it was registered: so a piece is in
 * what it read, or is still to come, or both, and its offset tells which.
 *
 * <p>A character is never cut in two: the first half of one waits for the next piece.
 *
 * <p>Bounded in bytes over all sessions, and in partials a session, of which the first is forgotten. A text that has no room is no longer kept; its pieces keep their offsets. Of the
 * sessions the one that was silent for longest loses its texts first, and is forgotten if that is not enough.
 *
 * <p>Threads: any; the pieces of one partial come from one thread at a time.
 */
final class RunningTexts {
    private static final long PARTIAL_BYTES = 256;
    private static final int PARTIALS_OF_A_SESSION = 64;

    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    // In the order of last use.
    @GuardedBy("lock")
    private final LinkedHashMap<String, Map<String, Running>> sessions = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock")
    private long bytes;

    RunningTexts(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A piece as it is to be shown; the text may be empty. */
    record Piece(long offset, String text) {}

    /** A partial in progress and its text. */
    record SoFar(String partialId, String text) {}

    /** Confined: under the lock. */
    private static final class Running {
        private @Nullable StringBuilder text = new StringBuilder();
        private long length;
        private String half = "";

        long bytes() {
            return PARTIAL_BYTES + (text == null ? 0 : 2L * text.length());
        }

        /** Keeps the offset alone, unless nothing has come yet; how many bytes that frees. */
        long dropText() {
            long freed = bytes() - PARTIAL_BYTES;
            text = length == 0 ? text : null;
            return freed;
        }
    }

    /** Notes a piece of a partial and gives what is to be shown of it. */
    Piece add(String sessionId, String partialId, String delta) {
        lock.lock();
        try {
            Running running = runningLocked(sessionId, partialId);
            String all = running.half + delta;
            boolean cut = !all.isEmpty() && Character.isHighSurrogate(all.charAt(all.length() - 1));
            String whole = cut ? all.substring(0, all.length() - 1) : all;
            running.half = cut ? all.substring(all.length() - 1) : "";
            Piece piece = new Piece(running.length, whole);
            running.length += whole.length();
            StringBuilder text = running.text;
            if (text != null && bytes + 2L * whole.length() <= maxBytes) {
                text.append(whole);
                bytes += 2L * whole.length();
            } else if (text != null) {
                bytes -= running.dropText();
            }
            return piece;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Running runningLocked(String sessionId, String partialId) {
        Map<String, Running> partials = sessions.computeIfAbsent(sessionId, any -> new LinkedHashMap<>());
        Running known = partials.get(partialId);
        if (known != null) {
            return known;
        }
        if (partials.size() == PARTIALS_OF_A_SESSION) {
            Iterator<Running> first = partials.values().iterator();
            bytes -= first.next().bytes();
            first.remove();
        }
        Running fresh = new Running();
        partials.put(partialId, fresh);
        bytes += fresh.bytes();
        makeRoomLocked();
        return fresh;
    }

    /**
     * Texts go first: of a partial that is forgotten and then goes on, nobody would know where its pieces begin, and
     * whoever joins would take its end for all of it.
     */
    @GuardedBy("lock")
    private void makeRoomLocked() {
        Iterator<Map<String, Running>> silent = sessions.values().iterator();
        while (bytes > maxBytes && silent.hasNext()) {
            silent.next().values().forEach(running -> bytes -= running.dropText());
        }
        Iterator<Map.Entry<String, Map<String, Running>>> oldest =
                sessions.entrySet().iterator();
        while (bytes > maxBytes && sessions.size() > 1) {
            Map.Entry<String, Map<String, Running>> forgotten = oldest.next();
            forgotten.getValue().values().forEach(running -> bytes -= running.bytes());
            oldest.remove();
        }
    }

    /** A partial has ended. */
    void end(String sessionId, String partialId) {
        lock.lock();
        try {
            Map<String, Running> partials = sessions.get(sessionId);
            if (partials == null) {
                return;
            }
            Running ended = partials.remove(partialId);
            bytes -= ended == null ? 0 : ended.bytes();
            if (partials.isEmpty()) {
                sessions.remove(sessionId);
            }
        } finally {
            lock.unlock();
        }
    }

    /** A session is gone. */
    void forget(String sessionId) {
        lock.lock();
        try {
            Map<String, Running> partials = sessions.remove(sessionId);
            if (partials != null) {
                partials.values().forEach(running -> bytes -= running.bytes());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The texts in progress of a session, the oldest partial first; without those that have none, or were too long. */
    List<SoFar> of(String sessionId) {
        List<SoFar> texts = new ArrayList<>();
        lock.lock();
        try {
            sessions.getOrDefault(sessionId, Map.of()).forEach((partialId, running) -> {
                StringBuilder text = running.text;
                if (text != null && !text.isEmpty()) {
                    texts.add(new SoFar(partialId, text.toString()));
                }
            });
        } finally {
            lock.unlock();
        }
        return texts;
    }

    /** What all texts take, for tests. */
    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }
}
