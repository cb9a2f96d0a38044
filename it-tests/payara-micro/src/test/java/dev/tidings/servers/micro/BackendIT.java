package dev.tidings.servers.micro;

import dev.tidings.servers.backend.Backend;
import dev.tidings.servers.backend.BackendContract;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Payara Micro has no queues of its own; everything else of the contract holds there. */
final class BackendIT extends BackendContract {

    private static final String CONTEXT = "backend";

    // Confined: the test's thread.
    private static @Nullable MicroServer server;

    @BeforeAll
    static void start() throws Exception {
        Path java = NewerJava.assumed();
        Path war = Files.createTempDirectory("tidings-micro-war").resolve(CONTEXT + ".war");
        Backend.probedWarWithoutQueues(CONTEXT + ".war").as(ZipExporter.class).exportTo(war.toFile());
        server = new MicroServer(java, Files.createTempDirectory("tidings-micro"), war, CONTEXT);
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
        return super.sources().stream().filter(source -> !source.equals("jms")).toList();
    }

    @Override
    protected Pattern requestAndStartThreads() {
        // The second is whoever deploys; the last belongs to timers.
        return Pattern.compile("http-thread-pool::http-listener\\(N\\)|main|__ejb-thread-poolN");
    }
}
