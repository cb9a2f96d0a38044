package dev.tidings.servers.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jboss.shrinkwrap.api.Node;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The whole contract on PostgreSQL, and a database that goes away under load and comes back.
 *
 * <p>Threads: one, and those of the writers. The deployment, {@link #war}, is the subclass's.
 */
public abstract class PostgresqlContract extends BackendContract {

    private static final int SESSIONS = 3;
    private static final int WRITERS = 6;
    private static final int SECONDS_AWAY = 30;

    // Confined: the test's thread. Made with the deployment, which needs their ports.
    private static @Nullable EmbeddedPostgres postgres;
    private static @Nullable DatabaseDoor door;

    /** Starts a database and gives the port of it that can be shut. */
    protected static int startDatabase() {
        try {
            EmbeddedPostgres started = EmbeddedPostgres.builder()
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .start();
            postgres = started;
            DatabaseDoor before = DatabaseDoor.before(started.getPort());
            door = before;
            return before.port();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A probed WAR, with the driver in it, that keeps everything in that data source. */
    protected static WebArchive war(WebArchive probed, String dataSource) {
        String driver = Objects.requireNonNull(System.getProperty("postgresql.jar"), "postgresql.jar");
        Node own = Objects.requireNonNull(probed.delete("/WEB-INF/classes/META-INF/persistence.xml"));
        String unit;
        try (InputStream file = own.getAsset().openStream()) {
            unit = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return probed.addAsLibrary(new File(driver))
                .addAsResource(
                        new StringAsset(unit.replace(
                                "<class>", "<jta-data-source>" + dataSource + "</jta-data-source><class>")),
                        "META-INF/persistence.xml")
                .addAsResource(
                        new StringAsset("tidings.jpa.datasource=" + dataSource + "\n"),
                        "META-INF/microprofile-config.properties");
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    /** Laws 1, 2 and 12: no append is lost or shown twice, no socket is closed, and replays go on. */
    @Test
    void database_goesAwayAndComesBackUnderLoad_losesNothing() throws Exception {
        DatabaseDoor database = Objects.requireNonNull(door);
        SignedClient owner = SignedClient.newAccount(backend().base());
        List<String> sessions =
                IntStream.range(0, SESSIONS).mapToObj(i -> owner.newSession()).toList();
        WatchSocket live = owner.open();
        sessions.forEach(session -> assertEquals("subscribed", subscribed(live, session, 0)));
        List<TicketWriter> writers = IntStream.range(0, WRITERS)
                .mapToObj(i -> new TicketWriter(backend(), sessions.get(i % SESSIONS), "writer " + i))
                .toList();
        for (TicketWriter writer : writers) {
            writer.awaitAccepted(20);
        }

        database.shut();
        CompletableFuture<Void> back = CompletableFuture.runAsync(
                database::open, CompletableFuture.delayedExecutor(SECONDS_AWAY, TimeUnit.SECONDS));
        for (TicketWriter writer : writers) {
            writer.awaitRefused(10);
        }
        // An open socket answers, whatever it can answer now.
        WatchSocket during = owner.open();
        String answer = WatchSocket.type(during.subscribe("sessions/" + sessions.get(0), 0));
        assertTrue(List.of("error", "subscribed").contains(answer), answer);
        back.get(SECONDS_AWAY * 2L, TimeUnit.SECONDS);
        for (TicketWriter writer : writers) {
            writer.awaitAcceptedAgain(20);
        }
        writers.forEach(TicketWriter::stop);

        for (String session : sessions) {
            List<String> rows = rows(session);
            live.awaitSeq(session, rows.size());
            List<String> shown = Backend.subjects(live, session);
            assertEquals(LongStream.rangeClosed(1, rows.size()).boxed().toList(), live.seqs(session));
            assertEquals(
                    rows.stream().sorted().toList(), shown.stream().sorted().toList());
            Set<String> known = new HashSet<>(shown);
            assertEquals(shown.size(), known.size(), "shown twice");
            for (TicketWriter writer : writers) {
                if (writer.session().equals(session)) {
                    List<String> lost = new ArrayList<>(writer.accepted());
                    lost.removeAll(known);
                    assertEquals(List.of(), lost, "accepted, and lost");
                }
            }
            replays(owner, during, session, live);
        }
    }

    /** From the start on a new socket, and from the middle on the one that was opened while the database was away. */
    private static void replays(SignedClient owner, WatchSocket during, String session, WatchSocket live) {
        List<JsonNode> all = live.appends(session);
        WatchSocket late = owner.open();
        assertEquals("subscribed", subscribed(late, session, 0));
        late.awaitSeq(session, all.size());
        assertEquals(all, late.appends(session));
        int middle = all.size() / 2;
        during.unsubscribe("sessions/" + session);
        int before = during.appends(session).size();
        assertEquals("subscribed", subscribed(during, session, middle));
        during.awaitFrom(0, frame -> during.appends(session).size() >= before + all.size() - middle);
        List<JsonNode> again = during.appends(session);
        assertEquals(all.subList(middle, all.size()), again.subList(before, again.size()));
    }

    private static String subscribed(WatchSocket socket, String session, long afterSeq) {
        return WatchSocket.type(socket.subscribe("sessions/" + session, afterSeq));
    }

    private List<String> rows(String session) throws IOException {
        return new ObjectMapper()
                .readTree(backend().get("/desk/sessions/" + session + "/tickets"))
                .findValuesAsText("subject");
    }
}
