package dev.tidings.testkit;

import dev.tidings.FencedException;
import dev.tidings.Head;
import dev.tidings.NewEntry;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.RunFence;
import dev.tidings.testkit.InMemoryStore.Row;
import dev.tidings.testkit.InMemoryStore.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The log in memory.
 *
 * <p>Threads: safe; a transaction belongs to one thread.
 */
final class InMemoryLog implements EventLog, EventWriter {

    /** The order in which heads are taken. */
    static final Comparator<StreamKey> KEY_ORDER =
            Comparator.comparing(StreamKey::kind).thenComparing(StreamKey::id);

    /** The right of a run to write to a stream; one that has ended stays. */
    record Right(long attempt, boolean ended) {}

    /** The committed state of a stream. */
    record Stream(long position, long seq, Map<String, Right> rights, List<StoredEntry> entries) {

        static final Stream EMPTY = new Stream(0, 0, Map.of(), List.of());
    }

    /** What was asked of a stream in a transaction, to be done while it commits. */
    record Staged(
            StreamKey stream,
            Act act,
            @Nullable NewEntry entry,
            @Nullable RunFence fence) {

        enum Act {
            APPEND,
            OPEN,
            CLOSE
        }
    }

    private final InMemoryStore store;
    private final String epoch = UUID.randomUUID().toString();

    InMemoryLog(InMemoryStore store) {
        this.store = store;
    }

    static Row<Stream> row(StreamKey key) {
        return new Row<>(Stream.class, key);
    }

    /** Makes the empty stream, in the current transaction. */
    void create(StreamKey key) {
        store.put(row(key), Stream.EMPTY);
    }

    @Override
    public void append(StreamKey stream, NewEntry entry, @Nullable RunFence fence) {
        requireDurable(stream);
        if (stream.kind() == StreamKey.Kind.RUN && entry.runId() == null) {
            throw new IllegalArgumentException("an entry of a run tree names its run");
        }
        stage(new Staged(stream, Staged.Act.APPEND, entry, fence));
    }

    @Override
    public void openFence(StreamKey stream, RunFence fence) {
        requireDurable(stream);
        stage(new Staged(stream, Staged.Act.OPEN, null, fence));
    }

    @Override
    public void closeFence(StreamKey stream, RunFence fence) {
        requireDurable(stream);
        stage(new Staged(stream, Staged.Act.CLOSE, null, fence));
    }

    @Override
    public Set<StreamKey> holdFree(Collection<StreamKey> streams) {
        Set<StreamKey> held = new HashSet<>(streams);
        held.removeIf(stream -> !stream.kind().durable() || !store.tryLockRow(row(stream)));
        return held;
    }

    private void stage(Staged staged) {
        Transaction transaction = store.require();
        if (!transaction.rollbackOnly) {
            transaction.staged.add(staged);
        }
    }

    private static void requireDurable(StreamKey stream) {
        if (!stream.kind().durable()) {
            throw new IllegalArgumentException("only sessions and run trees hold entries");
        }
    }

    /** Numbers what a transaction staged, writes it into the transaction and gives the events that tell of it. */
    static List<EntriesStored> number(Transaction transaction, InMemoryStore store) {
        Map<StreamKey, List<Staged>> byStream = new TreeMap<>(KEY_ORDER);
        for (Staged staged : transaction.staged) {
            byStream.computeIfAbsent(staged.stream(), key -> new ArrayList<>()).add(staged);
        }
        List<EntriesStored> events = new ArrayList<>();
        byStream.forEach((key, staged) -> {
            Stream stream = store.find(row(key)).orElseThrow(() -> new UnknownStreamException(key));
            Stream numbered = new Numbering(key, stream).apply(staged);
            transaction.written.put(row(key), Optional.of(numbered));
            List<StoredEntry> fresh = numbered.entries()
                    .subList(stream.entries().size(), numbered.entries().size());
            if (!fresh.isEmpty()) {
                events.add(new EntriesStored(key, fresh));
            }
        });
        return events;
    }

