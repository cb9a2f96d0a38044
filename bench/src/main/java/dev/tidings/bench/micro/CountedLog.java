package dev.tidings.bench.micro;

import dev.tidings.EntryKind;
import dev.tidings.Head;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A log in memory whose entries are all alike, so that only their number is kept.
 *
 * <p>Threads: any.
 */
final class CountedLog implements EventLog {
    private static final Payload PAYLOAD = Payload.of("{\"type\":\"bench\",\"pad\":\"" + "x".repeat(40) + "\"}");

    private final AtomicLong count = new AtomicLong();

    /** Appends one. */
    StoredEntry append(StreamKey stream) {
        return entry(stream, count.incrementAndGet());
    }

    static StoredEntry entry(StreamKey stream, long position) {
        return new StoredEntry(
                stream, position, position, "e" + position, EntryKind.EVENT, PAYLOAD, null, 1_700_000_000_000L);
    }

    @Override
    public String epoch() {
        return "bench";
    }

    @Override
    public Head head(StreamKey stream) {
        return new Head(count.get(), count.get());
    }

    @Override
    public Map<StreamKey, Head> heads(Collection<StreamKey> streams) {
        Map<StreamKey, Head> heads = new HashMap<>();
        streams.forEach(stream -> heads.put(stream, head(stream)));
        return heads;
    }

    @Override
    public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
        List<StoredEntry> page = new ArrayList<>();
        for (long next = afterPosition + 1; next <= count.get() && page.size() < maxEntries; next++) {
            page.add(entry(stream, next));
        }
        return page;
    }

    @Override
    public long positionAfterSeq(StreamKey session, long seq) {
        return seq;
    }
}
