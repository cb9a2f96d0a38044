package dev.tidings.servers;

import static dev.tidings.blackbox.WatchSocket.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import dev.tidings.servers.backend.ServerProcess;
import java.io.File;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sample backend with Tidings in it, in a server: an agent answers, and the backend's own rows and Tidings' entries
 * are one transaction.
 *
 * <p>Threads: one.
 */
public abstract class SampleBackendContract extends DeployedContract {

    private @Nullable URI base;
    private @Nullable DeskClient desk;

    /** The WAR as it was built, with what the tests need to make trouble and to look inside. */
    @Deployment(testable = false)
    public static WebArchive war() {
        String war = Objects.requireNonNull(System.getProperty("backend.war"), "backend.war");
        return ShrinkWrap.createFromZipFile(WebArchive.class, new File(war))
                .addClasses(LibrariesServlet.class, TroubleResource.class);
    }

    @BeforeEach
    void connect() {
        URI uri = deployment();
        assertEquals("127.0.0.1", uri.getHost());
        base = URI.create(uri.toString().replaceFirst("/$", ""));
        desk = new DeskClient(base());
    }

    /** Laws 1 and 12. */
    @Test
    void session_agentAnswers_isReplayedAndLive() {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        owner.message(session, "first of all");

        WatchSocket early = subscribed(owner, session, 0);
        owner.message(session, "and now live");
        early.awaitSeq(session, 4);
        WatchSocket late = subscribed(owner, session, 1);
        late.awaitSeq(session, 4);

        assertEquals(List.of(1L, 2L, 3L, 4L), early.seqs(session));
        assertEquals(List.of(2L, 3L, 4L), late.seqs(session));
        assertEquals(early.appends(session).subList(1, 4), late.appends(session));
        assertEquals(
                List.of("first of all", "first of all", "and now live", "and now live"),
                early.appends(session).stream()
                        .map(event -> event.at("/event/content").asText())
                        .toList());
        assertEquals("and now live", deltas(early));
    }

    /** A body may come at any moment of the container's reading; each one must be read to its end. */
    @Test
    void httpMessages_many_areReadWhole() {
        SignedClient owner = SignedClient.newAccount(base());
        for (int i = 0; i < 200; i++) {
            assertEquals(0, owner.call("ListAgents", Map.of()).path("agents").size());
        }
    }

    /** Law 3: the entry joins the transaction of whoever writes it. */
    @Test
    void ticket_opened_isARowAndAFrame() {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        WatchSocket socket = subscribed(owner, session, 0);

        JsonNode ticket = desk().open(session, "No light");

        JsonNode event = socket.awaitSeq(session, 1).at("/event/event");
        assertEquals("ticket_opened", event.path("type").asText());
        assertEquals("No light", event.path("subject").asText());
        assertEquals(ticket.path("id").asText(), event.path("ticketId").asText());
        assertEquals(List.of("No light"), desk().subjects(session));
    }

    /** Laws 2 and 3: of a transaction that rolled back there is no row, no frame and no hole. */
    @ParameterizedTest
    @ValueSource(strings = {"exception", "rollback-only"})
    void ticket_transactionRollsBack_leavesNothing(String trouble) {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        WatchSocket socket = subscribed(owner, session, 0);
        desk().open(session, "Before");

        desk().trouble(session, trouble + "?subject=Never");
        desk().open(session, "Later");

        socket.awaitSeq(session, 2);
        assertEquals(List.of(1L, 2L), socket.seqs(session));
        assertEquals(List.of("Before", "Later"), subjects(socket, session));
        assertEquals(List.of("Before", "Later"), desk().subjects(session));
    }

    /** A ticket for a session that does not exist: the entry cannot be stored, so the row is not either. */
    @Test
    void ticket_ofUnknownSession_isNotOpened() {
        String session = UUID.randomUUID().toString();

        assertEquals(500, desk().tryToOpen(session, "Nowhere"));

        assertEquals(List.of(), desk().subjects(session));
    }

    /** Laws 3 and 13: the order is that of the calls, though WildFly calls back in reverse. */
    @Test
    void tickets_severalInOneTransaction_arriveInOrder() {
        SignedClient owner = SignedClient.newAccount(base());
        String session = owner.newSession();
        WatchSocket socket = subscribed(owner, session, 0);

        desk().trouble(session, "several?subject=Ticket&count=8");

        socket.awaitSeq(session, 8);
        List<String> expected =
                IntStream.rangeClosed(1, 8).mapToObj(i -> "Ticket " + i).toList();
        assertEquals(expected, subjects(socket, session));
        assertEquals(expected, desk().subjects(session));
    }

    /** Which jar wins is a fact of the server; here it is written down, so that a change is noticed. */
    @Test
    void codecClasses_bundledBesideTheServersOwn_comeFromKnownJars() {
        assertContains("/jackson-dataformat-cbor-", jarOf("com.fasterxml.jackson.dataformat.cbor.CBORFactory"));
        assertContains("/bcprov-jdk18on-", jarOf("org.bouncycastle.math.ec.rfc8032.Ed25519"));
        assertContains(jacksonCoreJar(), jarOf("com.fasterxml.jackson.core.JsonFactory"));
    }

    /** Law 7. The black-box suite, in a WAR without it, goes the portable way. */
    @Test
    void socket_ofTheServer_goesThroughItsDoor() {
        SignedClient owner = SignedClient.newAccount(base());
        WatchSocket socket = subscribed(owner, owner.newSession(), 0);

        assertTrue(server().instances(door()) > 0);
        socket.abort();
    }

    /** The class of the server's doors. */
    protected abstract String door();

    /** The process of the server. */
    protected abstract ServerProcess server();

    /** A part of the path of the jar from which {@code jackson-core} comes. */
    protected abstract String jacksonCoreJar();

    private static WatchSocket subscribed(SignedClient owner, String session, long afterSeq) {
        WatchSocket socket = owner.open();
        assertEquals("subscribed", type(socket.subscribe("sessions/" + session, afterSeq)));
        return socket;
    }

    private static List<String> subjects(WatchSocket socket, String session) {
        return socket.appends(session).stream()
                .map(event -> event.at("/event/subject").asText())
                .toList();
    }

    /** What the partials that came so far add up to. */
    private static String deltas(WatchSocket socket) {
        StringBuilder text = new StringBuilder();
        for (JsonNode frame : socket.frames()) {
            text.append(frame.at("/patch/textDelta").asText());
        }
        return text.toString();
    }

    private static void assertContains(String part, String whole) {
        assertTrue(whole.contains(part), whole);
    }

    private String jarOf(String type) {
        return SignedClient.get(URI.create(base() + "/libraries?class=" + type)).body();
    }

    private URI base() {
        return Objects.requireNonNull(base);
    }

    private DeskClient desk() {
        return Objects.requireNonNull(desk);
    }
}
