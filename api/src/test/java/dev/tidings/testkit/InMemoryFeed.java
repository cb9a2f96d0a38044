package dev.tidings.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.Directory;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.Feed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The feed in memory. Threads: safe. */
final class InMemoryFeed implements Feed {
    private final EventLog log;
    private final Directory directory;
    private final Supplier<List<String>> sessions;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<FeedRow> rows = new ArrayList<>();

    @GuardedBy("lock")
    private final Map<String, Long> numbered = new LinkedHashMap<>();

    @GuardedBy("lock")
    private long nextSeq = 1;

    @GuardedBy("lock")
    private String leader = "";

    @GuardedBy("lock")
    private long leaseUntil;

    InMemoryFeed(EventLog log, Directory directory, Supplier<List<String>> sessions, LongSupplier clock) {
        this.log = log;
        this.directory = directory;
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public Head head() {
        lock.lock();
        try {
            return new Head(nextSeq - 1, rows.size());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Turn number(Map<String, Long> upTo, int reserve) {
        lock.lock();
        try {
            upTo.forEach(this::numberLocked);
            long from = nextSeq;
            nextSeq += reserve;
            return new Turn(from, nextSeq, rows.size(), false);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void numberLocked(String sessionId, long upTo) {
        long after = numbered.getOrDefault(sessionId, 0L);
        String agentId =
                directory.session(sessionId).map(s -> s.value().agentId()).orElse("");
        for (StoredEntry entry : entries(sessionId, after)) {
            if (entry.position() <= upTo) {
                rows.add(new FeedRow(nextSeq++, rows.size() + 1, sessionId, entry.position(), agentId, entry));
                numbered.put(sessionId, entry.position());
            }
        }
    }

    private List<StoredEntry> entries(String sessionId, long after) {
        return log.read(StreamKey.session(sessionId), after, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    @Override
    public List<FeedRow> read(long afterPlace, int maxRows, int maxBytes) {
        return page(row -> row.place() > afterPlace, maxRows, maxBytes);
    }

    @Override
    public List<FeedRow> readSession(String sessionId, long afterPosition, int maxRows, int maxBytes) {
        return page(row -> row.sessionId().equals(sessionId) && row.position() > afterPosition, maxRows, maxBytes);
    }

    private List<FeedRow> page(Predicate<FeedRow> wanted, int maxRows, int maxBytes) {
        List<FeedRow> page = new ArrayList<>();
        long bytes = 0;
        for (FeedRow known : all()) {
            if (!wanted.test(known)) {
                continue;
            }
            FeedRow row = exists(known.sessionId()) ? known : known.withoutEntry();
            StoredEntry entry = row.entry();
            bytes += entry == null ? 0 : entry.payload().size();
            if (page.size() == maxRows || (bytes > maxBytes && !page.isEmpty())) {
                break;
            }
            page.add(row);
        }
        return page;
    }

    private boolean exists(String sessionId) {
        return directory.session(sessionId).isPresent();
    }

    private List<FeedRow> all() {
        lock.lock();
        try {
            return List.copyOf(rows);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long placeAt(long seq) {
        return all().stream()
                .filter(row -> row.seq() <= seq)
                .mapToLong(FeedRow::place)
                .max()
                .orElse(0);
    }

    @Override
    public long positionAt(String sessionId, long seq) {
        return all().stream()
                .filter(row -> row.seq() <= seq && row.sessionId().equals(sessionId))
                .mapToLong(FeedRow::position)
                .max()
                .orElse(0);
    }

    @Override
    public Map<String, Long> behind(int max) {
        Map<String, Long> some = new LinkedHashMap<>();
        behind(sessions.get()).forEach((id, position) -> {
            if (some.size() < max) {
                some.put(id, position);
            }
        });
        return some;
    }

    @Override
    public Map<String, Long> behind(Collection<String> sessionIds) {
        Map<String, Long> behind = new LinkedHashMap<>();
        lock.lock();
        try {
            for (String id : sessionIds) {
                long head = log.head(StreamKey.session(id)).position();
                if (head > numbered.getOrDefault(id, 0L)) {
                    behind.put(id, head);
                }
            }
            return behind;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Set<String> existing(Collection<String> sessionIds) {
        return sessionIds.stream().filter(this::exists).collect(Collectors.toSet());
    }

    @Override
    public boolean lead(String nodeId, Duration lease) {
        long now = clock.getAsLong();
        lock.lock();
        try {
            if (!leader.equals(nodeId) && leaseUntil > now) {
                return false;
            }
            leader = nodeId;
            leaseUntil = now + lease.toMillis();
            return true;
        } finally {
            lock.unlock();
        }
    }
}
