package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.blackbox.SignedClient;
import dev.tidings.blackbox.WatchSocket;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.Transactions;
import jakarta.enterprise.inject.spi.CDI;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protocols A7: 64-bit integers, NUL and bytes in payloads, from CBOR that came over HTTP and from a backend, through the
 * database of the runnable server to sockets, live, replayed and after a restart.
 */
@Timeout(120)
class PayloadIT {
    private static final BigInteger LARGEST = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    private static final BigInteger SMALLEST = BigInteger.TWO.pow(64).negate();
    private static final byte[] RAW = {0, 1, (byte) 0xff};
    private static final Map<String, Object> RAW_AS_JSON = Map.of("/", Map.of("bytes", "AAH/"));
    private static final String NUL = "a\u0000b \ud83d\ude00";

    @BeforeAll
    static void quiet() {
        Logging.configure("error");
    }

    @Test
    void payload_extremeValues_areStoredShownAndReplayed(@TempDir Path data) {
        Server server = start(data);
        SignedClient client;
        String session;
        List<JsonNode> live;
        try {
            client = SignedClient.newAccount(base(server));
            JsonNode agent = newAgent(client);
            assertExact(agent.path("definition"));
            session = client.newSession(agent.path("id").asText());
            WatchSocket socket = client.open();
            try {
                socket.subscribe("sessions/" + session);
                append(session);
                client.message(session, NUL);
                socket.awaitSeq(session, 3);
                live = socket.appends(session);
                assertExact(live.get(0).path("event"));
                assertEquals(NUL, live.get(1).path("event").path("content").asText());
                assertTrue(live.get(2).toString().contains("\\u0000"), "the demo agent's echo");
            } finally {
                socket.close();
            }
            assertReplayed(client, session, live);
        } finally {
            server.stop();
        }
        Server again = start(data);
        try {
            assertReplayed(client.at(base(again)), session, live);
        } finally {
            again.stop();
        }
    }

    private static void assertReplayed(SignedClient client, String session, List<JsonNode> live) {
        WatchSocket socket = client.open();
        try {
            socket.subscribe("sessions/" + session);
            socket.awaitSeq(session, live.size());
            assertEquals(live, socket.appends(session));
        } finally {
            socket.close();
        }
        JsonNode events =
                client.call("GetSession", Map.of("sessionId", session)).path("events");
        assertExact(events.path(0).path("event"));
        for (int i = 0; i < live.size(); i++) {
            assertEquals(live.get(i), events.path(i));
        }
    }

    private static JsonNode newAgent(SignedClient client) {
        client.call(
                "CreateAgent",
                Map.of(
                        "definition",
                        Map.of("name", "n", "big", LARGEST, "small", SMALLEST, "raw", RAW_AS_JSON, "nul", NUL)));
        return client.call("ListAgents", Map.of()).path("agents").path(0);
    }

    /** What a backend stores that got it as CBOR. */
    private static void append(String session) {
        CborValue event = CborValue.map(Map.of(
                "type", CborValue.text("measured"),
                "big", new CborValue.IntegerValue(LARGEST),
                "small", new CborValue.IntegerValue(SMALLEST),
                "raw", CborValue.bytes(RAW),
                "nul", CborValue.text(NUL)));
        Payload payload = Payload.ofUtf8(DagCbor.toJson(event));
        bean(Transactions.class)
                .run(() -> bean(EventWriter.class)
                        .append(
                                StreamKey.session(session),
                                new NewEntry("measured-1", EntryKind.EVENT, true, payload, null, 1_000)));
    }

    private static void assertExact(JsonNode value) {
        assertEquals(LARGEST, value.path("big").bigIntegerValue(), value::toString);
        assertEquals(SMALLEST, value.path("small").bigIntegerValue(), value::toString);
        assertEquals("{\"/\":{\"bytes\":\"AAH/\"}}", value.path("raw").toString());
        assertEquals(NUL, value.path("nul").asText());
    }

    private static <T> T bean(Class<T> type) {
        return CDI.current().select(type).get();
    }

    private static Server start(Path data) {
        return Server.start(new Options("127.0.0.1", 0, data, Optional.empty(), false), Faces.ofTidings());
    }

    private static URI base(Server server) {
        return URI.create("http://127.0.0.1:" + server.port());
    }
}
