package dev.tidings.servers.micro;

import dev.tidings.servers.backend.AbsurdLimitContract;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class AbsurdLimitIT extends AbsurdLimitContract {

    // Confined: the test's thread.
    private static @Nullable MicroServer server;

    @BeforeAll
    static void start() {
        server = MicroServer.with(List.of(beside(), absurd()));
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

    /** Payara Micro deploys both as it starts, and says in its log what became of them. */
    @Override
    protected String refusal() {
        return Objects.requireNonNull(server).output();
    }
}
