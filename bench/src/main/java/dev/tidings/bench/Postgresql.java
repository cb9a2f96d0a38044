package dev.tidings.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A PostgreSQL of this run, with its usual settings: a commit is on the disk when it returns.
 *
 * <p>Threads: one.
 */
final class Postgresql implements AutoCloseable {
    static final String USER = "postgres";

    private final EmbeddedPostgres server;
    private final long pid;

    private Postgresql(EmbeddedPostgres server, long pid) {
        this.server = server;
        this.pid = pid;
    }

    /** Starts it, empty. */
    static Postgresql start() {
        try {
            // The package is made for tests, and would leave all of these off.
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .start();
            String url = server.getJdbcUrl(USER, USER);
            return new Postgresql(server, postmaster(url));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long postmaster(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, USER, "");
                Statement statement = connection.createStatement()) {
            if (!show(statement, "fsync").equals("on")) {
                throw new IllegalStateException("this PostgreSQL is not durable");
            }
            try (ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
                row.next();
                return ProcessHandle.of(row.getLong(1))
                        .flatMap(ProcessHandle::parent)
                        .map(ProcessHandle::pid)
                        .orElse(-1L);
            }
        }
    }

    private static String show(Statement statement, String setting) throws SQLException {
        try (ResultSet row = statement.executeQuery("show " + setting)) {
            row.next();
            return row.getString(1);
        }
    }

    String url() {
        return server.getJdbcUrl(USER, USER);
    }

    /** What all its processes have used, those included that have ended. */
    ServerProcess.Cpu cpu() {
        return ServerProcess.cpuWithChildren(pid);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException leftBehind) {
            // It is in the system's folder for such things.
        }
    }
}
