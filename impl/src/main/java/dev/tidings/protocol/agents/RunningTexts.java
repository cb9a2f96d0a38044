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
 * <p>Bounded in bytes over all sessions, in texts a session ({@value #TEXTS_OF_A_SESSION}) and in partials a session
 * ({@value #PARTIALS_OF_A_SESSION}). A text that has no room is no longer kept, the oldest first; its pieces keep their
 * offsets. Of the sessions the one that was silent for longest loses its texts first. If that is not enough, its partials
 * are forgotten. One that goes on all the same counts as a new one, whose offsets are beyond all that were ever
 * forgotten: whoever was shown more of it than is known here misses nothing. So at the bounds who joins gets less of the
 * text so far, or none; who watches gets every piece; and the stored message has everything.
 *
 * <p>Threads: any; the pieces of one partial come from one thread at a time.
 */
final class RunningTexts {
    private static final long PARTIAL_BYTES = 256;
    private static final int TEXTS_OF_A_SESSION = 64;
    private static final int PARTIALS_OF_A_SESSION = 1_024;

    private final long maxBytes;
    private final Runnable cut;
    private final ReentrantLock lock = new ReentrantLock();

    // In the order of last use.
    @GuardedBy("lock")
    private final LinkedHashMap<String, Map<String, Running>> sessions = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock")
    private long bytes;

    // Beyond all offsets of partials that were forgotten and may go on.
    @GuardedBy("lock")
    private long beyond;

    /** @param cut counts each text that is no longer kept; called under the lock, so it does nothing else */
    RunningTexts(long maxBytes, Runnable cut) {
        this.maxBytes = maxBytes;
        this.cut = cut;
    }

    /** A piece as it is to be shown; the text may be empty. */
    record Piece(long offset, String text) {}

    /**
     * A partial in progress and its text.
     *
     * @param end the offset of the next piece
     */
    record SoFar(String partialId, String text, long end) {}

    /** Confined: under the lock. */
    private static final class Running {
        private @Nullable StringBuilder text = new StringBuilder();
        // The offset of the next piece.
        private long end;
        private String half = "";

        Running(long begin) {
            end = begin;
        }

        long bytes() {
            return PARTIAL_BYTES + (text == null ? 0 : 2L * text.length());
        }

        boolean hasText() {
            return text != null && !text.isEmpty();
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
            Piece piece = new Piece(running.end, whole);
            running.end += whole.length();
            StringBuilder text = running.text;
            if (text != null && bytes + 2L * whole.length() <= maxBytes) {
                text.append(whole);
                bytes += 2L * whole.length();
            } else if (text != null) {
                text.append(whole);
                bytes += 2L * whole.length();
                dropTextLocked(running);
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
        if (partials.size() >= TEXTS_OF_A_SESSION) {
            dropOldestTextsLocked(partials);
        }
        if (partials.size() == PARTIALS_OF_A_SESSION) {
            forgetFirstLocked(partials);
        }
        Running fresh = new Running(beyond);
        partials.put(partialId, fresh);
        bytes += fresh.bytes();
        makeRoomLocked(partials);
        return fresh;
    }

    /** Leaves room for one more text. */
    @GuardedBy("lock")
    private void dropOldestTextsLocked(Map<String, Running> partials) {
        long texts = partials.values().stream().filter(Running::hasText).count();
        Iterator<Running> oldest = partials.values().iterator();
        while (texts >= TEXTS_OF_A_SESSION && oldest.hasNext()) {
            Running next = oldest.next();
            texts -= next.hasText() ? 1 : 0;
            dropTextLocked(next);
        }
    }

    /** Keeps the offset alone, unless nothing has come yet. */
    @GuardedBy("lock")
    private void dropTextLocked(Running running) {
        if (running.hasText()) {
            bytes -= running.bytes() - PARTIAL_BYTES;
            running.text = null;
            cut.run();
        }
    }

    @GuardedBy("lock")
    private void forgetFirstLocked(Map<String, Running> partials) {
        Iterator<Running> first = partials.values().iterator();
        Running forgotten = first.next();
        dropTextLocked(forgotten);
        bytes -= forgotten.bytes();
        beyond = Math.max(beyond, forgotten.end);
        first.remove();
    }

    /**
     * Texts go first: of a partial that is forgotten and then goes on, nobody would know where its pieces begin, and
     * whoever joins would take its end for all of it.
     */
    @GuardedBy("lock")
    private void makeRoomLocked(Map<String, Running> atHand) {
        Iterator<Map<String, Running>> silent = sessions.values().iterator();
        while (bytes > maxBytes && silent.hasNext()) {
            for (Running running : silent.next().values()) {
                dropTextLocked(running);
            }
        }
        Iterator<Map<String, Running>> oldest = sessions.values().iterator();
        while (bytes > maxBytes && oldest.hasNext()) {
            Map<String, Running> partials = oldest.next();
            int left = partials == atHand ? 1 : 0;
            while (bytes > maxBytes && partials.size() > left) {
                forgetFirstLocked(partials);
            }
            if (partials.isEmpty()) {
                oldest.remove();
            }
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
                    texts.add(new SoFar(partialId, text.toString(), running.end));
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
