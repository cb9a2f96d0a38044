package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.AgentsWorld.AGENT;
import static dev.tidings.protocol.agents.AgentsWorld.OWNER;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION;
import static dev.tidings.protocol.agents.AgentsWorld.SESSION_KEY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Frame;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.Checked;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeLimits;
import dev.tidings.event.Signal;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A8: {@code tidings.v2+cbor} says the same, value for value. */
class CborFramesTest {
    private static final UnaryOperator<byte[]> FORM = Objects.requireNonNull(Dialect.V2_CBOR.binaryForm());

    private static CborValue decoded(Frame frame) {
        ByteBuffer binary = frame.binary(FORM);
        byte[] bytes = new byte[binary.remaining()];
        binary.get(bytes);
        Checked<CborValue> value = DagCbor.decode(bytes, EnvelopeLimits.DEFAULT);
        return value.fold(accepted -> accepted, refusal -> {
            throw new AssertionError(refusal.message());
        });
    }

    /** Every frame that a busy socket gets, of every kind. */
    @Test
    void everyFrame_binary_isCanonicalAndSaysTheSame() throws IOException {
        AgentsWorld world = new AgentsWorld().furnished();
        world.run("run-1", "run-1", AGENT, SESSION);
        world.hand.runAll();
        AgentsWorld.Peer peer = world.new Peer(Dialect.V2_CBOR);
        peer.sink.takeFrames();
        world.fire(Signal.Partial.text(SESSION, "p", "so far \uD83D\uDE00"));
        for (String key : List.of(SESSION_KEY, "account/" + OWNER.id(), "agents/" + AGENT, "runs/run-1", "nonsense")) {
            peer.subscribe(OWNER, key);
        }
        world.say("hello");
        world.tidings
                .transactions()
                .run(() -> world.tidings
                        .writer()
                        .append(
                                StreamKey.session(SESSION),
                                new NewEntry(
                                        "odd",
                                        EntryKind.EVENT,
                                        true,
                                        Payload.of("{\"type\":\"x\",\"most\":18446744073709551615,\"nul\":\"\\u0000\","
                                                + "\"bytes\":{\"/\":{\"bytes\":\"AAEC\"}},\"half\":0.5}"),
                                        null,
                                        world.now)));
        world.fire(Signal.Partial.done(SESSION, "p"));
        world.fire(new Signal.Progress("run-1", "run-1", "q", 0.25, "x", null, null));
        world.journal("run-1", "run-1", "call");
        world.face.beat();
        world.hand.runAll();
        peer.unsubscribe(OWNER, "runs/run-1");
        List<Frame> frames = peer.sink.takeFrames();
        assertTrue(frames.size() > 15, () -> frames.size() + " frames");
        for (Frame frame : frames) {
            assertEquals(tree(bytes(frame)), tree(DagCbor.toJson(decoded(frame))), frame.text());
        }
        Frame odd = frames.stream()
                .filter(frame -> frame.text().contains("\"odd\""))
                .findFirst()
                .orElseThrow();
        String json = new String(DagCbor.toJson(decoded(odd)), StandardCharsets.UTF_8);
        assertTrue(json.contains("18446744073709551615") && json.contains("{\"/\":{\"bytes\":\"AAEC\"}}"), json);
    }

    private static byte[] bytes(Frame frame) {
        byte[] utf8 = new byte[frame.size()];
        frame.utf8().get(utf8);
        return utf8;
    }

    /** JSON without the order of its members, read by somebody else. */
    private static @Nullable Object tree(byte[] json) throws IOException {
        try (JsonParser parser = AgentsJson.JSON.createParser(json)) {
            parser.nextToken();
            return value(parser);
        }
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            Map<String, @Nullable Object> members = new TreeMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                members.put(name, value(parser));
            }
            return members;
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<@Nullable Object> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(value(parser));
            }
            return items;
        }
        return parser.currentToken().isNumeric()
                ? new BigDecimal(parser.getText()).stripTrailingZeros()
                : parser.currentToken() + parser.getText();
    }

    @Test
    void dialect_agreedProtocol_isFound() {
        assertSame(Dialect.PLAIN, Dialect.of(null));
        assertSame(Dialect.PLAIN, Dialect.of(""));
        assertSame(Dialect.PLAIN, Dialect.of("tidings.v3"));
        assertSame(Dialect.V2, Dialect.of("tidings.v2"));
        assertSame(Dialect.V2_CBOR, Dialect.of("tidings.v2+cbor"));
        assertNull(Dialect.PLAIN.binaryForm());
        assertNull(Dialect.V2.binaryForm());
    }
}
