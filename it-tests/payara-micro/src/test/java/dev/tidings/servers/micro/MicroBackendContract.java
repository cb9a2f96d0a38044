package dev.tidings.servers.micro;

import dev.tidings.servers.backend.Backend;
import dev.tidings.servers.backend.BackendContract;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Payara Micro has no queues of its own; everything else of the contract holds there. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class MicroBackendContract extends BackendContract {

    static final List<String> SOURCES = List.of("servlet", "rest", "timer", "executor");

    // The second is whoever deploys; the last belongs to timers.
    static final Pattern REQUESTS_AND_START =
            Pattern.compile("http-thread-pool::http-listener\\(N\\)|main|__ejb-thread-poolN");

    // Confined: the test's thread.
    private @Nullable MicroServer server;

    /** What is deployed. */
    WebArchive war(WebArchive sample) {
        return sample;
    }

    @BeforeAll
    void start() {
        server = MicroServer.with(war(Backend.probedWarWithoutQueues("backend.war")));
    }

    @AfterAll
    void stop() {
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
        return SOURCES;
    }

    @Override
    protected Pattern requestAndStartThreads() {
        return REQUESTS_AND_START;
    }
}
