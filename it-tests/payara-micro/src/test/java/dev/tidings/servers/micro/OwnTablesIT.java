package dev.tidings.servers.micro;

import dev.tidings.servers.backend.OwnTablesContract;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class OwnTablesIT extends OwnTablesContract {

    // Confined: the test's thread.
    private static @Nullable MicroServer server;

    @BeforeAll
    static void start() {
        server = MicroServer.with(war());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected URI deployment() {
        return Objects.requireNonNull(server).base();
    }
}
