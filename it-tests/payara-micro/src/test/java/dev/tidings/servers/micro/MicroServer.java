package dev.tidings.servers.micro;

import dev.tidings.servers.EmbeddedDatabase;
import dev.tidings.servers.LoopbackPorts;
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
    private final String war;
    private final String context;
    private final int port = new LoopbackPorts().next();
    private StartedServer server;

    /**
     * Starts it.
     *
     * @param java the program
     * @param folder for the database and the commands of the start; empty
     * @param war the file of the application
     * @param context its path, without slashes
     */
    MicroServer(Path java, Path folder, Path war, String context) {
        this.java = java;
        this.folder = folder;
        this.war = war.toString();
        this.context = context;
        this.server = start();
    }

    /** With a WAR that a test has put together, whose name without its ending is the path. */
    static MicroServer with(WebArchive application) {
        Path java = NewerJava.assumed();
        try {
            Path file = Files.createTempDirectory("tidings-micro-war").resolve(application.getName());
            application.as(ZipExporter.class).exportTo(file.toFile());
            String context = application.getName().replaceFirst("\\.war$", "");
            return new MicroServer(java, Files.createTempDirectory("tidings-micro"), file, context);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public URI base() {
        return URI.create("http://127.0.0.1:" + port + "/" + context);
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
                    """.formatted(folder.resolve("database"), EmbeddedDatabase.OPTIONS));
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
                    Integer.toString(port),
                    "--deploy",
                    war,
                    "--contextroot",
                    context));
            return StartedServer.start(new ProcessBuilder(command).directory(folder.toFile()), READY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }
}
