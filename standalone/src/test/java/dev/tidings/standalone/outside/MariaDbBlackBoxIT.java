package dev.tidings.standalone.outside;

import dev.tidings.blackbox.AgentsSuite;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The black-box suite against {@code ./run --database} on MariaDB. */
@TestInstance(Lifecycle.PER_CLASS)
class MariaDbBlackBoxIT extends AgentsSuite {

    private MariaDbServer database;
    private RunningServer server;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        database = MariaDbServer.start();
        server = RunningServer.start(data, "--database", database.url(), "--database-user", "root");
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
