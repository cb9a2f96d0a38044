package dev.tidings.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidings.EntryKind;
import dev.tidings.Head;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.spi.RunFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How many statements a transaction takes: a matter of what it does, not of how many sessions and entries it does it to. */
abstract class StatementTests {

    private static final int SESSIONS = 200;
    private static final int ENTRIES = 100;

    abstract Harness harness();

    @Test
    void append_manySessions_takesFewStatements() throws SQLException {
        List<StreamKey> sessions = newSessions(SESSIONS);
        List<String> statements =
                statements(() -> sessions.forEach(session -> harness().writer().append(session, entry("e"))));
        // Heads locked and raised (PostgreSQL), or raised and read; entries inserted.
        assertStatements(2 * turns(SESSIONS) + inserts(SESSIONS), statements);
        for (StreamKey session : sessions) {
            assertEquals(new Head(1, 1), harness().log().head(session));
        }
    }

    @Test
    void append_differentNumbersOfEntries_takesFewStatements() throws SQLException {
        List<StreamKey> sessions = newSessions(20);
        List<String> statements = statements(() -> {
            for (int i = 0; i < sessions.size(); i++) {
                for (int e = 0; e <= i % 3; e++) {
                    harness().writer().append(sessions.get(i), entry("e" + e));
                }
            }
        });
        assertStatements(2 * turns(20) + inserts(39), statements);
        for (int i = 0; i < sessions.size(); i++) {
            assertEquals(new Head(i % 3 + 1, i % 3 + 1), harness().log().head(sessions.get(i)));
        }
    }

    @Test
    void append_manyEntriesOfOneSession_takesFewStatements() throws SQLException {
        StreamKey session = newSessions(1).get(0);
        List<String> statements = statements(() -> {
            for (int i = 0; i < ENTRIES; i++) {
                harness().writer().append(session, entry("e" + i));
            }
        });
        assertStatements(2 + inserts(ENTRIES), statements);
        assertEquals(new Head(ENTRIES, ENTRIES), harness().log().head(session));
    }

    /** Law 10: the right of the run is read with the head. */
    @Test
    void append_oneRun_takesThreeStatements() throws SQLException {
        StreamKey session = newSessions(1).get(0);
        RunFence run = new RunFence("run-" + UUID.randomUUID(), 1);
        harness().transactions().run(() -> harness().writer().openFence(session, run));
        List<String> statements = statements(() -> harness().writer().append(session, entry("e"), run));
        assertStatements(3, statements);
        assertEquals(new Head(1, 1), harness().log().head(session));
    }

    /** Law 10: the rights of all runs are read at once. */
    @Test
    void append_manyRuns_takesFewStatements() throws SQLException {
        Map<StreamKey, RunFence> runs = new LinkedHashMap<>();
        newSessions(SESSIONS).forEach(session -> runs.put(session, new RunFence("run-" + UUID.randomUUID(), 1)));
        harness().transactions().run(() -> runs.forEach(harness().writer()::openFence));
        List<String> statements = statements(() -> {
            Set<StreamKey> held = harness().writer().holdFree(runs.keySet());
            assertEquals(runs.keySet(), held);
            runs.forEach((session, fence) -> harness().writer().append(session, entry("e"), fence));
        });
        assertStatements(1 + 3 * turns(SESSIONS) + inserts(SESSIONS), statements);
    }

    @Test
    void number_manySessions_takesFewStatements() throws SQLException {
        Map<String, Long> upTo = new LinkedHashMap<>();
        List<StreamKey> sessions = newSessions(SESSIONS);
        harness()
                .transactions()
                .run(() -> sessions.forEach(session -> {
                    harness().writer().append(session, entry("e"));
                    upTo.put(session.id(), 1L);
                }));
        List<String> statements =
                harness().statements().during(() -> harness().feed().number(upTo, 0));
        int inserts = dialect() == Dialect.POSTGRESQL ? 1 : SESSIONS / 64 + 1;
        // The feed's head locked, the sessions looked at, numbers inserted, the head written.
        assertStatements(3 + inserts, statements);
    }

