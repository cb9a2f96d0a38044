package dev.tidings.servers.micro;

import dev.tidings.servers.HealthContract;
import dev.tidings.servers.LoopbackPorts;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Payara Micro has MicroProfile Health, too. */
final class MicroWatchersIT extends HealthContract {

    // Confined: the test's thread.
    private static @Nullable MicroServer server;

    @BeforeAll
    static void start() {
        int impatient = new LoopbackPorts().next();
        System.setProperty(IMPATIENT_PORT, Integer.toString(impatient));
        server = MicroServer.with(
                applicationWithHealth(),
                "create-protocol impatient",
                "create-http --default-virtual-server server --timeout-seconds " + IMPATIENT_SECONDS
                        + " --request-timeout-seconds " + IMPATIENT_SECONDS + " impatient",
                "create-network-listener --address 127.0.0.1 --listenerport " + impatient
                        + " --protocol impatient --transport tcp impatient");
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
