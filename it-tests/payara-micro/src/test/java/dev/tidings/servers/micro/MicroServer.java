package dev.tidings.servers.micro;

import dev.tidings.servers.LoopbackPorts;
import dev.tidings.servers.blackbox.BlackBoxServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Payara Micro in a process of its own, on a free port of 127.0.0.1, over a database of its own.
 *
 * <p>Threads: one at a time.
 */
final class MicroServer implements BlackBoxServer {
    private static final String CONTEXT = "tidings-blackbox";
    private static final String READY = "ready in";

    private final Path java;
    private final Path folder;
    private final int port = new LoopbackPorts().next();
    private Process process;

    /** @param folder for the database and the commands of the start; empty */
    MicroServer(Path java, Path folder) {
        this.java = java;
        this.folder = folder;
        this.process = start();
    }

    @Override
    public URI base() {
        return URI.create("http://127.0.0.1:" + port + "/" + CONTEXT);
    }

    @Override
    public void restart() {
        stop();
        process = start();
    }

    @Override
    public void close() {
        stop();
    }

    private Process start() {
        try {
            Path before = folder.resolve("before-start.txt");
            Files.writeString(before, """
                    set configs.config.server-config.network-config.network-listeners.network-listener.http-listener.address=127.0.0.1
                    set resources.jdbc-connection-pool.H2Pool.property.URL=jdbc:h2:file:%s;DB_CLOSE_ON_EXIT=FALSE
                    """.formatted(folder.resolve("database")));
            List<String> command = new ArrayList<>(List.of(
                    java.toString(),
                    "-Xmx512m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Djava.net.preferIPv4Stack=true",
                    property("server.properties"),
                    "-jar",
                    property("micro.jar"),
                    "--nohazelcast",
                    "--prebootcommandfile",
                    before.toString(),
                    "--port",
                    Integer.toString(port),
                    "--deploy",
                    property("blackbox.war"),
                    "--contextroot",
                    CONTEXT));
            Process started = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            await(started);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }

    private static void await(Process started) {
        CompletableFuture<Boolean> ready = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(started, ready), "server output");
        reader.setDaemon(true);
        reader.start();
        try {
            ready.get(180, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            started.destroyForcibly();
            throw new AssertionError("the server did not start", e);
        }
    }

    private static void read(Process started, CompletableFuture<Boolean> ready) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println("server: " + line);
                if (line.contains(READY)) {
                    ready.complete(true);
                }
            }
        } catch (IOException streamClosed) {
            // The process is gone.
        }
        ready.completeExceptionally(new AssertionError("the server ended"));
    }

    private void stop() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the server does not stop");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
