package dev.tidings.protocol.conversations;

import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.StoredEntry;
import dev.tidings.event.AgentDeleted;
import dev.tidings.event.EntriesStored;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.SessionDeleted;
import dev.tidings.event.Signal;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What waits for its number, in order, and bounded (law 4).
 *
 * <p>It is full from {@value #MOST} events or {@value #MOST_BYTES} bytes on. Then signals are dropped, of a text all that
 * follows too; entries are left to the log, and only how far it reaches waits; of each run and each session only the last change
 * waits, where the first one did. With twice as many events nothing is added but what was deleted: changes are lost as signals
 * are, and the log is looked at anyway (law 13).
 *
 * <p>Threads: none of its own; guarded by the lock of the pump.
 */
final class Backlog {
    private static final int MOST = 20_000;
    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST_CUT = 10_000;
    private static final int EVENT_BYTES = 256;

    /** That a session's entries up to a position are to be numbered. */
    static final class Hint {
        private final String sessionId;
        // Confined: under the pump's lock while it can be raised; whoever runs takes it out of that first.
        private long upTo;

        Hint(String sessionId, long upTo) {
            this.sessionId = sessionId;
            this.upTo = upTo;
        }

        static Hint of(EntriesStored stored) {
            return new Hint(
                    stored.stream().id(),
                    stored.entries().get(stored.entries().size() - 1).position());
        }

        String sessionId() {
            return sessionId;
        }

        long upTo() {
            return upTo;
        }
    }

    /** A place for the last change of a run or a session. */
    private static final class Change {
        private final String key;
        // Confined: under the pump's lock.
        private Object event;

        Change(String key, Object event) {
            this.key = key;
            this.event = event;
        }
    }

    // Confined, all of them: under the pump's lock.
    private final ArrayDeque<Object> waiting = new ArrayDeque<>();
    private long bytes;
    // Hints behind which nothing of their session waits: the next one raises them, however many come.
    private final Map<String, Hint> lastOfSession = new HashMap<>();
    // The last place of each run and session.
    private final Map<String, Change> lastChange = new HashMap<>();
    // Partials of which a piece was dropped, since too much waited; the oldest first.
    private final Set<String> cut = new LinkedHashSet<>();

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Something happened. */
    void add(Object event) {
        boolean full = waiting.size() >= MOST || bytes + sizeOf(event) > MOST_BYTES && !waiting.isEmpty();
        String changed = changedOrNull(event);
        if (event instanceof Signal.Partial partial) {
            addPartial(partial, full);
        } else if (event instanceof Signal) {
            if (!full) {
                append(event);
            }
        } else if (event instanceof EntriesStored stored) {
            if (full) {
                // The log has the entries.
                add(Hint.of(stored));
            } else {
                append(event);
            }
        } else if (event instanceof Hint hint) {
            addHint(hint);
        } else if (changed != null) {
            addChange(changed, event, full);
        } else {
            append(event);
        }
    }

    private void addPartial(Signal.Partial partial, boolean full) {
        String id = partial.partialId();
        boolean cutBefore = partial.done() ? cut.remove(id) : cut.contains(id);
        if (!full && !cutBefore) {
            append(partial);
        } else if (!partial.done()) {
            // A prefix of a text is allowed, a hole is not.
            cut.add(id);
            if (cut.size() > MOST_CUT) {
                Iterator<String> oldest = cut.iterator();
                oldest.next();
                oldest.remove();
            }
        }
    }

    private void addHint(Hint hint) {
        Hint last = lastOfSession.get(hint.sessionId);
        if (last != null) {
            last.upTo = Math.max(last.upTo, hint.upTo);
        } else if (waiting.size() < 2 * MOST) {
            append(hint);
            lastOfSession.put(hint.sessionId, hint);
        }
    }

    private void addChange(String key, Object event, boolean full) {
        Change last = full ? lastChange.get(key) : null;
        if (last != null) {
            bytes -= sizeOf(last);
            last.event = joined(last.event, event);
            bytes += sizeOf(last);
        } else if (waiting.size() < 2 * MOST) {
            Change change = new Change(key, event);
            append(change);
            lastChange.put(key, change);
        }
    }

    /** The later of two changes, which made the row if the earlier one did. */
    private static Object joined(Object before, Object after) {
        if (before instanceof SessionChanged one && after instanceof SessionChanged two) {
            SessionChanged later = one.version() > two.version() ? one : two;
            return new SessionChanged(later.value(), later.version(), one.created() || two.created());
        }
        return before instanceof RunChanged one && after instanceof RunChanged two && one.version() > two.version()
                ? before
                : after;
    }

    private void append(Object event) {
        String sessionId = sessionOrNull(event);
        if (sessionId != null) {
            lastOfSession.remove(sessionId);
        }
        waiting.add(event);
        bytes += sizeOf(event);
    }

    /** The first, which is changed no more; null if nothing waits. */
    @Nullable
    Object peekOrNull() {
        Object next = waiting.peekFirst();
        if (next instanceof Hint hint) {
            lastOfSession.remove(hint.sessionId, hint);
        } else if (next instanceof Change change) {
            lastChange.remove(change.key, change);
            return change.event;
        }
        return next;
    }

    /** Takes the first away. */
    void remove() {
        bytes -= sizeOf(waiting.removeFirst());
    }

    /** How many events wait, for tests. */
    int size() {
        return waiting.size();
    }

    /** How many bytes they hold, about, for tests. */
    long bytes() {
        return bytes;
    }

    /** The session between whose entries an event stands; null if it stands nowhere. */
    private static @Nullable String sessionOrNull(Object event) {
        if (event instanceof EntriesStored stored) {
            return stored.stream().id();
        } else if (event instanceof Change change) {
            return sessionOrNull(change.event);
        } else if (event instanceof SessionChanged change) {
            return change.value().id();
        } else if (event instanceof SessionDeleted deleted) {
            return deleted.sessionId();
        } else if (event instanceof RunChanged change) {
            return change.value().sessionId();
        }
        return event instanceof Signal.Partial partial ? partial.sessionId() : null;
    }

    private static @Nullable String changedOrNull(Object event) {
        if (event instanceof RunChanged change) {
            return "run " + change.value().id();
        }
        return event instanceof SessionChanged change
                ? "session " + change.value().id()
                : null;
    }

    /** What an event holds, about; what it shares with others as well. */
    private static long sizeOf(Object event) {
        long size = EVENT_BYTES;
        if (event instanceof EntriesStored stored) {
            for (StoredEntry entry : stored.entries()) {
                size += 128 + entry.payload().size();
            }
        } else if (event instanceof Signal.Partial partial) {
            RunActivity activity = partial.activity();
            size += 2L * length(partial.textDelta()) + 2L * length(activity == null ? null : activity.outputTail());
        } else if (event instanceof Change change) {
            size += sizeOf(change.event);
        } else if (event instanceof RunChanged change) {
            size += EVENT_BYTES
                    + 2L * length(change.value().title())
                    + length(change.value().details());
        } else if (event instanceof SessionChanged change) {
            size += EVENT_BYTES
                    + 2L * length(change.value().title())
                    + 2L * length(change.value().description())
                    + length(change.value().plan())
                    + length(change.value().modelOverride());
        } else if (event instanceof AgentDeleted deleted) {
            size += 64L * deleted.sessionIds().size();
        }
        return size;
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static int length(@Nullable Payload json) {
        return json == null ? 0 : json.size();
    }
}
