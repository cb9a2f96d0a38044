package dev.tidings.jpa;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Runs the migrations that a database has not seen.
 *
 * <p>One connection holds the lock row for as long as it takes, another works: on MariaDB and H2 a statement that makes
 * a table commits, and would let go of a lock of its own. Every statement of a migration can be repeated, so that one
 * that was cut in the middle is simply run again.
 */
final class Migrator {

    private static final System.Logger LOG = System.getLogger(Migrator.class.getName());
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int CREATE_ATTEMPTS = 5;
    private static final int H2_LOCK_TIMEOUT_MILLIS = 10_000;

    private final DataSource dataSource;
    private final List<Migration> migrations;

    Migrator(DataSource dataSource, List<Migration> migrations) {
        this.dataSource = dataSource;
        this.migrations = migrations;
    }

    void migrate() throws SQLException {
        try (Connection lock = dataSource.getConnection();
                Connection work = dataSource.getConnection()) {
            Dialect dialect = Dialect.of(work);
            warnOfSettings(dialect, work);
            makeOwnTables(work);
            lock.setAutoCommit(false);
            try {
                takeLock(lock);
                runMissing(dialect, work);
            } finally {
                lock.rollback();
                lock.setAutoCommit(true);
            }
        }
    }

    void validate() throws SQLException {
        try (Connection work = dataSource.getConnection()) {
            Dialect dialect = Dialect.of(work);
            warnOfSettings(dialect, work);
            Map<Integer, String> applied;
            try {
                applied = applied(work);
            } catch (SQLException e) {
                throw new SchemaException("the tables of Tidings are missing", e);
            }
            check(dialect, applied);
            if (applied.size() < migrations.size()) {
                throw new SchemaException("the tables of Tidings are older than this version needs");
            }
        }
    }

    private static void warnOfSettings(Dialect dialect, Connection connection) throws SQLException {
        if (dialect == Dialect.MARIADB
                && connection.getTransactionIsolation() != Connection.TRANSACTION_READ_COMMITTED) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the data source of Tidings should use the isolation READ_COMMITTED (see the storage guide)");
        }
        if (dialect == Dialect.H2) {
            warnOfLockTimeout(connection);
        }
    }

    /** Left to itself, H2 fails whoever waits for a busy session for more than two seconds. */
    private static void warnOfLockTimeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet millis = statement.executeQuery("select lock_timeout()")) {
            if (millis.next() && millis.getLong(1) < H2_LOCK_TIMEOUT_MILLIS) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the data source of Tidings should say LOCK_TIMEOUT=" + H2_LOCK_TIMEOUT_MILLIS
                                + " to H2 (see the storage guide)");
            }
        }
    }

    /** Two starters may make the same table at once, and then PostgreSQL fails one of them: it tries again. */
    private static void makeOwnTables(Connection work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try (Statement statement = work.createStatement()) {
                statement.execute("create table if not exists tidings_schema_lock (id smallint not null primary key)");
                statement.execute("create table if not exists tidings_schema (version integer not null primary key,"
                        + " checksum varchar(64) not null, applied_at bigint not null)");
                if (!exists(statement, "select id from tidings_schema_lock")) {
                    statement.execute("insert into tidings_schema_lock (id) values (1)");
                }
                return;
            } catch (SQLException e) {
                if (attempt == CREATE_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static boolean exists(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            return result.next();
        }
    }

    private static void takeLock(Connection lock) throws SQLException {
        long start = System.nanoTime();
        while (true) {
            try (Statement statement = lock.createStatement()) {
                exists(statement, "select id from tidings_schema_lock where id = 1 for update");
                return;
            } catch (SQLTimeoutException e) {
                // H2 waits for two seconds only, unless its URL says otherwise.
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw e;
                }
            }
        }
    }

    private void runMissing(Dialect dialect, Connection work) throws SQLException {
        Map<Integer, String> applied = applied(work);
        check(dialect, applied);
        work.setAutoCommit(false);
        try {
            for (Migration migration : migrations) {
                if (!applied.containsKey(migration.version())) {
                    run(migration, dialect, work);
                    LOG.log(System.Logger.Level.INFO, "the tables of Tidings are at version {0}", migration.version());
                }
            }
            nameEpoch(dialect, work);
            work.commit();
        } finally {
            // Undoes what a failure left open; after the commit there is nothing to undo.
            work.rollback();
            work.setAutoCommit(true);
        }
    }

    private void check(Dialect dialect, Map<Integer, String> applied) {
        for (Map.Entry<Integer, String> one : applied.entrySet()) {
            int version = one.getKey();
            Migration known = migrations.stream()
                    .filter(migration -> migration.version() == version)
                    .findFirst()
                    .orElseThrow(
                            () -> new SchemaException("the tables of Tidings are newer than this version: " + version));
            if (!known.checksum(dialect).equals(one.getValue())) {
                throw new SchemaException("a migration is not the one that made the tables: " + version);
            }
        }
    }

    private static Map<Integer, String> applied(Connection work) throws SQLException {
        Map<Integer, String> applied = new TreeMap<>();
        try (Statement statement = work.createStatement();
                ResultSet result = statement.executeQuery("select version, checksum from tidings_schema")) {
            while (result.next()) {
                applied.put(result.getInt(1), result.getString(2));
            }
        }
        return applied;
    }

    private static void run(Migration migration, Dialect dialect, Connection work) throws SQLException {
        try (Statement statement = work.createStatement()) {
            for (String sql : migration.statements(dialect)) {
                statement.execute(sql);
            }
        }
        try (PreparedStatement insert =
                work.prepareStatement("insert into tidings_schema (version, checksum, applied_at) values (?, ?, ?)")) {
            insert.setInt(1, migration.version());
            insert.setString(2, migration.checksum(dialect));
            insert.setLong(3, System.currentTimeMillis());
            insert.executeUpdate();
        }
        work.commit();
    }

    private static void nameEpoch(Dialect dialect, Connection work) throws SQLException {
        try (Statement statement = work.createStatement()) {
            if (exists(statement, "select id from tidings_epoch")) {
                return;
            }
        }
        try (PreparedStatement insert =
                work.prepareStatement("insert into tidings_epoch (id, epoch, dialect) values (1, ?, ?)")) {
            insert.setString(1, UUID.randomUUID().toString());
            insert.setString(2, dialect.code());
            insert.executeUpdate();
        }
    }
}
