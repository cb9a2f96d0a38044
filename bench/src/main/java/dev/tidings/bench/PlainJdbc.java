package dev.tidings.bench;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * Rows like Tidings' entries, in a table with the same columns and keys, with {@code addBatch} and a commit.
 *
 * <p>Threads: one.
 */
final class PlainJdbc implements AutoCloseable {
    private static final String COLUMNS = "stream_kind varchar(4) not null, stream_id varchar(255) not null,"
            + " position bigint not null, seq_scope varchar(255) not null, seq bigint not null, id varchar(255) not null,"
            + " kind varchar(16) not null, payload %s not null, payload_size bigint not null,"
            + " run_id varchar(255) not null, created_at bigint not null, agent_id varchar(255) not null,"
            + " origin varchar(16) not null, message smallint not null,"
            + " primary key (stream_kind, stream_id, position)";

    private final Connection connection;
    private final PreparedStatement insert;
    private final byte[] payload;
    private final String stream = UUID.randomUUID().toString();
    private final String agent = UUID.randomUUID().toString();
    // Confined: the one thread.
    private long position;

    private PlainJdbc(Connection connection, int frameBytes) throws SQLException {
        this.connection = connection;
        this.payload = Event.payload(Event.now(), frameBytes).getBytes(StandardCharsets.UTF_8);
        String bytes = connection.getMetaData().getURL().startsWith("jdbc:h2:") ? "varbinary(67108864)" : "bytea";
        try (Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists bench_entry");
            statement.execute("create table bench_entry (" + String.format(COLUMNS, bytes) + ")");
            statement.execute("create index bench_entry_seq on bench_entry (stream_kind, stream_id, seq_scope, seq)");
            statement.execute(
                    "create index bench_entry_activity on bench_entry (agent_id, message, created_at, position)");
        }
        connection.setAutoCommit(false);
        insert = connection.prepareStatement(
                "insert into bench_entry values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    }

    static PlainJdbc open(String url, String user, int frameBytes) {
        try {
            return new PlainJdbc(DriverManager.getConnection(url, user, ""), frameBytes);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** So many rows in one batch and one transaction. */
    void insert(int rows) {
        try {
            for (int i = 0; i < rows; i++) {
                position++;
                insert.setString(1, "s");
                insert.setString(2, stream);
                insert.setLong(3, position);
                insert.setString(4, "");
                insert.setLong(5, position);
                insert.setString(6, UUID.randomUUID().toString().substring(0, 8));
                insert.setString(7, "event");
                insert.setBytes(8, payload);
                insert.setLong(9, payload.length);
                insert.setString(10, "");
                insert.setLong(11, position);
                insert.setString(12, agent);
                insert.setString(13, "other");
                insert.setInt(14, 0);
                insert.addBatch();
            }
            insert.executeBatch();
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException alreadyGone) {
            // The end is the same.
        }
    }
}
