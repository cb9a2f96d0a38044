package dev.tidings.jpa;

import dev.tidings.EntryKind;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.Feed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The feed in two tables: its head, one row that is locked for a turn, and its rows, which are never changed.
 *
 * <p>Heads of sessions are read and never locked: no appender waits for a turn, and no turn for an appender.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional(TxType.REQUIRES_NEW)
class JpaFeed implements Feed {
    private static final int MOST_ROWS = 2_000;
    private static final int SESSIONS_A_QUERY = 256;
    private static final int FURTHER = 16;
    private static final BulkTable ROWS = new BulkTable(
            "tidings_feed",
            List.of(
                    BulkTable.number("place"),
                    BulkTable.number("seq"),
                    BulkTable.text("stream_id"),
                    BulkTable.number("position"),
                    BulkTable.text("agent_id")));
    private static final String SELECT =
            "select f.place, f.seq, f.stream_id, f.position, f.agent_id, e.seq, e.id, e.kind,"
                    + " e.run_id, e.created_at, ";
    private static final String OF_ONE_AGENT = " and f.agent_id = ?";
    private static final String PLACES = " where f.place > ? and f.place <= ? order by f.place";

    private final Database database;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaFeed() {
        this(null);
    }

    @Inject
    JpaFeed(Database database) {
        this.database = database;
    }

    /** A session's entries that have no number. Confined: one turn. */
    private record Behind(String sessionId, String agentId, long after, long upTo) {}

    @Override
    public Head head() {
        return sql().row("select next_seq, place from tidings_feed_head where id = 1")
                .map(row -> new Head(row.number(0) - 1, row.number(1)))
                .orElseThrow(() -> new IllegalStateException("the database was not migrated"));
    }

    @Override
    public Turn number(Map<String, Long> upTo, int reserve) {
        // From here to the commit nobody else numbers.
        Row head = sql().row("select next_seq, place from tidings_feed_head where id = 1 for update")
                .orElseThrow(() -> new IllegalStateException("the database was not migrated"));
        long seq = head.number(0);
        long place = head.number(1);
        List<Object[]> rows = new ArrayList<>();
        boolean more = false;
        for (Behind session : unnumbered(upTo)) {
            long position = session.after() + 1;
            for (; position <= session.upTo() && rows.size() < MOST_ROWS; position++) {
                rows.add(new Object[] {++place, seq++, session.sessionId(), position, session.agentId()});
            }
            more |= position <= session.upTo();
        }
        database.bulk().insert(ROWS, rows);
        sql().update("update tidings_feed_head set next_seq = ?, place = ? where id = 1", seq + reserve, place);
        return new Turn(seq, seq + reserve, place, more);
    }

