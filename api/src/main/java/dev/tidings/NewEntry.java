package dev.tidings;

import org.jspecify.annotations.Nullable;

/**
 * An entry that is about to be stored: everything but its numbers, which it gets while its transaction commits (law 3).
 *
 * <p>Threads: immutable.
 *
 * @param id the event's id, unique within its stream
 * @param kind what it is
 * @param numbered whether it also takes the next {@code seq} (of its session, or of its run in a run tree)
 * @param payload the event
 * @param runId the run that produced it, if one did; required in a run tree
 * @param createdAt epoch milliseconds
 */
public record NewEntry(
        String id,
        EntryKind kind,
        boolean numbered,
        Payload payload,
        @Nullable String runId,
        long createdAt) {

    /** Checks the id. */
    public NewEntry {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("an entry has an id");
        }
    }
}
