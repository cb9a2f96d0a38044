package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