    /** One stream while a transaction commits. Confined: the committing thread. */
    private static final class Numbering {
        private final StreamKey key;
        private final List<StoredEntry> entries;
        private final Map<String, Long> seqOfRun = new HashMap<>();
        // What held at any moment of the transaction may write in all of it: closing speaks of what comes after.
        private final Set<RunFence> held = new HashSet<>();
        private final Map<String, Right> rights;
        private long position;
        private long seq;

        Numbering(StreamKey key, Stream stream) {
            this.key = key;
            entries = new ArrayList<>(stream.entries());
            position = stream.position();
            seq = stream.seq();
            rights = new HashMap<>(stream.rights());
            rights.forEach((run, right) -> {
                if (!right.ended()) {
                    held.add(new RunFence(run, right.attempt()));
                }
            });
            for (StoredEntry entry : stream.entries()) {
                if (entry.runId() != null) {
                    seqOfRun.merge(entry.runId(), entry.seq(), Math::max);
                }
            }
        }

        Stream apply(List<Staged> staged) {
            staged.forEach(this::apply);
            return new Stream(position, seq, Map.copyOf(rights), List.copyOf(entries));
        }

        private void apply(Staged staged) {
            RunFence right = staged.fence();
            NewEntry entry = staged.entry();
            if (entry != null) {
                if (right != null && !held.contains(right)) {
                    throw new FencedException(right.runId());
                }
                append(entry);
            } else if (right != null && staged.act() == Staged.Act.OPEN) {
                open(right);
            } else if (right != null
                    && rights.getOrDefault(right.runId(), new Right(right.attempt(), false))
                                    .attempt()
                            == right.attempt()) {
                rights.put(right.runId(), new Right(right.attempt(), true));
            }
        }

        private void open(RunFence right) {
            Right before = rights.get(right.runId());
            if (before != null && (before.ended() || before.attempt() > right.attempt())) {
                throw new FencedException(right.runId());
            }
            rights.put(right.runId(), new Right(right.attempt(), false));
            held.add(right);
        }

        private void append(NewEntry entry) {
            position++;
            entries.add(new StoredEntry(
                    key,
                    position,
                    entry.numbered() ? nextSeq(entry) : 0,
                    entry.id(),
                    entry.kind(),
                    entry.payload(),
                    entry.runId(),
                    entry.createdAt()));
        }

        private long nextSeq(NewEntry entry) {
            String runId = entry.runId();
            if (key.kind() == StreamKey.Kind.RUN && runId != null) {
                return seqOfRun.merge(runId, 1L, Long::sum);
            }
            return ++seq;
        }
    }

    @Override
    public String epoch() {
        return epoch;
    }

    @Override
    public Head head(StreamKey stream) {
        Stream found = stream(stream);
        return new Head(found.position(), found.seq());
    }

    @Override
    public Map<StreamKey, Head> heads(Collection<StreamKey> streams) {
        Map<StreamKey, Head> heads = new HashMap<>();
        for (StreamKey stream : streams) {
            heads.put(stream, head(stream));
        }
        return heads;
    }

    @Override
    public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
        List<StoredEntry> page = new ArrayList<>();
        List<StoredEntry> entries = stream(stream).entries();
        long bytes = 0;
        for (long i = Math.max(0, afterPosition); i < entries.size() && page.size() < maxEntries; i++) {
            StoredEntry entry = entries.get((int) i);
            bytes += entry.payload().size();
            if (bytes > maxBytes && !page.isEmpty()) {
                break;
            }
            page.add(entry);
        }
        return page;
    }

    @Override
    public long positionAfterSeq(StreamKey session, long seq) {
        Stream stream = stream(session);
        if (seq > stream.seq()) {
            return stream.position();
        }
        long position = 0;
        for (StoredEntry entry : stream.entries()) {
            if (entry.numbered() && entry.seq() <= seq) {
                position = entry.position();
            }
        }
        return position;
    }

    Stream stream(StreamKey key) {
        return store.find(row(key)).orElse(Stream.EMPTY);
    }
}
