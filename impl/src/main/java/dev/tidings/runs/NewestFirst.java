package dev.tidings.runs;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds entries from the end of a stream: what is looked for there is mostly young, and a stream may be long.
 *
 * <p>Threads: any; blocks on the log. Memory: one page.
 */
final class NewestFirst {
    private static final int CHUNK = 256;
    private static final int PAGE_BYTES = 1 << 20;

    private NewestFirst() {}

    /**
     * The last entry of a stream that is wanted; reads as far back as that. Whoever looks for something that may not be
     * there wants something older as well, at which the search ends.
     */
    static Optional<StoredEntry> find(EventLog log, StreamKey stream, Predicate<StoredEntry> wanted) {
        long before = log.head(stream).position();
        while (before > 0) {
            long after = Math.max(0, before - CHUNK);
            Optional<StoredEntry> found = lastIn(log, stream, after, before, wanted);
            if (found.isPresent()) {
                return found;
            }
            before = after;
        }
        return Optional.empty();
    }

    private static Optional<StoredEntry> lastIn(
            EventLog log, StreamKey stream, long after, long upTo, Predicate<StoredEntry> wanted) {
        Optional<StoredEntry> last = Optional.empty();
        long from = after;
        while (from < upTo) {
            List<StoredEntry> page = log.read(stream, from, (int) (upTo - from), PAGE_BYTES);
            if (page.isEmpty()) {
                return last;
            }
            for (StoredEntry entry : page) {
                if (wanted.test(entry)) {
                    last = Optional.of(entry);
                }
            }
            from = page.get(page.size() - 1).position();
        }
        return last;
    }
}
