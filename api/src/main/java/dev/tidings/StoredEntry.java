package dev.tidings;

import org.jspecify.annotations.Nullable;

/**
 * A durable entry of a stream.
 *
 * <p>Order: positions of one stream are consecutive from 1, and position order is commit order (law 3).
 *
 * <p>Threads: immutable.
 *
 * @param stream the session or run tree that it belongs to
 * @param position its place in the stream, from 1
 * @param seq its number among the numbered entries of the session (or of its run, in a run tree), from 1; 0 if it has
 *     none
 * @param id the event's id
 * @param kind what it is
 * @param payload the event, as it was given
 * @param runId the run that produced it, if one did
 * @param createdAt epoch milliseconds
 */
public record StoredEntry(
        StreamKey stream,
        long position,
        long seq,
        String id,
        EntryKind kind,
        Payload payload,
        @Nullable String runId,
        long createdAt) {

    /** Checks the numbers. */
    public StoredEntry {
        if (position < 1 || seq < 0) {
            throw new IllegalArgumentException("positions start at 1");
        }
    }

    /** Whether the entry has a {@code seq}. */
    public boolean numbered() {
        return seq > 0;
    }
}
