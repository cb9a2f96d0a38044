package dev.tidings.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Other people's servers with the sample backend in them, whose WAR has the doors and the action that publishes; their own
 * data source, which is an H2 that keeps nothing (WildFly) or a file (Payara).
 *
 * <p>Where they are, the system properties {@code bench.war}, {@code bench.wildfly} and {@code bench.payara} say. Threads: one.
 */
enum WarServer {
    WILDFLY("WFLYSRV0025") {
        @Override
        List<String> command(Path folder, int port) throws IOException {
            Path home = located("bench.wildfly");
            Path base = folder.resolve("standalone");
            copy(home.resolve("standalone"), base);
            Files.copy(located("bench.war"), base.resolve("deployments").resolve(CONTEXT + ".war"));
            List<String> command = new ArrayList<>();
            for (String opened : List.of("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net")) {
                command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
            }
            for (String opened : List.of("java.security", "java.util", "java.util.concurrent")) {
                command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
            }
            command.addAll(List.of(
                    "--add-exports=java.naming/com.sun.jndi.ldap=ALL-UNNAMED",
                    "-Djava.net.preferIPv4Stack=true",
                    "-Djboss.home.dir=" + home,
                    "-Djboss.server.base.dir=" + base,
                    "-Djboss.bind.address=127.0.0.1",
                    "-Djboss.bind.address.management=127.0.0.1",
                    "-Djboss.http.port=" + port,
                    "-Djboss.https.port=" + freePort(),
                    "-Djboss.management.http.port=" + freePort(),
                    "-jar",
                    home.resolve("jboss-modules.jar").toString(),
                    "-mp",
                    home.resolve("modules").toString(),
                    "org.jboss.as.standalone"));
            return command;
        }
    },
    PAYARA("ready in") {
        @Override
        List<String> command(Path folder, int port) throws IOException {
            Path before = Files.writeString(
                    folder.resolve("before-start.txt"),
                    "set configs.config.server-config.network-config.network-listeners.network-listener.http-listener"
                            + ".address=127.0.0.1\n"
                            + "set resources.jdbc-connection-pool.H2Pool.property.URL=jdbc:h2:file:"
                            + folder.resolve("database") + ";DB_CLOSE_ON_EXIT=FALSE\n");
            return List.of(
                    "-Djava.net.preferIPv4Stack=true",
                    "-jar",
                    located("bench.payara").toString(),
                    "--nohazelcast",
                    "--prebootcommandfile",
                    before.toString(),
                    "--port",
                    Integer.toString(port),
                    "--deploy",
                    located("bench.war").toString(),
                    "--contextroot",
                    CONTEXT);
        }
    };

    private static final String CONTEXT = "bench";

    private final String ready;

    /** @param ready what the server prints when it serves */
    WarServer(String ready) {
        this.ready = ready;
    }

    /** What comes behind {@code java} and the options of every server. */
    abstract List<String> command(Path folder, int port) throws IOException;

    /** Starts it in a folder of its own. */
    ServerProcess start(Map<String, String> environment, List<String> jvm, Path folder) {
        int port = freePort();
        URI base = URI.create("http://127.0.0.1:" + port + "/" + CONTEXT);
        try {
            List<String> arguments = new ArrayList<>(jvm);
            arguments.addAll(command(folder, port));
            return ServerProcess.launch(
                    name(),
                    arguments,
                    environment,
                    line -> line.contains(ready) ? Optional.of(base) : Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path located(String property) {
        return Path.of(Objects.requireNonNull(System.getProperty(property), property));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }
}
