package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.wiring.Threads;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ServerIT {
    private static final Faces FACES =
            new Faces(List.of(new Faces.Socket(NoteEndpoint.class, 1000)), List.of(), List.of());

    @TempDir
    private Path data;

    @BeforeAll
    static void quiet() {
        Logging.configure("error");
    }

    /** Laws 2 and 3, as far as they are the host's part: one transaction for rows and events, from a socket on. */
    @Test
    void start_endpointBean_writesInTransactionsAndObservesCommits() throws Exception {
        Server server = Server.start(options(), FACES);
        try {
            sql("create table note (text varchar(100))");
            try (RawClient client = RawClient.upgraded(server.port(), "/notes")) {
                client.send(RawClient.text("a"));
                assertEquals("committed: a", client.frame().text());
                client.send(RawClient.text("!b"));
                assertEquals("rolled back", client.frame().text());
                client.send(RawClient.text("c"));
                assertEquals("committed: a,c", client.frame().text());
            }
            assertEquals(2, count());
        } finally {
            server.stop();
        }
        Server again = Server.start(options(), FACES);
        try {
            assertEquals(2, count());
        } finally {
            again.stop();
        }
        assertFalse(Files.exists(Path.of("ObjectStore")), "nothing is written to the working directory");
    }

    @Test
    void start_portInUse_saysSoAndLetsGoOfTheData() {
        Server server = Server.start(options(), FACES);
        Options other = new Options(
                "127.0.0.1", server.port(), data.resolve("other"), Options.OtherDatabase.NONE, Optional.empty(), false);
        StartFailure failure = assertThrows(StartFailure.class, () -> Server.start(other, FACES));
        assertTrue(String.valueOf(failure.getMessage()).contains("port " + server.port()));
        server.stop();
        Server.start(other, FACES).stop();
    }

    @Test
    void threads_bean_runsWork() throws Exception {
        Server server = Server.start(options(), FACES);
        try {
            ScheduledExecutorService threads =
                    CDI.current().select(Threads.class).get().timers();
            assertEquals(
                    "done",
                    threads.schedule(() -> "done", 1, TimeUnit.MILLISECONDS).get(20, TimeUnit.SECONDS));
        } finally {
            server.stop();
        }
    }

    @Test
    void beans_ofTheHost_areThere() throws Exception {
        System.setProperty("tidings.test.word", "blue");
        Server server = Server.start(options(), FACES);
        try {
            assertEquals("blue", CDI.current().select(Notes.class).get().word());
            UserTransaction transaction =
                    CDI.current().select(UserTransaction.class).get();
            TransactionManager manager =
                    CDI.current().select(TransactionManager.class).get();
            TransactionSynchronizationRegistry registry = CDI.current()
                    .select(TransactionSynchronizationRegistry.class)
                    .get();
            assertEquals(Status.STATUS_NO_TRANSACTION, registry.getTransactionStatus());
            transaction.begin();
            assertEquals(Status.STATUS_ACTIVE, registry.getTransactionStatus());
            manager.rollback();
            assertEquals(Status.STATUS_NO_TRANSACTION, transaction.getStatus());
        } finally {
            server.stop();
            System.clearProperty("tidings.test.word");
        }
    }

    private Options options() {
        return new Options("127.0.0.1", 0, data, Options.OtherDatabase.NONE, Optional.empty(), false);
    }

    private static void sql(String statement) throws Exception {
        try (Connection connection =
                        CDI.current().select(DataSource.class).get().getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    private static int count() throws Exception {
        try (Connection connection =
                        CDI.current().select(DataSource.class).get().getConnection();
                Statement sql = connection.createStatement();
                ResultSet result = sql.executeQuery("select count(*) from note")) {
            result.next();
            return result.getInt(1);
        }
    }
}
