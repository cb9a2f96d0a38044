package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

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

/**
 * A log in memory that can fail, and lets others run while it reads.
 *
 * <p>Threads: one.
 */
final class SimLog implements EventLog {
    private static final Payload PAYLOAD = Payload.of("{\"x\":1}");

    private final Map<StreamKey, List<StoredEntry>> streams = new HashMap<>();
    private final int maxReads;
    private final Runnable meanwhile;
    boolean failing;
    boolean outOfMemory;
    boolean broken;
    int mostEntries = Integer.MAX_VALUE;
    int comparing;
    int reads;
    int headReads;
    private int readingNow;

    SimLog(int maxReads, Runnable meanwhile) {
        this.maxReads = maxReads;
        this.meanwhile = meanwhile;
    }

    /** Commits entries at the end of a stream. */
    List<StoredEntry> append(StreamKey key, int count) {
        List<StoredEntry> stream = streams.computeIfAbsent(key, k -> new ArrayList<>());
        List<StoredEntry> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            added.add(entry(key, stream.size() + i + 1));
        }
        stream.addAll(added);
        return added;
    }

    static StoredEntry entry(StreamKey key, long position) {
        return new StoredEntry(key, position, seq(position), "id" + position, EntryKind.EVENT, PAYLOAD, null, 0);
    }

    /** The number of the entry at a position; one in four has none. */
    static long seq(long position) {
        return position % 4 == 0 ? 0 : position - position / 4;
    }

    /** Takes an entry out, as a damaged log would. */
    void damage(StreamKey key, long position) {
        streams.getOrDefault(key, new ArrayList<>()).removeIf(entry -> entry.position() == position);
    }

    /** Those who read are gone. */
    void clear() {
        readingNow = 0;
    }

    long reaches(StreamKey key) {
        List<StoredEntry> stream = streams.getOrDefault(key, List.of());
        return stream.isEmpty() ? 0 : stream.get(stream.size() - 1).position();
    }

    @Override
    public String epoch() {
        return "epoch";
    }

    @Override
    public Head head(StreamKey stream) {
        throw new AssertionError("the engine asks for heads");
    }

    @Override
    public Map<StreamKey, Head> heads(Collection<StreamKey> keys) {
        Map<StreamKey, Head> heads = new HashMap<>();
        keys.forEach(key -> {
            if (reaches(key) > 0) {
                heads.put(key, new Head(reaches(key), 0));
            }
        });
        headReads++;
        reading(comparing > 0);
        return heads;
    }

    @Override
    public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
        List<StoredEntry> page = new ArrayList<>();
        List<StoredEntry> all = streams.getOrDefault(stream, List.of());
        // Positions may be missing, so none is further back than its index.
        for (int i = 0; i < all.size() && page.size() < Math.min(maxEntries, mostEntries); i++) {
            if (all.get(i).position() > afterPosition) {
                page.add(all.get(i));
            }
        }
        reads++;
        reading(false);
        return page;
    }

    @Override
    public long positionAfterSeq(StreamKey session, long seq) {
        throw new AssertionError("not for the engine");
    }

    private void reading(boolean outOfLanes) {
        assertTrue(EngineLock.noneHeld(), "law 8: the log is called under a lock");
        boolean fails = failing;
        if (!outOfLanes) {
            readingNow++;
            assertTrue(readingNow <= maxReads, "more reads at once than allowed");
        }
        meanwhile.run();
        if (!outOfLanes) {
            readingNow--;
        }
        if (broken) {
            throw new MadeUp.Linkage();
        }
        if (outOfMemory) {
            throw new MadeUp.OutOfMemory();
        }
        if (fails) {
            throw new IllegalStateException("no database");
        }
    }
}
