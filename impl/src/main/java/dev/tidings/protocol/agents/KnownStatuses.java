package dev.tidings.protocol.agents;

import dev.tidings.SessionInfo;
import dev.tidings.SessionStatus;
import dev.tidings.event.SessionChanged;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells a change of a session's status from its other changes.
 *
 * <p>It remembers the last status of the sessions that changed lately. Where it can't tell, because it has not seen the
 * version before, it says that the status changed: a notice too many costs less than one too few.
 *
 * <p>Threads: confined to the one that hands over events.
 */
final class KnownStatuses {
    private static final int MOST = 10_000;

    private record Known(long version, SessionStatus status) {}

    private final Map<String, Known> bySession = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > MOST;
        }
    };

    /** The session is gone. */
    void forget(String sessionId) {
        bySession.remove(sessionId);
    }

    /** Takes note of a change; true if it may have changed the status. */
    boolean changed(SessionChanged change) {
        SessionInfo session = change.value();
        @Nullable Known before = bySession.get(session.id());
        if (before != null && before.version() >= change.version()) {
            // Two callbacks swapped: the newer one was told as a change, since a version was missing before it.
            return false;
        }
        bySession.put(session.id(), new Known(change.version(), session.status()));
        return before == null || before.version() + 1 != change.version() || before.status() != session.status();
    }
}
