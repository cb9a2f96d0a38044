package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the database of {@code ./run} bears. */
@Timeout(120)
class DatabaseIT {
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

    /**
     * A commit that one query has seen, the next one sees, too. While a commit was on its way to the disk, H2 gave a query
     * that had been asked before its old answer: an agent was shown as busy beside a session that was idle already.
     */
    @Test
    void query_askedBefore_seesWhatAnotherQueryHasSeen() throws Exception {
        int commits = 500;
        sql("insert into note values (1, '0')");
        ExecutorService writer = Executors.newSingleThreadExecutor();
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement again = connection.prepareStatement("select text from note where id = ?")) {
            Future<?> written = writer.submit(() -> {
                for (int i = 1; i <= commits; i++) {
                    sql("update note set text = '" + i + "' where id = 1");
                }
            });
            again.setInt(1, 1);
            int unlike = 0;
            for (int seen = 0; seen < commits; ) {
                if (written.isDone()) {
                    // If it failed, the last commit never comes.
                    written.get();
                }
                // A query like no other is always answered anew.
                try (Statement fresh = connection.createStatement();
                        ResultSet row = fresh.executeQuery("select text, " + unlike++ + " from note where id = 1")) {
                    row.next();
                    seen = row.getInt(1);
                }
                try (ResultSet row = again.executeQuery()) {
                    row.next();
                    int next = row.getInt(1);
                    assertTrue(next >= seen, "seen before: " + seen + ", and now: " + next);
                }
            }
        } finally {
            writer.shutdownNow();
        }
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
