package dev.tidings.servers.micro;

import dev.tidings.servers.backend.Backend;
import dev.tidings.servers.backend.PayaraPool;
import dev.tidings.servers.backend.PostgresqlContract;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class PostgresqlIT extends PostgresqlContract {

    // Confined: the test's thread.
    private static @Nullable MicroServer server;

    @BeforeAll
    static void start() {
        NewerJava.assumed();
        server = MicroServer.with(war(Backend.probedWarWithoutQueues("postgresql.war"), PayaraPool.NAME)
                .addAsWebInfResource(
                        new StringAsset(PayaraPool.descriptor(startDatabase())), "glassfish-resources.xml"));
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
    protected List<String> sources() {
        return MicroBackendContract.SOURCES;
    }

    @Override
    protected Pattern requestAndStartThreads() {
        return MicroBackendContract.REQUESTS_AND_START;
    }
}
