package dev.tidings.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidings.blackbox.EventSocket;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.servers.metrics.CollectedMetrics;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Conversation events in an application that has a {@code /ws} and an {@code /events/recent} of its own.
 *
 * <p>Threads: one.
 */
public abstract class WatchersContract extends DeployedContract {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The system property with the port of a listener that ends what is silent for {@link #IMPATIENT_SECONDS}. */
    public static final String IMPATIENT_PORT = "server.impatient-port";

    /** See there. */
    public static final int IMPATIENT_SECONDS = 2;

    private static final String KEY = "a-key-of-this-test-and-no-other";

    private @Nullable URI base;

    /** The WAR as it was built, with paths of its own, and conversations behind another path. */
    protected static WebArchive application() {
        String war = Objects.requireNonNull(System.getProperty("backend.war"), "backend.war");
        return ShrinkWrap.createFromZipFile(WebArchive.class, new File(war))
                .addClasses(OwnPaths.class, OwnPaths.OwnSocket.class, OwnPaths.OwnPage.class)
                .addAsLibrary(ShrinkWrap.create(JavaArchive.class, "settings.jar")
                        .addAsManifestResource(
                                new StringAsset("tidings.conversations.enabled=true\n"
                                        + "tidings.conversations.path=/tidings\n" + "tidings.api-key=" + KEY + "\n"
                                        + "tidings.heartbeat.interval=PT1S\n"),
                                "microprofile-config.properties"))
                .addPackage(CollectedMetrics.class.getPackage())
                .addAsLibraries(telemetry());
    }

    /** The jar with the metrics, and an OpenTelemetry of the application's own. */
    private static File[] telemetry() {
        String jars = Objects.requireNonNull(System.getProperty("telemetry.jars"), "telemetry.jars");
        return Stream.of(jars.split(File.pathSeparator)).map(File::new).toArray(File[]::new);
    }

    @BeforeEach
    void connect() {
        base = URI.create(deployment().toString().replaceFirst("/$", ""));
    }

    /** Where the application is. */
    protected final URI base() {
        return Objects.requireNonNull(base);
    }

    @Test
    void watchers_atTheConfiguredPaths_seeATurn() {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        EventSocket all = open("/tidings/ws", "");
        EventSocket one = open("/tidings/conversations/" + conversation + "/ws", "&lastEventSeq=0");

        owner.message(conversation, "seen by both");

        JsonNode end = all.await(event -> event.path("type").asText().equals("run.completed")
                && event.path("conversationId").asText().equals(conversation));
        one.await(event -> event.path("seq").equals(end.get("seq")));
        List<JsonNode> page = new ArrayList<>();
        parse(SignedClient.get(URI.create(
                                base() + "/tidings/events/recent?conversationId=" + conversation + "&api_key=" + KEY))
                        .body())
                .get("events")
                .forEach(page::add);
        List<JsonNode> events = one.events();
        int shared = Math.min(page.size(), events.size());
        assertEquals(events.subList(0, shared), page.subList(0, shared));
        assertTrue(page.contains(end), "the page reaches as far as the socket");
        assertEquals("tidings.conversations", EventSocket.selectedProtocol(base(), "/tidings/ws", KEY));
        all.abort();
        one.abort();
    }

    @Test
    void watchers_withoutAKey_areRefusedBeforeTheUpgrade() {
        assertEquals(401, EventSocket.handshake(base(), "/tidings/ws"));
        assertEquals(401, EventSocket.handshake(base(), "/tidings/conversations/any/ws?api_key=wrong"));
        assertEquals(404, EventSocket.handshake(base(), "/tidings/conversations/none/ws?api_key=" + KEY));
        assertEquals(400, EventSocket.handshake(base(), "/tidings/ws?lastEventSeq=x&api_key=" + KEY));
        assertEquals(
                401,
                SignedClient.get(URI.create(base() + "/tidings/events/recent")).statusCode());
    }

    @Test
    void pathsOfTheApplication_areItsOwn() {
        assertEquals(101, EventSocket.handshake(base(), "/ws"));
        assertEquals(
                OwnPaths.ANSWER,
                SignedClient.get(URI.create(base() + "/events/recent")).body());
    }

    /** A server ends connections that say nothing; a socket that is idle for longer stays, and hears what comes then. */
    @Test
    void socket_idleBeyondTheServersRequestTimeouts_staysAndHears() throws IOException {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        int port = Integer.getInteger(IMPATIENT_PORT, 0);
        URI impatient = URI.create("http://127.0.0.1:" + port + base().getPath());
        try (Socket silent = new Socket("127.0.0.1", port)) {
            silent.setSoTimeout(30_000);
            String request = "GET " + base().getPath() + "/events/recent HTTP/1.1\r\nHost: localhost\r\n\r\n";
            silent.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            EventSocket idle = EventSocket.open(impatient, "/tidings/ws?api_key=" + KEY);
            byte[] answer = silent.getInputStream().readAllBytes();
            assertTrue(new String(answer, StandardCharsets.US_ASCII).endsWith(OwnPaths.ANSWER), "it was answered");
            AtomicInteger beats = new AtomicInteger();
            idle.await(frame -> frame.path("type").asText().equals("heartbeat")
                    && beats.incrementAndGet() == 2 * IMPATIENT_SECONDS);

            owner.message(conversation, "after a long silence");
            idle.await(event -> event.path("type").asText().equals("run.completed")
                    && event.path("conversationId").asText().equals(conversation));
            idle.abort();
        }
    }

    /** What Tidings counts is seen by the application's own collector. */
    @Test
    void counters_ofTheApplicationsOpenTelemetry_count() {
        EventSocket all = open("/tidings/ws", "");
        turnSeenBy(all);
        Map<String, Long> before = metrics();
        turnSeenBy(all);
        Map<String, Long> after = metrics();
        all.abort();
        assertTrue(before.getOrDefault("tidings.socket.count", 0L) >= 1, before::toString);
        for (String grown : List.of("tidings.frame.sent", "tidings.frame.io", "tidings.send.count")) {
            assertTrue(
                    after.getOrDefault(grown, 0L) > before.getOrDefault(grown, 0L),
                    () -> grown + ": " + before + ", then " + after);
        }
    }

    private void turnSeenBy(EventSocket socket) {
        SignedClient owner = SignedClient.newAccount(base());
        String conversation = owner.newSession();
        owner.message(conversation, "counted");
        socket.await(event -> event.path("type").asText().equals("run.completed")
                && event.path("conversationId").asText().equals(conversation));
    }

    private Map<String, Long> metrics() {
        return SignedClient.get(URI.create(base() + "/collected-metrics"))
                .body()
                .lines()
                .map(line -> line.split(" "))
                .collect(Collectors.toMap(words -> words[0], words -> Long.parseLong(words[1])));
    }

    /** The answer of something that is not Tidings'. */
    protected static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(json, e);
        }
    }

    private EventSocket open(String path, String more) {
        return EventSocket.open(base(), path + "?api_key=" + KEY + more);
    }
}
