package dev.tidings.standalone.outside;

import dev.tidings.blackbox.TrapsSuite;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What containers get wrong, against {@code ./run}. */
@TestInstance(Lifecycle.PER_CLASS)
class TrapsIT extends TrapsSuite {

    private RunningServer server;

    @BeforeAll
    void start(@TempDir Path data) {
        server = RunningServer.start(
                data,
                Map.of(
                        "TIDINGS_HEARTBEAT_INTERVAL", "PT1S",
                        "TIDINGS_OUTBOX_SEND_TIMEOUT", "PT5S",
                        "TIDINGS_AGENTS_MAX_SOCKETS_PER_ACCOUNT", "128"));
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
