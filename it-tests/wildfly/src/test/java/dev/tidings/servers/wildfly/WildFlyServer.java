package dev.tidings.servers.wildfly;

import dev.tidings.servers.EmbeddedDatabase;
import dev.tidings.servers.LoopbackPorts;
import dev.tidings.servers.WatchersContract;
import dev.tidings.servers.backend.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jboss.arquillian.container.spi.Container;
import org.jboss.arquillian.container.spi.ContainerRegistry;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.spi.LoadableExtension;

/**
 * Gives WildFly its full configuration and free ports of 127.0.0.1 before Arquillian starts it.
 *
 * <p>Threads: Arquillian's own. Public for Arquillian; not API.
 */
public final class WildFlyServer implements LoadableExtension {

    /** How many threads for requests stay, once they are there. */
    static final int REQUEST_THREADS = 16;

    @Override
    public void register(ExtensionBuilder builder) {
        builder.observer(PortChoice.class);
    }

    /** The one that Arquillian started: there is no other below this process. */
    static ServerProcess process() {
        return new ServerProcess(ProcessHandle.current()
                .descendants()
                .filter(process -> process.info()
                        .arguments()
                        .map(Arrays::asList)
                        .filter(line -> line.contains("org.jboss.as.standalone"))
                        .isPresent())
                .findFirst()
                .orElseThrow()
                .pid());
    }

    /** Chooses when the containers are known and none is started. Public for Arquillian; not API. */
    public static final class PortChoice {

        /** Sets the ports of every container. */
        public void choose(@Observes ContainerRegistry registry) {
            LoopbackPorts ports = new LoopbackPorts();
            String configuration = configuration(ports);
            for (Container container : registry.getContainers()) {
                int management = ports.next();
                container
                        .getContainerConfiguration()
                        .property("serverConfig", configuration)
                        .property("managementPort", Integer.toString(management))
                        .property(
                                "javaVmArguments",
                                "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
                                        + " -Djava.net.preferIPv4Stack=true"
                                        + " -Djboss.bind.address=127.0.0.1 -Djboss.bind.address.management=127.0.0.1"
                                        + " -Djboss.management.http.port=" + management
                                        + " -Djboss.management.https.port=" + ports.next()
                                        + " -Djboss.http.port=" + ports.next()
                                        + " -Djboss.https.port=" + ports.next()
                                        + " " + System.getProperty("server.properties", ""));
            }
        }

        /** Thousands of statements fail while a database is away: their stack traces are in the server's file alone. */
        private static String withShortConsole(String xml) {
            String line = "%K{level}%d{HH:mm:ss,SSS} %-5p [%c] (%t) %s";
            return replaced(xml, line + "%e%n", line + "%n");
        }

        private static String withThreadsThatStay(String xml) {
            String worker = "<worker name=\"default\"";
            return replaced(xml, worker + "/>", worker + " task-core-threads=\"" + REQUEST_THREADS + "\"/>");
        }

        private static String withImpatientListener(String xml, int port) {
            System.setProperty(WatchersContract.IMPATIENT_PORT, Integer.toString(port));
            String most = "=\"" + WatchersContract.IMPATIENT_SECONDS * 1_000 + "\" ";
            String listener = "<http-listener name=\"impatient\" socket-binding=\"impatient\" no-request-timeout" + most
                    + "request-parse-timeout" + most + "read-timeout" + most + "write-timeout" + most + "/>";
            String binding = "<socket-binding name=\"impatient\" port=\"" + port + "\"/>";
            return before(before(xml, "<https-listener", listener), "<socket-binding name=\"https\"", binding);
        }

        private static String before(String xml, String place, String more) {
            return replaced(xml, place, more + place);
        }

        private static String replaced(String xml, String before, String after) {
            if (!xml.contains(before)) {
                throw new IllegalStateException("standalone-full.xml no longer holds " + before);
            }
            return xml.replace(before, after);
        }

        /** The configuration with messaging; the two ports in it that no system property sets are chosen too. */
        private static String configuration(LoopbackPorts ports) {
            Path home = Path.of(Objects.requireNonNull(System.getProperty("server.home"), "server.home"));
            Path directory = home.resolve("standalone/configuration");
            try {
                String xml = Files.readString(directory.resolve("standalone-full.xml"));
                for (String port : List.of("port=\"3528\"", "port=\"3529\"")) {
                    xml = replaced(xml, port, "port=\"" + ports.next() + '"');
                }
                String database = "jdbc:h2:mem:test;DB_CLOSE_DELAY=-1";
                xml = replaced(xml, database, database + EmbeddedDatabase.OPTIONS);
                Files.writeString(
                        directory.resolve("tidings.xml"),
                        withShortConsole(withThreadsThatStay(withImpatientListener(xml, ports.next()))));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return "tidings.xml";
        }
    }
}
