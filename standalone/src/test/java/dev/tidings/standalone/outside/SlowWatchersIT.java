package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidings.blackbox.EventSocket;
import dev.tidings.blackbox.RawSocket;
import dev.tidings.blackbox.SignedClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Laws 1, 4 and 7 for those who watch conversations: who does not read, on a socket or a stream of server-sent events, holds
 * one send and no more, is dropped, and comes back with its last number to the list of one that never left.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(240)
class SlowWatchersIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SMALL_BUFFER = 16 * 1024;
    /** More than a kernel buffers for a connection. */
    private static final int MESSAGES = 30;

    private static final int MESSAGE_BYTES = 200_000;
    private static final long MOST_BYTES = 48L << 20;
    private static final String KEY = "a-key-of-this-test-and-no-other";

    private RunningServer server;
    private SignedClient owner;

    @BeforeAll
    void start(@TempDir Path data) {
        server = RunningServer.start(
                data,
                Map.of(
                        "TIDINGS_OUTBOX_SEND_TIMEOUT", "PT2S",
                        "TIDINGS_CONVERSATIONS_WINDOW", "100000",
                        "TIDINGS_WINDOW_MAX_BYTES", "33554432",
                        "TIDINGS_API_KEY", KEY));
        owner = SignedClient.newAccount(server.base());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void stream_thatIsNotRead_isDroppedAndResumesToTheSameList() throws Exception {
        String conversation = owner.newSession();
        EventSocket steady = open(conversation);
        List<JsonNode> seen = new ArrayList<>();
        try (Socket stalled = stalled()) {
            stalled.getOutputStream()
                    .write(("GET " + recent(conversation) + "&since=0 HTTP/1.0\r\nHost: "
                                    + server.base().getAuthority() + "\r\nAccept: text/event-stream\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            talkUntilDropped(conversation, steady);
            // Now it reads: what was on its way, up to where the server cut it.
            seen.addAll(events(stalled.getInputStream(), null));
        }
        long last = seen.get(seen.size() - 1).get("seq").asLong();
        List<JsonNode> expected = finished(conversation, steady);
        long end = expected.get(expected.size() - 1).get("seq").asLong();
        assertTrue(last < end, "it was not dropped in the middle");
        // Back as an EventSource does it, with the number of the last event that was whole.
        URLConnection again =
                URI.create(server.base() + recent(conversation)).toURL().openConnection();
        again.setRequestProperty("Accept", "text/event-stream");
        again.setRequestProperty("Last-Event-ID", Long.toString(last));
        try (InputStream in = again.getInputStream()) {
            seen.addAll(events(in, end));
        }
        assertEquals(expected, seen);
        steady.abort();
    }

    @Test
    void socket_thatIsNotRead_isDroppedAndResumesToTheSameList() throws Exception {
        String conversation = owner.newSession();
        EventSocket steady = open(conversation);
        List<JsonNode> seen = new ArrayList<>();
        try (RawSocket stalled = RawSocket.open(
                server.base(),
                "/conversations/" + conversation + "/ws?lastEventSeq=0&api_key=" + KEY,
                "tidings.conversations",
                RawSocket.SMALL_BUFFER)) {
            talkUntilDropped(conversation, steady);
            int[] closed = {0};
            RawSocket.Inbox inbox = new RawSocket.Inbox() {
                @Override
                public void text(byte[] utf8) {
                    seen.add(parse(new String(utf8, StandardCharsets.UTF_8)));
                }

                @Override
                public void closed(int code) {
                    closed[0] = code;
                }
            };
            try {
                while (closed[0] == 0 && stalled.read(64 * 1024, inbox) >= 0) {
                    // On to the end.
                }
            } catch (IOException reset) {
                // So it was dropped.
            }
        }
        seen.removeIf(frame -> !frame.has("seq"));
        List<JsonNode> expected = finished(conversation, steady);
        long end = expected.get(expected.size() - 1).get("seq").asLong();
        long last = seen.get(seen.size() - 1).get("seq").asLong();
        assertTrue(last < end, "it was not dropped in the middle");
        EventSocket again = EventSocket.open(
                server.base(), "/conversations/" + conversation + "/ws?lastEventSeq=" + last + "&api_key=" + KEY);
        again.await(frame -> frame.path("seq").asLong() >= end);
        seen.addAll(again.events().stream()
                .filter(event -> event.get("seq").asLong() <= end)
                .toList());
        assertEquals(expected, seen);
        again.abort();
        steady.abort();
    }

    private EventSocket open(String conversation) {
        return EventSocket.open(server.base(), "/conversations/" + conversation + "/ws?lastEventSeq=0&api_key=" + KEY);
    }

    private static String recent(String conversation) {
        return "/events/recent?conversationId=" + conversation + "&api_key=" + KEY;
    }

    private Socket stalled() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.setSoTimeout(60_000);
        socket.connect(
                new InetSocketAddress(server.base().getHost(), server.base().getPort()));
        return socket;
    }

    /** Talks while one watcher reads and one does not, until the server has given that one up. */
    private void talkUntilDropped(String conversation, EventSocket steady) throws InterruptedException {
        try (ServerCounters counters = ServerCounters.of(server)) {
            counters.await("both watch", counts -> counts.of("SUBSCRIPTIONS") == 2);
            long most = 0;
            for (int i = 0; i < MESSAGES; i++) {
                owner.message(conversation, "/big " + MESSAGE_BYTES);
                most = Math.max(most, counters.counts().of("BYTES"));
            }
            counters.await("one is dropped", counts -> counts.of("SUBSCRIPTIONS") == 1 && counts.of("SOCKETS") == 1);
            assertTrue(most < MOST_BYTES, most + " bytes");
        }
        assertTrue(steady.events().size() > MESSAGES, "who reads gets everything");
    }

    /** What the one that never left has, up to the end of one more turn. */
    private List<JsonNode> finished(String conversation, EventSocket steady) {
        owner.message(conversation, "the end");
        JsonNode asked = steady.await(frame -> frame.path("type").asText().equals("message.created")
                && frame.at("/data/content").asText().equals("the end"));
        long end = steady.await(frame -> frame.path("type").asText().equals("run.completed")
                        && frame.path("seq").asLong() > asked.get("seq").asLong())
                .get("seq")
                .asLong();
        return steady.events().stream()
                .filter(event -> event.get("seq").asLong() <= end)
                .toList();
    }

    /** The events of a stream that are whole, to its end or up to a number. */
    private static List<JsonNode> events(InputStream in, @Nullable Long upTo) {
        List<JsonNode> events = new ArrayList<>();
        String data = null;
        try {
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("data: ")) {
                    data = line.substring("data: ".length());
                } else if (line.isEmpty() && data != null) {
                    JsonNode event = parse(data);
                    data = null;
                    if (event.has("seq")) {
                        events.add(event);
                        if (upTo != null && event.get("seq").asLong() >= upTo) {
                            return events;
                        }
                    }
                }
            }
        } catch (IOException reset) {
            // A connection that was cut ends as one that was closed.
        }
        assertEquals(null, upTo, "the stream ended");
        return events;
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