    @Test
    void number_farBehind_postgresqlLooksForTheLastNumberOnce() throws SQLException {
        assumeTrue(dialect() == Dialect.POSTGRESQL);
        StreamKey session = newSessions(1).get(0);
        harness().transactions().run(() -> {
            for (int i = 0; i < ENTRIES; i++) {
                harness().writer().append(session, entry("e" + i));
            }
        });
        harness().feed().number(Map.of(session.id(), 1L), 0);
        List<String> statements =
                harness().statements().during(() -> harness().feed().number(Map.of(session.id(), (long) ENTRIES), 0));
        assertStatements(4, statements);
        assertEquals(
                ENTRIES,
                harness().feed().readSession(session.id(), 0, 1_000, 1 << 20).size());
    }

    /** Without statistics PostgreSQL would compare each row of the feed with all entries. */
    @Test
    void read_feed_postgresqlLooksUpEachEntry() throws SQLException {
        assumeTrue(dialect() == Dialect.POSTGRESQL);
        StreamKey session = newSessions(1).get(0);
        harness().transactions().run(() -> harness().writer().append(session, entry("e")));
        long place = harness().feed().number(Map.of(session.id(), 1L), 0).place();
        List<String> statements =
                harness().statements().during(() -> harness().feed().read(place - 1, 1, 1_000));
        List<String> reads =
                statements.stream().filter(sql -> sql.contains("tidings_entry")).toList();
        assertFalse(reads.isEmpty(), statements::toString);
        for (String read : reads) {
            assertLooksUp(read, 1_000, place - 1, place);
        }
    }

    /** Without statistics PostgreSQL would compare each session with all heads. */
    @Test
    void append_manySessions_postgresqlLooksUpEachHead() throws SQLException {
        assumeTrue(dialect() == Dialect.POSTGRESQL);
        List<StreamKey> sessions = newSessions(SESSIONS);
        List<String> locks =
                statements(() -> sessions.forEach(session -> harness().writer().append(session, entry("e")))).stream()
                        .filter(sql -> sql.contains("for update"))
                        .toList();
        assertEquals(1, locks.size(), locks::toString);
        String ids = sessions.stream().map(StreamKey::id).collect(Collectors.joining(",", "{", "}"));
        assertLooksUp(locks.get(0), ids, "s");
    }

    private void assertLooksUp(String sql, Object... arguments) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Connection connection = harness().dataSource().getConnection();
                PreparedStatement explain = connection.prepareStatement("explain " + sql)) {
            for (int i = 0; i < arguments.length; i++) {
                explain.setObject(i + 1, arguments[i]);
            }
            try (ResultSet lines = explain.executeQuery()) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
        }
        assertTrue(plan.indexOf("Nested Loop") >= 0, plan::toString);
        assertTrue(plan.indexOf("Index Scan") >= 0, plan::toString);
        assertFalse(plan.indexOf("Join Filter") >= 0, plan::toString);
    }

    private int turns(int sessions) throws SQLException {
        int atOnce = dialect().headsAtOnce();
        return (sessions + atOnce - 1) / atOnce;
    }

    /** At 32 rows a statement, and for what is left one for each bit of its number. */
    private int inserts(int rows) throws SQLException {
        return dialect() == Dialect.POSTGRESQL ? 1 : rows / 32 + Integer.bitCount(rows % 32);
    }

    private Dialect dialect() throws SQLException {
        try (Connection connection = harness().dataSource().getConnection()) {
            return Dialect.of(connection);
        }
    }

    private static void assertStatements(int expected, List<String> statements) {
        assertTrue(
                statements.size() <= expected,
                () -> statements.size() + " statements, not " + expected + ": " + String.join("\n", statements));
        // The counting itself works.
        assertTrue(statements.stream().anyMatch(sql -> sql.startsWith("insert into")), statements::toString);
    }

    private List<String> statements(Runnable work) {
        return harness().statements().during(() -> harness().transactions().run(work));
    }

    private List<StreamKey> newSessions(int count) {
        List<StreamKey> sessions = new ArrayList<>();
        harness().transactions().run(() -> {
            for (int i = 0; i < count; i++) {
                sessions.add(newSession());
            }
        });
        // Which database it is is asked once, and then known.
        harness().transactions().run(() -> harness().writer().append(newSession(), entry("first")));
        return sessions;
    }

    private StreamKey newSession() {
        String id = "session-" + UUID.randomUUID();
        harness().directoryWriter().create(SessionInfo.idle(id, "owner", "agent", null, 1));
        return StreamKey.session(id);
    }

    private static NewEntry entry(String id) {
        return new NewEntry(id, EntryKind.EVENT, true, Payload.of("{}"), null, 1);
    }
}
