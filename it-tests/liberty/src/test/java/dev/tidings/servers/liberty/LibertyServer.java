package dev.tidings.servers.liberty;

import dev.tidings.servers.EmbeddedDatabase;
import dev.tidings.servers.LoopbackPorts;
import dev.tidings.servers.blackbox.BlackBoxServer;
import dev.tidings.servers.blackbox.StartedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Open Liberty in a process of its own, on a free port of 127.0.0.1, over a database of its own.
 *
 * <p>Threads: one at a time.
 */
final class LibertyServer implements BlackBoxServer {
    private static final String NAME = "tidings";
    private static final String CONTEXT = "tidings-blackbox";

    /** The application has started; the server says that it is ready whether or not it has. */
    private static final String READY = "CWWKZ0001I";

    private final Path folder;
    private final int port = new LoopbackPorts().next();
    private StartedServer server;

    /** @param folder for the configuration and the database; empty */
    LibertyServer(Path folder) {
        this.folder = folder;
        this.server = start();
    }

    @Override
    public URI base() {
        return URI.create("http://127.0.0.1:" + port + "/" + CONTEXT);
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
            Path home = Files.createDirectories(folder.resolve("servers").resolve(NAME));
            Files.writeString(home.resolve("server.xml"), configuration());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Path wlp = Path.of(property("server.home"));
        Path tools = wlp.resolve("bin/tools");
        ProcessBuilder command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                // What its own script opens to it in a Java of 9 to 23.
                "@" + wlp.resolve("lib/platform/java/java9.options"),
                "-javaagent:" + tools.resolve("ws-javaagent.jar"),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.awt.headless=true",
                property("server.properties"),
                "-jar",
                tools.resolve("ws-server.jar").toString(),
                NAME);
        command.directory(folder.toFile()).environment().put("WLP_USER_DIR", folder.toString());
        return StartedServer.start(command, READY);
    }

    /** What the WAR needs, and nothing else; {@code DefaultDataSource} is what a unit without a data source takes. */
    private String configuration() {
        return """
                <server>
                    <featureManager>
                        <feature>cdi-4.0</feature>
                        <feature>concurrent-3.0</feature>
                        <feature>enterpriseBeansLite-4.0</feature>
                        <feature>jdbc-4.3</feature>
                        <feature>mpConfig-3.1</feature>
                        <feature>persistence-3.1</feature>
                        <feature>servlet-6.0</feature>
                        <feature>websocket-2.1</feature>
                    </featureManager>
                    <httpEndpoint id="defaultHttpEndpoint" host="127.0.0.1" httpPort="%d" httpsPort="-1"/>
                    <library id="h2"><file name="%s"/></library>
                    <dataSource id="DefaultDataSource">
                        <jdbcDriver javax.sql.XADataSource="org.h2.jdbcx.JdbcDataSource" libraryRef="h2"/>
                        <properties URL="jdbc:h2:file:%s;DB_CLOSE_ON_EXIT=FALSE%s" user="sa" password=""/>
                    </dataSource>
                    <webApplication location="%s" contextRoot="/%s"/>
                </server>
                """.formatted(
                        port,
                        property("h2.jar"),
                        folder.resolve("database"),
                        EmbeddedDatabase.OPTIONS,
                        property("blackbox.war"),
                        CONTEXT);
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }
}
