package dev.tidings.protocol.conversations;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.StoredEntry;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The conversations of which this node holds something: in memory, in a window, in a page. One that was deleted is marked once,
 * and nothing of it is shown any more from wherever it waits (law 6).
 *
 * <p>It holds no conversation by itself: what shows one does. One that was deleted is kept for a while all the same, since what
 * was read before may still be on its way.
 *
 * <p>Threads: any; takes no lock but its own.
 */
final class Presences {
    private static final BooleanSupplier NEVER = () -> false;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, WeakReference<Presence>> known = new LinkedHashMap<>();

    @GuardedBy("lock")
    private Set<Presence> lately = new HashSet<>();

    @GuardedBy("lock")
    private Set<Presence> before = new HashSet<>();

    /** A conversation. */
    Presence of(String conversationId) {
        lock.lock();
        try {
            WeakReference<Presence> reference = known.get(conversationId);
            Presence presence = reference == null ? null : reference.get();
            if (presence == null) {
                presence = new Presence(conversationId);
                known.put(conversationId, new WeakReference<>(presence));
            }
            return presence;
        } finally {
            lock.unlock();
        }
    }

    /** The same, of which the agent is known. */
    Presence of(String conversationId, String agentId) {
        Presence presence = of(conversationId);
        if (!agentId.isEmpty()) {
            presence.belongsTo(agentId);
        }
        return presence;
    }

    /** Whether what an entry of the tape tells of was deleted, whenever that is asked. */
    BooleanSupplier withdrawn(StoredEntry entry) {
        if (entry.id().equals(FeedTape.FAREWELL)) {
            return NEVER;
        }
        Presence conversation = of(entry.id());
        String childId = entry.runId();
        if (childId == null) {
            return conversation::gone;
        }
        Presence child = of(childId);
        return () -> conversation.gone() || child.gone();
    }

    /** A conversation was deleted; never blocks. Gives it, or null if that was known. */
    @Nullable
    Presence leaveOrNull(String conversationId) {
        lock.lock();
        try {
            Presence presence = of(conversationId);
            lately.add(presence);
            boolean news = !presence.gone();
            presence.leave();
            return news ? presence : null;
        } finally {
            lock.unlock();
        }
    }

    /** Some conversations that were not deleted as far as is known, others with each call. */
    List<String> some(int most) {
        List<String> some = new ArrayList<>();
        lock.lock();
        try {
            List<Map.Entry<String, WeakReference<Presence>>> seen = new ArrayList<>();
            Iterator<Map.Entry<String, WeakReference<Presence>>> each =
                    known.entrySet().iterator();
            while (each.hasNext() && some.size() < most) {
                Map.Entry<String, WeakReference<Presence>> one = each.next();
                Presence presence = one.getValue().get();
                each.remove();
                if (presence != null) {
                    seen.add(Map.entry(one.getKey(), one.getValue()));
                    if (!presence.gone()) {
                        some.add(one.getKey());
                    }
                }
            }
            seen.forEach(one -> known.put(one.getKey(), one.getValue()));
            return some;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what nothing shows any more, and what was deleted before the last call but one. */
    void tidy() {
        lock.lock();
        try {
            before = lately;
            lately = new HashSet<>();
            known.values().removeIf(reference -> reference.get() == null);
        } finally {
            lock.unlock();
        }
    }

    /** How many are known, for tests. */
    int size() {
        lock.lock();
        try {
            return known.size();
        } finally {
            lock.unlock();
        }
    }
}
