package dev.tidings.servers.micro;

import dev.tidings.servers.EmbeddedDatabase;
import dev.tidings.servers.LoopbackPorts;
import dev.tidings.servers.backend.ServerProcess;
import dev.tidings.servers.blackbox.BlackBoxServer;
import dev.tidings.servers.blackbox.StartedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * Payara Micro in a process of its own, on a free port of 127.0.0.1, over a database of its own.
 *
 * <p>Threads: one at a time.
 */
final class MicroServer implements BlackBoxServer {
    private static final String READY = "ready in";

    private final Path java;
    private final Path folder;
    private final List<Path> applications;
    private final List<String> commands;
    private final int port = new LoopbackPorts().next();
    private StartedServer server;

    private MicroServer(Path java, List<Path> applications, List<String> commands) throws IOException {
        this.java = java;
        this.folder = Files.createTempDirectory("tidings-micro");
        this.applications = applications;
        this.commands = commands;
        this.server = start();
    }

    /** Starts it with an application. */
    static MicroServer with(Path application) throws IOException {
        return new MicroServer(NewerJava.assumed(), List.of(application), List.of());
    }

    /** The same with one that a test has put together. */
    static MicroServer with(WebArchive application, String... commands) {
        return with(List.of(application), commands);
    }

    /**
     * The same with several.
     *
     * @param commands more that the server does before it starts
     */
    static MicroServer with(List<WebArchive> applications, String... commands) {
        Path java = NewerJava.assumed();
        try {
            Path files = Files.createTempDirectory("tidings-micro-wars");
            List<Path> exported = new ArrayList<>();
            for (WebArchive application : applications) {
                Path file = files.resolve(application.getName());
                application.as(ZipExporter.class).exportTo(file.toFile());
                exported.add(file);
            }
            return new MicroServer(java, exported, List.of(commands));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the first application is: its path is its file's name. */
    @Override
    public URI base() {
        String name = applications.get(0).getFileName().toString().replaceFirst("\\.war$", "");
        return URI.create("http://127.0.0.1:" + port + "/" + name);
    }

    /** Its process. */
    ServerProcess process() {
        return new ServerProcess(server.pid());
    }

    /** What it said so far. */
    String output() {
        return server.output();
    }

    @Override
    public void restart() {
        server.close();
        server = start();
    }

    @Override
    public void close() {
        server.close();
    }

    private StartedServer start() {
        try {
            Path before = folder.resolve("before-start.txt");
            Files.writeString(before, """
                    set configs.config.server-config.network-config.network-listeners.network-listener.http-listener.address=127.0.0.1
                    set resources.jdbc-connection-pool.H2Pool.property.URL=jdbc:h2:file:%s;DB_CLOSE_ON_EXIT=FALSE%s
                    %s
                    """.formatted(
                            folder.resolve("database"), EmbeddedDatabase.OPTIONS, String.join("\n", commands)));
            List<String> command = new ArrayList<>(List.of(
                    java.toString(),
                    "-Xmx512m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Djava.net.preferIPv4Stack=true"));
            command.addAll(Stream.of(System.getProperty("server.properties", "").split(" "))
                    .filter(property -> !property.isEmpty())
                    .toList());
            command.addAll(List.of(
                    "-jar",
                    property("micro.jar"),
                    "--nohazelcast",
                    "--prebootcommandfile",
                    before.toString(),
                    "--port",
                    Integer.toString(port)));
            applications.forEach(application -> command.addAll(List.of("--deploy", application.toString())));
            return StartedServer.start(new ProcessBuilder(command).directory(folder.toFile()), READY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }
}
