package dev.tidings.standalone.outside;

import dev.tidings.blackbox.AgentsSuite;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * The black-box suite against {@code ./run --database} on PostgreSQL, and without the server's door: what leaves the portable
 * way is the same.
 */
@TestInstance(Lifecycle.PER_CLASS)
class PostgresqlBlackBoxIT extends AgentsSuite {

    private PostgresqlServer database;
    private RunningServer server;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        database = PostgresqlServer.start();
        server = RunningServer.start(
                data,
                Map.of("TIDINGS_TRANSPORT_DOOR", "portable"),
                "--database",
                database.url(),
                "--database-user",
                "postgres");
    }

    @AfterAll
    void stop() throws Exception {
        try (AutoCloseable last = database;
                RunningServer first = server) {
            first.stop();
        }
    }

    @Override
    protected URI base() {
        return server.base();
    }
}
