package dev.tidings.jpa;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Databases for the tests; each call makes an empty one. Servers live until the JVM ends.
 *
 * @param url where it is
 * @param user who may do everything there, without a password
 */
record TestDatabase(String url, String user) {

    // Confined: tests start databases one after the other.
    private static @Nullable EmbeddedPostgres postgres;

    static TestDatabase h2() {
        return new TestDatabase(
                "jdbc:h2:mem:" + UUID.randomUUID()
                        + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000;OPTIMIZE_REUSE_RESULTS=FALSE",
                "sa");
    }

    static TestDatabase postgresql() throws IOException, SQLException {
        if (postgres == null) {
            postgres = EmbeddedPostgres.builder()
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("fsync", "off")
                    .start();
        }
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        create(postgres.getJdbcUrl("postgres", "postgres"), "postgres", name);
        return new TestDatabase(postgres.getJdbcUrl("postgres", name), "postgres");
    }

    static void create(String url, String user, String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, "");
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
    }
}
