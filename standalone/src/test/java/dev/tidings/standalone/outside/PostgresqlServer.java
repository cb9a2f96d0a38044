package dev.tidings.standalone.outside;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;

/** PostgreSQL with an empty database, for one test class. */
record PostgresqlServer(EmbeddedPostgres server) implements AutoCloseable {

    static PostgresqlServer start() throws IOException {
        return new PostgresqlServer(EmbeddedPostgres.builder()
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("fsync", "off")
                .start());
    }

    String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
