package dev.tidings.spi;

import dev.tidings.Head;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The ordered, durable record of every session and run tree, for reading.
 *
 * <p>Positions in a stream are consecutive from 1, position order is commit order, and what is readable has committed
 * (laws 1, 2, 3). An unknown stream reads as an empty one.
 *
 * <p>Threads: safe for use by many threads; calls may block on a database and are never made under a lock of Tidings.
 * Errors: any exception means that nothing is known, and the caller tries again later.
 */
public interface EventLog {

    /** Names this database's history: made once by the first migration, 1 to 64 characters, renewed by a restore. */
    String epoch();

    /** How far a stream reaches. */
    Head head(StreamKey stream);

    /** How far each of several streams reaches, in one query; streams without entries may be left out. */
    Map<StreamKey, Head> heads(Collection<StreamKey> streams);

    /**
     * A page of a stream: the entries behind a position, in position order, without a hole.
     *
     * @param afterPosition the position before the first entry wanted, 0 for the start
     * @param maxEntries at most so many, from 1
     * @param maxBytes stops before the payloads are more than this, but never before the first entry
     */
    List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes);

    /**
     * A page of what one run wrote to its tree: its numbered entries behind a number, in order. A log that has no way of its
     * own reads the tree from its start.
     *
     * @param afterSeq the number before the first entry wanted, 0 for the start
     * @param maxEntries at most so many, from 1
     * @param maxBytes stops before the payloads are more than this, but never before the first entry
     */
    default List<StoredEntry> readRun(StreamKey tree, String runId, long afterSeq, int maxEntries, int maxBytes) {
        List<StoredEntry> found = new ArrayList<>();
        long bytes = 0;
        long position = 0;
        List<StoredEntry> page = read(tree, position, 256, 1 << 20);
        while (!page.isEmpty()) {
            for (StoredEntry entry : page) {
                if (runId.equals(entry.runId()) && entry.numbered() && entry.seq() > afterSeq) {
                    bytes += entry.payload().size();
                    if (found.size() == maxEntries || bytes > maxBytes && !found.isEmpty()) {
                        return found;
                    }
                    found.add(entry);
                }
            }
            position = page.get(page.size() - 1).position();
            page = read(tree, position, 256, 1 << 20);
        }
        return found;
    }

    /**
     * The position to read from for whoever has seen everything numbered up to {@code seq} in a session: that of the
     * last entry with a number of at most {@code seq}; 0 if there is none, the head if every numbered entry has been
     * seen and {@code seq} is beyond the last.
     */
    long positionAfterSeq(StreamKey session, long seq);
}
