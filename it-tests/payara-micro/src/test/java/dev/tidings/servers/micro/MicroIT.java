package dev.tidings.servers.micro;

import dev.tidings.servers.SampleBackendContract;
import dev.tidings.servers.backend.ServerProcess;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class MicroIT extends SampleBackendContract {

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

    @Override
    protected String door() {
        return "dev.tidings.transport.payara.PayaraDoor";
    }

    @Override
    protected ServerProcess server() {
        return Objects.requireNonNull(server).process();
    }

    /** Payara asks its own modules first; the bundled CBOR format must fit their Jackson. */
    @Override
    protected String jacksonCoreJar() {
        return "/runtime/jackson-core";
    }
}
