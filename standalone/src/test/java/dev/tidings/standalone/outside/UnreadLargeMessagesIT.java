package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.EventSocket;
import dev.tidings.blackbox.RawSocket;
import dev.tidings.blackbox.SignedClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Laws 4 and 5: a small server shows large messages to many who read nothing, on sockets of every kind and on streams of
 * server-sent events; one who reads gets everything meanwhile, and nothing of the others is left.
 */
@Timeout(180)
class UnreadLargeMessagesIT {
    private static final int STUCK = 60;
    private static final int STREAMS = 60;
    private static final int MESSAGES = 5;
    private static final int MESSAGE_BYTES = 1_000_000;
    private static final int SMALL_BUFFER = 2 * 1024;
    private static final String KEY = "a-key-of-this-test-and-no-other";
    /** A quarter of it is the bound of the engine; a copy for each of who does not read would be more than all of it. */
    private static final String SMALL_HEAP = "-Xmx224m";

    private static final long LEFT_KIB = 40 * 1024;

    @Test
    void largeMessages_manyReadNothing_oneGetsEverythingAndNothingIsLeft(@TempDir Path data) throws Exception {
        Map<String, String> environment = Map.of(
                "TIDINGS_JAVA_OPTS",
                SMALL_HEAP,
                "TIDINGS_OUTBOX_SEND_TIMEOUT",
                "PT5S",
                "TIDINGS_WINDOW_LINGER",
                "PT1S",
                "TIDINGS_COMMANDS_AUTH",
                "api-key",
                "TIDINGS_API_KEY",
                KEY);
        try (RunningServer server = RunningServer.start(data, environment);
                ServerCounters counters = ServerCounters.of(server)) {
            SignedClient owner = SignedClient.newAccount(server.base());
            String session = owner.newSession();
            long before = counters.liveHeapKib();
            EventSocket healthy = EventSocket.open(server.base(), conversation(session));
            List<AutoCloseable> stuck = stuck(server.base(), session);
            counters.await("all are there", counts -> counts.of("SUBSCRIPTIONS") == 1 + STUCK + STREAMS);
            for (int i = 0; i < MESSAGES; i++) {
                owner.message(session, "/big " + MESSAGE_BYTES);
            }
            owner.message(session, "the end");
            long end = end(healthy);
            assertEverything(healthy, end);
            counters.await("who is stuck is dropped", counts -> counts.of("SUBSCRIPTIONS") == 1);
            assertEquals(0, counters.counts().of("FAULTS"));
            for (AutoCloseable one : stuck) {
                one.close();
            }
            healthy.abort();
            counters.await(
                    "all is given back",
                    counts ->
                            counts.of("SOCKETS") == 0 && counts.of("SUBSCRIPTIONS") == 0 && counts.of("STREAMS") == 0);
            long left = counters.liveHeapKib() - before;
            System.out.println("unread large messages: " + left + " KiB are left, " + counters.counts());
            assertTrue(left < LEFT_KIB, left + " KiB are left");
        }
    }

    private static String conversation(String session) {
        return "/conversations/" + session + "/ws?lastEventSeq=0&api_key=" + KEY;
    }

    /** Who asks for everything, and reads nothing. */
    private static List<AutoCloseable> stuck(URI base, String session) throws IOException {
        List<AutoCloseable> all = new ArrayList<>();
        for (int i = 0; i < STUCK; i++) {
            all.add(
                    switch (i % 3) {
                        case 0 -> RawSocket.open(base, conversation(session), "tidings.conversations", SMALL_BUFFER);
                        case 1 ->
                            RawSocket.open(
                                    base, "/ws?lastEventSeq=0&api_key=" + KEY, "tidings.conversations", SMALL_BUFFER);
                        default ->
                            RawSocket.open(
                                    base,
                                    "/ws/sessions/" + session + "?api_key=" + KEY,
                                    "tidings.commands",
                                    SMALL_BUFFER);
                    });
        }
        for (int i = 0; i < STREAMS; i++) {
            Socket stream = new Socket();
            stream.setReceiveBufferSize(SMALL_BUFFER);
            stream.connect(new InetSocketAddress(base.getHost(), base.getPort()));
            stream.getOutputStream()
                    .write(("GET /events/recent?since=0&conversationId=" + session + "&api_key=" + KEY
                                    + " HTTP/1.1\r\nHost: " + base.getAuthority()
                                    + "\r\nAccept: text/event-stream\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            all.add(stream);
        }
        return all;
    }

    /** The number of the last event of the last turn. */
    private static long end(EventSocket healthy) {
        JsonNode asked = healthy.await(frame -> frame.path("type").asText().equals("message.created")
                && frame.at("/data/content").asText().equals("the end"));
        return healthy.await(frame -> frame.path("type").asText().equals("run.completed")
                        && frame.path("seq").asLong() > asked.get("seq").asLong())
                .get("seq")
                .asLong();
    }

    /** Law 12: the whole text of every message, in pieces, and once. */
    private static void assertEverything(EventSocket healthy, long end) {
        List<JsonNode> events = healthy.events().stream()
                .filter(event -> event.path("seq").asLong() <= end)
                .toList();
        long last = 0;
        long letters = 0;
        for (JsonNode event : events) {
            long seq = event.path("seq").asLong();
            assertTrue(seq > last, seq + " behind " + last);
            last = seq;
            letters += event.path("type").asText().equals("message.delta")
                    ? event.at("/data/delta").asText().length()
                    : 0;
        }
        assertEquals((long) MESSAGES * MESSAGE_BYTES + "the end".length(), letters);
    }
}
