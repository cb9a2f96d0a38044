package dev.tidings.event;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import java.util.List;

/**
 * Entries that a transaction put at the end of one stream.
 *
 * <p>Fired by the log while the transaction commits, once a stream, or by a backend with a log of its own, in the
 * transaction that stored them. Order: by position, consecutive. It is a hint that wakes readers; the log is the truth
 * (law 13).
 *
 * <p>Threads: immutable.
 *
 * @param stream the stream
 * @param entries one or more, by position
 */
public record EntriesStored(StreamKey stream, List<StoredEntry> entries) {

    /** Copies the list and checks that it is consecutive. */
    public EntriesStored {
        entries = List.copyOf(entries);
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("no entries");
        }
        for (int i = 1; i < entries.size(); i++) {
            if (entries.get(i).position() != entries.get(i - 1).position() + 1) {
                throw new IllegalArgumentException("positions are consecutive");
            }
        }
    }
}
