package dev.tidings.standalone.outside;

import dev.tidings.blackbox.CommandsSuite;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The black-box suite of the session commands on PostgreSQL, which bears other texts and other races than H2. */
@TestInstance(Lifecycle.PER_CLASS)
class CommandsPostgresqlIT extends CommandsSuite {

    private PostgresqlServer database;
    private RunningServer server;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        database = PostgresqlServer.start();
        server = RunningServer.start(data, "--database", database.url(), "--database-user", "postgres");
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
