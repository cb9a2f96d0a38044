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

/** The black-box suite against {@code ./run} without its door: what leaves the portable way is the same. */
@TestInstance(Lifecycle.PER_CLASS)
class PortableBlackBoxIT extends AgentsSuite {

    private RunningServer server;

    @BeforeAll
    void start(@TempDir Path data) {
        server = RunningServer.start(data, Map.of("TIDINGS_TRANSPORT_DOOR", "portable"));
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
