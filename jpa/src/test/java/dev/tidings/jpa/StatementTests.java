package dev.tidings.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.Head;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.spi.RunFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
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
        // Heads locked (PostgreSQL), raised and read, entries inserted.
        assertStatements(locks() + 2 * turns(SESSIONS) + inserts(SESSIONS), statements);
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
        assertStatements(locks() + 2 * turns(20) + inserts(39), statements);
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
        assertStatements(1 + locks() + 3 * turns(SESSIONS) + inserts(SESSIONS), statements);
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

    private int locks() throws SQLException {
        return dialect() == Dialect.POSTGRESQL ? 1 : 0;
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
