package dev.tidings.servers.payara;

import dev.tidings.servers.EmbeddedDatabase;
import dev.tidings.servers.LoopbackPorts;
import dev.tidings.servers.WatchersContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A copy of Payara's {@code domain1} that listens on 127.0.0.1 only, on ports of its own.
 *
 * <p>Payara has no option for any of this when a domain starts, so the copy's {@code domain.xml} is edited as text. Each
 * replacement must hit: a Payara whose file looks different fails here and not by listening to the world.
 *
 * <p>Threads: one.
 */
final class LoopbackDomain {

    private final Path domains;
    private final String name;
    // Confined: set by create, on Arquillian's thread
    private int adminPort;

    LoopbackDomain(Path domains, String name) {
        this.domains = domains;
        this.name = name;
    }

    String name() {
        return name;
    }

    int adminPort() {
        return adminPort;
    }

    /** Makes the domain anew. */
    void create(LoopbackPorts ports) throws IOException {
        Path target = domains.resolve(name);
        delete(target);
        copy(domains.resolve("domain1"), target);
        adminPort = ports.next();
        Path file = target.resolve("config/domain.xml");
        Files.writeString(file, edited(Files.readString(file), ports));
        Path broker = Files.createDirectories(target.resolve("imq/instances/imqbroker/props"));
        Files.writeString(
                broker.resolve("config.properties"), "imq.hostname=127.0.0.1\nimq.portmapper.hostname=127.0.0.1\n");
    }

    private String edited(String xml, LoopbackPorts ports) {
        String edited = xml.replace("address=\"0.0.0.0\"", "address=\"127.0.0.1\"");
        edited = replaced(edited, "<network-listener port=\"8080\"", listener(ports.next()));
        edited = replaced(edited, "<network-listener port=\"8181\"", listener(ports.next()));
        edited = replaced(edited, "<network-listener port=\"4848\"", listener(adminPort));
        edited = replaced(edited, "port=\"3700\"", "port=\"" + ports.next() + "\"");
        edited = replaced(edited, "port=\"3820\"", "enabled=\"false\" port=\"" + ports.next() + "\"");
        edited = replaced(edited, "port=\"3920\"", "enabled=\"false\" port=\"" + ports.next() + "\"");
        edited = replaced(edited, "port=\"8686\"", "enabled=\"false\" port=\"" + ports.next() + "\"");
        // Left to itself, Payara adds a broker of its own, on every address. This one starts when somebody needs it.
        edited = replaced(
                edited,
                "<system-property name=\"JMS_PROVIDER_PORT\" value=\"7676\"",
                "<jms-service type=\"EMBEDDED\" default-jms-host=\"default_JMS_host\">"
                        + "<jms-host name=\"default_JMS_host\" host=\"127.0.0.1\" lazy-init=\"true\""
                        + " port=\"${JMS_PROVIDER_PORT}\"/>"
                        + "</jms-service>"
                        + "<system-property name=\"JMS_PROVIDER_PORT\" value=\"" + ports.next() + "\"");
        edited = replaced(edited, "telnet.port=6666<", "telnet.port=" + ports.next() + "<");
        // A server that lives for a minute starts sooner without the second compiler.
        edited = replaced(
                edited,
                "<jvm-options>-server</jvm-options>",
                "<jvm-options>-XX:TieredStopAtLevel=1</jvm-options><jvm-options>-XX:+UseSerialGC</jvm-options>"
                        + systemProperties());
        // The data grid listens on every address, and one server has no use for it.
        edited = replaced(
                edited,
                "<hazelcast-config-specific-configuration></",
                "<hazelcast-config-specific-configuration enabled=\"false\"></");
        edited = withImpatientListener(edited, ports.next());
        // The shared mode of H2 listens on every address as well.
        edited = replaced(edited, "/embedded_default;AUTO_SERVER=TRUE", "/embedded_default" + EmbeddedDatabase.OPTIONS);
        return edited.replace(";AUTO_SERVER=TRUE", "");
    }

    private static String withImpatientListener(String xml, int port) {
        System.setProperty(WatchersContract.IMPATIENT_PORT, Integer.toString(port));
        int most = WatchersContract.IMPATIENT_SECONDS;
        String edited = replaced(
                xml,
                "</protocols>",
                "<protocol name=\"impatient\"><http default-virtual-server=\"server\" timeout-seconds=\"" + most
                        + "\" request-timeout-seconds=\"" + most
                        + "\"><file-cache></file-cache></http></protocol></protocols>");
        edited = replaced(
                edited,
                "</network-listeners>",
                listener(port) + " protocol=\"impatient\" transport=\"tcp\" name=\"impatient\""
                        + " thread-pool=\"http-thread-pool\"></network-listener></network-listeners>");
        return replaced(
                edited,
                "network-listeners=\"http-listener-1,http-listener-2\"",
                "network-listeners=\"http-listener-1,http-listener-2,impatient\"");
    }

    private static String systemProperties() {
        String wanted = System.getProperty("server.properties", "");
        return wanted.isEmpty()
                ? ""
                : "<jvm-options>" + wanted.replace(" ", "</jvm-options><jvm-options>") + "</jvm-options>";
    }

    private static String listener(int port) {
        return "<network-listener address=\"127.0.0.1\" port=\"" + port + "\"";
    }

    private static String replaced(String text, String before, String after) {
        if (!text.contains(before)) {
            throw new IllegalStateException("domain.xml no longer holds " + before);
        }
        return text.replace(before, after);
    }

    private static void copy(Path source, Path target) throws IOException {
        try (Stream<Path> paths = Files.walk(source)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                Files.copy(path, target.resolve(source.relativize(path).toString()));
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(path);
            }
        }
    }
}
