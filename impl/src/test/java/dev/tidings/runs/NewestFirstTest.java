package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.Head;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NewestFirstTest {
    private static final StreamKey STREAM = StreamKey.session("s");
    private static final long LENGTH = 1_000_000;

    /** A stream of a million entries; every tenth is of the run {@code r}. Counts what is read of it. */
    private static final class LongLog implements EventLog {
        private long read;

        @Override
        public String epoch() {
            return "e";
        }

        @Override
        public Head head(StreamKey stream) {
            return new Head(LENGTH, LENGTH);
        }

        @Override
        public Map<StreamKey, Head> heads(Collection<StreamKey> streams) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
            List<StoredEntry> page = LongStream.rangeClosed(
                            afterPosition + 1, Math.min(LENGTH, afterPosition + Math.min(maxEntries, 100)))
                    .mapToObj(NewestFirstTest::entry)
                    .toList();
            read += page.size();
            return page;
        }

        @Override
        public long positionAfterSeq(StreamKey session, long seq) {
            throw new UnsupportedOperationException();
        }
    }

    private static StoredEntry entry(long position) {
        return new StoredEntry(
                STREAM,
                position,
                position,
                "e" + position,
                EntryKind.EVENT,
                Payload.of("{}"),
                position % 10 == 0 ? "r" : null,
                1);
    }

    private final LongLog log = new LongLog();

    @Test
    void find_young_readsAFewHundred() {
        Optional<StoredEntry> found =
                NewestFirst.find(log, STREAM, entry -> entry.id().equals("e" + (LENGTH - 300)));
        assertEquals(LENGTH - 300, found.orElseThrow().position());
        assertTrue(log.read <= 512, () -> log.read + " entries were read");
    }

    @Test
    void find_several_isTheLast() {
        assertEquals(
                LENGTH,
                NewestFirst.find(log, STREAM, entry -> "r".equals(entry.runId()))
                        .orElseThrow()
                        .position());
    }

    @Test
    void find_theVeryFirst_isFound() {
        assertEquals(
                1,
                NewestFirst.find(log, STREAM, entry -> entry.id().equals("e1"))
                        .orElseThrow()
                        .position());
        assertEquals(LENGTH, log.read);
    }

    @Test
    void find_none_isEmpty() {
        assertEquals(Optional.empty(), NewestFirst.find(log, STREAM, entry -> false));
    }
}
