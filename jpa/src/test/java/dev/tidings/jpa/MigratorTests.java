package dev.tidings.jpa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The migrations, on an empty database for each test. */
abstract class MigratorTests {

    private static final String MIGRATIONS = Integer.toString(Migration.ALL.size());

    private DataSource dataSource = dataSource(new TestDatabase("", ""));

    abstract TestDatabase emptyDatabase() throws Exception;

    @BeforeEach
    void makeDatabase() throws Exception {
        dataSource = dataSource(emptyDatabase());
    }

    @Test
    void migrate_again_changesNothing() throws SQLException {
        TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE);
        String epoch = text("select epoch from tidings_epoch");
        String at = text("select sum(applied_at) from tidings_schema");
        TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE);
        TidingsSchema.prepare(dataSource, TidingsSchema.Mode.VALIDATE);
        assertEquals(epoch, text("select epoch from tidings_epoch"));
        assertEquals(at, text("select sum(applied_at) from tidings_schema"));
        assertEquals(MIGRATIONS, text("select count(*) from tidings_schema"));
    }

    @Test
    void migrate_manyAtOnce_waitForEachOther() throws Exception {
        int starters = 6;
        CountDownLatch together = new CountDownLatch(starters);
        ExecutorService pool = Executors.newFixedThreadPool(starters);
        try {
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < starters; i++) {
                futures.add(pool.submit(() -> {
                    together.countDown();
                    together.await();
                    TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE);
                    return null;
                }));
            }
            for (Future<?> future : futures) {
                future.get(100, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        assertEquals(MIGRATIONS, text("select count(*) from tidings_schema"));
        assertEquals("1", text("select count(*) from tidings_epoch"));
    }

    /** A starter that died in the middle of a migration left some tables and no record. */
    @Test
    void migrate_afterOneThatWasCut_finishesIt() throws SQLException {
        TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE);
        execute("drop table tidings_receipt");
        execute("delete from tidings_epoch");
        execute("delete from tidings_schema");
        TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE);
        assertEquals("0", text("select count(*) from tidings_receipt"));
        assertEquals("1", text("select count(*) from tidings_epoch"));
    }

    @Test
    void prepare_newerSchema_isRefused() throws SQLException {
        TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE);
        execute("insert into tidings_schema (version, checksum, applied_at) values (99, 'x', 1)");
        assertThrows(SchemaException.class, () -> TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE));
        assertThrows(SchemaException.class, () -> TidingsSchema.prepare(dataSource, TidingsSchema.Mode.VALIDATE));
        TidingsSchema.prepare(dataSource, TidingsSchema.Mode.OFF);
    }

    @Test
    void prepare_changedMigration_isRefused() throws SQLException {
        TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE);
        execute("update tidings_schema set checksum = 'other'");
        assertThrows(SchemaException.class, () -> TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE));
        assertThrows(SchemaException.class, () -> TidingsSchema.prepare(dataSource, TidingsSchema.Mode.VALIDATE));
    }

    @Test
    void validate_emptyDatabase_isRefusedAndMakesNothing() {
        assertThrows(SchemaException.class, () -> TidingsSchema.prepare(dataSource, TidingsSchema.Mode.VALIDATE));
        assertThrows(SQLException.class, () -> text("select count(*) from tidings_schema"));
    }

    @Test
    void validate_migrationMissing_isRefused() throws SQLException {
        TidingsSchema.prepare(dataSource, TidingsSchema.Mode.MIGRATE);
        execute("delete from tidings_schema");
        assertThrows(SchemaException.class, () -> TidingsSchema.prepare(dataSource, TidingsSchema.Mode.VALIDATE));
    }

    /** The connections come from a pool and must go back as they were. */
    @Test
    void migrate_wellOrBadly_givesConnectionsBackAsTheyWere() throws SQLException {
        List<Boolean> autoCommitAtClose = new ArrayList<>();
        DataSource watched = watched(dataSource, autoCommitAtClose);
        TidingsSchema.prepare(watched, TidingsSchema.Mode.MIGRATE);
        execute("update tidings_schema set checksum = 'other'");
        assertThrows(SchemaException.class, () -> TidingsSchema.prepare(watched, TidingsSchema.Mode.MIGRATE));
        assertEquals(List.of(true, true, true, true), autoCommitAtClose);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String query) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            assertTrue(result.next());
            return result.getString(1);
        }
    }

    private static DataSource watched(DataSource source, List<Boolean> autoCommitAtClose) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            Connection connection = source.getConnection();
            return proxy(Connection.class, (inner, call, values) -> {
                if (call.getName().equals("close")) {
                    autoCommitAtClose.add(connection.getAutoCommit());
                }
                try {
                    return call.invoke(connection, values);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });
        });
    }

    private static DataSource dataSource(TestDatabase database) {
        return proxy(
                DataSource.class,
                (proxy, method, arguments) -> DriverManager.getConnection(database.url(), database.user(), ""));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(MigratorTests.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
