package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the database of {@code ./run} bears. */
@Timeout(120)
class DatabaseIT {
    private static final int COMMITS = 3_000;

    @TempDir
    private Path data;

    private Database database;

    @BeforeEach
    void open() {
        Transactions.configure(data);
        database = Database.open(data, Options.OtherDatabase.NONE, ConfigProvider.getConfig());
        sql("create table note (id bigint primary key, text varchar(1000))");
        sql("insert into note values (0, '')");
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Law 5: one interrupted thread costs nobody else the database. */
    @Test
    void commit_threadInterrupted_databaseStaysOpen() throws Exception {
        for (int i = 1; i <= 20; i++) {
            String insert = "insert into note values (" + i + ", 'a')";
            Thread interrupted = new Thread(() -> {
                Thread.currentThread().interrupt();
                sql(insert);
            });
            interrupted.setUncaughtExceptionHandler((thread, refused) -> {});
            interrupted.start();
            interrupted.join();
            sql("update note set text = text || 'b' where id = 0");
        }
        assertEquals(20, number("select char_length(text) from note where id = 0"));
        database.close();
        database = Database.open(data, Options.OtherDatabase.NONE, ConfigProvider.getConfig());
        assertEquals(20, number("select char_length(text) from note where id = 0"));
    }

    /** Law 4: neither the file nor what is known of it grows with every commit. */
    @Test
    void tidy_manyCommits_fileIsUsedAgain() throws Exception {
        // Milliseconds; else versions are kept for 45 seconds.
        sql("set retention_time 50");
        DataSource pool = database.dataSource();
        for (int i = 0; i < COMMITS; i++) {
            sql("update note set text = '" + i + "' where id = 0");
            if (i % 100 == 0) {
                H2Housekeeping.tidy(pool);
            }
        }
        long bytes = Files.size(data.resolve("tidings.mv.db"));
        assertTrue(bytes < COMMITS * 4_096L, bytes + " bytes for one row, after " + COMMITS + " commits");
        assertEquals(COMMITS - 1, number("select cast(text as bigint) from note where id = 0"));
    }

    private void sql(String statement) {
        try (Connection connection = database.dataSource().getConnection();
                Statement run = connection.createStatement()) {
            run.execute(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private long number(String query) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement run = connection.createStatement();
                ResultSet result = run.executeQuery(query)) {
            assertTrue(result.next());
            return result.getLong(1);
        }
    }
}