    private List<Behind> unnumbered(Map<String, Long> upTo) {
        List<String> ids = upTo.keySet().stream().filter(StoredId::possible).toList();
        List<Behind> all = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += SESSIONS_A_QUERY) {
            List<String> some = ids.subList(from, Math.min(ids.size(), from + SESSIONS_A_QUERY));
            Map<String, Behind> behind = new HashMap<>();
            List<String> rest = some;
            for (long reach = database.dialect().feedReach(); !rest.isEmpty(); reach *= FURTHER) {
                rest = behind(rest, reach, upTo, behind);
            }
            // In the order in which they were told.
            some.stream().map(behind::get).filter(Objects::nonNull).forEach(all::add);
        }
        return all;
    }

    /**
     * Looks for the last number of each session near its head, since not every database finds the last one of a long session
     * without reading all of them.
     *
     * @return the sessions whose last number is further back
     */
    private List<String> behind(List<String> ids, long reach, Map<String, Long> upTo, Map<String, Behind> found) {
        List<String> further = new ArrayList<>();
        String select = "select h.stream_id, h.position, h.agent_id, (select f.position from tidings_feed f"
                + " where f.stream_id = h.stream_id and f.position > h.position - " + reach
                + " order by f.position desc limit 1) from tidings_head h where h.stream_kind = 's' and h.stream_id in (?)";
        for (Row row : sql().rows(select, ids)) {
            String id = row.text(0);
            long head = row.number(1);
            Long numbered = row.numberOrNull(3);
            if (numbered == null && head > reach) {
                further.add(id);
            } else {
                long last = Math.min(head, upTo.getOrDefault(id, 0L));
                found.put(id, new Behind(id, row.text(2), numbered == null ? 0 : numbered, last));
            }
        }
        return further;
    }

    @Override
    public List<FeedRow> read(long afterPlace, int maxRows, int maxBytes) {
        return page("f.place", PLACES, afterPlace, maxRows, maxBytes);
    }

    @Override
    public List<FeedRow> readAgent(String agentId, long afterPlace, int maxRows, int maxBytes) {
        // An id that cannot be stored has no entries, and the rows are there all the same.
        String agent = StoredId.possible(agentId) ? agentId : "";
        return page("f.place", OF_ONE_AGENT + PLACES, afterPlace, maxRows, maxBytes, agent);
    }

    @Override
    public List<FeedRow> readSession(String sessionId, long afterPosition, int maxRows, int maxBytes) {
        return StoredId.possible(sessionId)
                ? page(
                        "f.position",
                        " where f.stream_id = ? and f.position > ? and f.position <= ? order by f.position",
                        afterPosition,
                        maxRows,
                        maxBytes,
                        sessionId)
                : List.of();
    }

    /** Both count without a hole, so a range needs no limit. */
    private List<FeedRow> page(String counter, String where, long given, int maxRows, int maxBytes, String... of) {
        long after = Math.max(0, given);
        long upTo = after > Long.MAX_VALUE - maxRows ? after : after + maxRows;
        String from = database.dialect().feedWithEntries() + where;
        if (database.dialect().cutsPages()) {
            return pageAtOnce(counter, from, arguments(of, after, upTo), maxBytes);
        }
        long last = after;
        long bytes = 0;
        // Reads the sizes first, so that payloads beyond the limit never leave the database.
        for (Row row : sql().rows("select " + counter + ", e.payload_size" + from, arguments(of, after, upTo))) {
            Long size = row.numberOrNull(1);
            bytes += size == null ? 0 : size;
            if (bytes > maxBytes && last > after) {
                break;
            }
            last = row.number(0);
        }
        List<FeedRow> page = new ArrayList<>();
        if (last > after) {
            for (Row row : sql().rows(SELECT + "e.payload" + from, arguments(of, after, last))) {
                page.add(feedRow(row));
            }
        }
        return page;
    }

    /** Payloads beyond the limit, but for that of the first entry, are null and do not leave the database. */
    private List<FeedRow> pageAtOnce(String counter, String from, @Nullable Object[] range, int maxBytes) {
        String bytesSoFar =
                "sum(cast(e.payload_size as integer)) over (order by " + counter + " rows unbounded preceding)";
        String payload = "case when " + bytesSoFar + " <= ? or " + bytesSoFar + " = e.payload_size then e.payload end";
        List<@Nullable Object> arguments = new ArrayList<>(List.of(maxBytes));
        arguments.addAll(Arrays.asList(range));
        List<FeedRow> page = new ArrayList<>();
        long bytes = 0;
        for (Row row : sql().rows(SELECT + payload + ", e.payload_size" + from, arguments.toArray())) {
            Long size = row.numberOrNull(11);
            bytes += size == null ? 0 : size;
            if (bytes > maxBytes && !page.isEmpty()) {
                break;
            }
            page.add(feedRow(row));
        }
        return page;
    }

    private static @Nullable Object[] arguments(String[] of, long after, long upTo) {
        List<Object> arguments = new ArrayList<>(List.of(of));
        arguments.add(after);
        arguments.add(upTo);
        return arguments.toArray();
    }

    private static FeedRow feedRow(Row row) {
        String sessionId = row.text(2);
        long position = row.number(3);
        StoredEntry entry = null;
        if (row.textOrNull(6) != null) {
            String runId = row.text(8);
            entry = new StoredEntry(
                    StreamKey.session(sessionId),
                    position,
                    row.number(5),
                    row.text(6),
                    EntryKind.ofCode(row.text(7)).orElseThrow(),
                    row.payload(10),
                    runId.isEmpty() ? null : runId,
                    row.number(9));
        }
        return new FeedRow(row.number(1), row.number(0), sessionId, position, row.text(4), entry);
    }

    @Override
    public long placeAt(long seq) {
        return sql().row("select place from tidings_feed where seq <= ? order by seq desc limit 1", seq)
                .map(row -> row.number(0))
                .orElse(0L);
    }

    @Override
    public long positionAt(String sessionId, long seq) {
        return StoredId.possible(sessionId)
                ? sql().row(
                                "select position from tidings_feed where stream_id = ? and seq <= ?"
                                        + " order by position desc limit 1",
                                sessionId,
                                seq)
                        .map(row -> row.number(0))
                        .orElse(0L)
                : 0;
    }

    @Override
    public Map<String, Long> behind(int max) {
        return reaches(sql().rows(
                        "select h.stream_id, h.position from tidings_head h where h.stream_kind = 's' and h.position > 0"
                                + " and not exists (select 1 from tidings_feed f where f.stream_id = h.stream_id"
                                + " and f.position = h.position) order by h.stream_id limit " + max));
    }

    @Override
    public Map<String, Long> behind(Collection<String> sessionIds) {
        Map<String, Long> all = new LinkedHashMap<>();
        List<String> ids =
                sessionIds.stream().filter(StoredId::possible).distinct().toList();
        for (int from = 0; from < ids.size(); from += SESSIONS_A_QUERY) {
            all.putAll(reaches(sql().rows(
                            "select h.stream_id, h.position from tidings_head h where h.stream_kind = 's'"
                                    + " and h.position > 0 and h.stream_id in (?) and not exists (select 1"
                                    + " from tidings_feed f where f.stream_id = h.stream_id and f.position = h.position)",
                            ids.subList(from, Math.min(ids.size(), from + SESSIONS_A_QUERY)))));
        }
        return all;
    }

    @Override
    public Set<String> existing(Collection<String> sessionIds) {
        Set<String> all = new HashSet<>();
        List<String> ids =
                sessionIds.stream().filter(StoredId::possible).distinct().toList();
        for (int from = 0; from < ids.size(); from += SESSIONS_A_QUERY) {
            // A session has its head from when it is made until it is deleted.
            sql().rows(
                            "select stream_id from tidings_head where stream_kind = 's' and stream_id in (?)",
                            ids.subList(from, Math.min(ids.size(), from + SESSIONS_A_QUERY)))
                    .forEach(row -> all.add(row.text(0)));
        }
        return all;
    }

    private static Map<String, Long> reaches(List<Row> rows) {
        Map<String, Long> reaches = new LinkedHashMap<>();
        rows.forEach(row -> reaches.put(row.text(0), row.number(1)));
        return reaches;
    }

    @Override
    public boolean lead(String nodeId, Duration lease) {
        String now = database.dialect().nowMillis();
        return sql().update(
                                "update tidings_feed_head set leader = ?, lease_until = " + now
                                        + " + ? where id = 1 and (leader = ? or lease_until <= " + now + ")",
                                StoredId.require(nodeId),
                                lease.toMillis(),
                                nodeId)
                == 1;
    }

    private Sql sql() {
        return database.sql();
    }
}
