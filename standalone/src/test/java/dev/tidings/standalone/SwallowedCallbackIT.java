package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import jakarta.enterprise.inject.spi.CDI;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Law 13: a callback after a commit is a hint, and one may never come. Here entries are stored by plain SQL, so that
 * nobody on this server hears of them; the log is the truth all the same.
 */
@Timeout(180)
class SwallowedCallbackIT {

    @BeforeAll
    static void quiet() {
        Logging.configure("error");
    }

    @Test
    void append_callbackNeverComes_isShownAndTheOrderHolds(@TempDir Path data) throws Exception {
        Server server = Server.start(
                new Options("127.0.0.1", 0, data, Options.OtherDatabase.NONE, Optional.empty(), false),
                Faces.ofTidings());
        try {
            SignedClient owner = SignedClient.newAccount(URI.create("http://127.0.0.1:" + server.port()));
            String session = owner.newSession();
            WatchSocket socket = owner.open();
            socket.subscribe("sessions/" + session);
            owner.message(session, "heard of");
            socket.awaitSeq(session, 2);

            store(session, "lost-1");
            socket.awaitAppend("lost-1");

            // And with one that is heard of behind one that is not: the hole is filled before it is shown.
            store(session, "lost-2");
            owner.message(session, "heard of again");
            socket.awaitSeq(session, 6);

            List<Long> seqs = socket.seqs(session);
            assertEquals(LongStream.rangeClosed(1, 6).boxed().toList(), seqs, "law 1");
            List<JsonNode> shown = socket.appends(session);
            assertEquals("lost-1", shown.get(2).get("id").asText());
            assertEquals("lost-2", shown.get(3).get("id").asText());
            socket.close();
        } finally {
            server.stop();
        }
    }

    /** Raises the head and inserts the entry, a copy of the first one. */
    private static void store(String session, String id) throws SQLException {
        DataSource pool = CDI.current().select(DataSource.class).get();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement head = connection.prepareStatement("update tidings_head set position = position + 1,"
                            + " seq = seq + 1 where stream_kind = 's' and stream_id = ?");
                    PreparedStatement entry = connection.prepareStatement("insert into tidings_entry (stream_kind,"
                            + " stream_id, position, seq_scope, seq, id, kind, payload, payload_size, run_id,"
                            + " created_at, agent_id, origin, message) select e.stream_kind, e.stream_id, h.position,"
                            + " e.seq_scope, h.seq, ?, e.kind, e.payload, e.payload_size, e.run_id, e.created_at,"
                            + " e.agent_id, e.origin, e.message from tidings_entry e join tidings_head h"
                            + " on h.stream_kind = e.stream_kind and h.stream_id = e.stream_id"
                            + " where e.stream_kind = 's' and e.stream_id = ? and e.seq = 1")) {
                head.setString(1, session);
                assertEquals(1, head.executeUpdate());
                entry.setString(1, id);
                entry.setString(2, session);
                assertEquals(1, entry.executeUpdate());
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }
}
