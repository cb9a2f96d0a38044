package dev.tidings.standalone.outside;

import dev.tidings.blackbox.CommandsSuite;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The black-box suite of the session commands against {@code ./run}. */
@TestInstance(Lifecycle.PER_CLASS)
class CommandsBlackBoxIT extends CommandsSuite {

    private RunningServer server;

    @BeforeAll
    void start(@TempDir Path data) {
        server = RunningServer.start(data);
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Override
    protected URI base() {
        return server.base();
    }
}
