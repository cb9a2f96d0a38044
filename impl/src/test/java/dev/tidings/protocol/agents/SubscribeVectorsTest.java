package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Role;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.BoolValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeVectors;
import dev.tidings.envelope.EnvelopeVectors.Expected;
import dev.tidings.envelope.EnvelopeVectors.Stage;
import dev.tidings.envelope.EnvelopeVectors.Vector;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Law 9, A2: every recorded envelope gets the answer that clients know, and leaves the socket usable. */
class SubscribeVectorsTest {

    private static final MapValue ROWS = EnvelopeVectors.world();

    static Stream<Vector> vectors() {
        return EnvelopeVectors.all().stream();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void receive_vector_isAnsweredAsExpected(Vector vector) {
        AgentsWorld world = world();
        world.now = vector.nowMillis();
        AgentsWorld.Peer peer = world.connect();
        check(vector, peer.send(vector.envelope().toByteArray()));
        // Still usable; the same bytes as text, unless that is too long for one message.
        String text = EnvelopeFixtures.asText(vector.envelope().toByteArray());
        if (text.length() <= AgentsLimits.DEFAULTS.maxMessageBytes()) {
            check(vector, peer.sendText(text));
        }
        assertEquals(null, peer.sink.closed());
    }

    private static void check(Vector vector, List<String> answers) {
        assertFalse(answers.isEmpty(), "no answer");
        MapValue answer = json(answers.get(0));
        String what = answers.get(0);
        if (vector.expected() instanceof Expected.Ok ok) {
            if (vector.either() && answer.text("code").orElse("").equals("invalid_signature")) {
                return;
            }
            boolean served = ok.key().startsWith("account/") || ok.key().startsWith("sessions/");
            assertEquals(served ? "subscribed" : "error", answer.text("_").orElseThrow(), what);
            assertEquals(ok.key(), answer.text("key").orElseThrow(), what);
            if (served) {
                assertEquals(ok.accountId(), answer.text("accountId").orElseThrow(), what);
            } else {
                assertEquals("key_not_served", answer.text("code").orElseThrow(), what);
            }
            return;
        }
        Expected.Refused refused = (Expected.Refused) vector.expected();
        assertEquals(1, answers.size(), answers::toString);
        assertEquals("error", answer.text("_").orElseThrow(), what);
        refused.reason()
                .ifPresent(reason -> assertEquals(reason, answer.text("message").orElseThrow()));
        assertEquals(
                refused.stage() == Stage.DECODE,
                answer.text("code").orElseThrow().equals("not_canonical"),
                what);
        assertEquals(
                answer.text("code").orElseThrow().equals("clock_window"),
                answer.integer("serverTime").isPresent(),
                what);
        assertTrue(refused.stage() != Stage.SUBSCRIBE
                || !answer.text("message").orElseThrow().isEmpty());
    }

    private static MapValue json(String frame) {
        return (MapValue) DagCbor.fromJson(frame.getBytes(StandardCharsets.UTF_8));
    }

    private static AgentsWorld world() {
        AgentsWorld world = new AgentsWorld();
        for (MapValue row : rows(ROWS, "account_authorizations")) {
            world.tidings.authorize(text(row, "account"), text(row, "signer"));
        }
        for (MapValue agent : rows(ROWS, "agents")) {
            world.agent(text(agent, "id"), text(agent, "owner"), isTrue(agent, "publicRead"));
        }
        for (MapValue row : rows(ROWS, "agent_collaborators")) {
            Role role = Role.ofCode(text(row, "role")).orElseThrow();
            if (text(row, "status").equals("accepted")) {
                world.accept(text(row, "agent"), text(row, "account"), role);
            } else {
                world.invite(text(row, "agent"), text(row, "account"), role);
            }
        }
        for (MapValue session : rows(ROWS, "sessions")) {
            world.session(text(session, "id"), text(session, "agent"), "owner");
        }
        for (MapValue run : rows(ROWS, "runs")) {
            world.run(
                    text(run, "id"),
                    text(run, "root"),
                    run.text("agent").orElse(null),
                    run.text("session").orElse(null));
        }
        world.hand.runAll();
        return world;
    }

    private static List<MapValue> rows(MapValue world, String table) {
        List<MapValue> rows = new ArrayList<>();
        for (CborValue row : ((ListValue) world.member(table).orElseThrow()).items()) {
            rows.add((MapValue) row);
        }
        return rows;
    }

    private static String text(MapValue row, String name) {
        return row.text(name).orElseThrow();
    }

    private static boolean isTrue(MapValue row, String name) {
        return row.member(name).orElseThrow() instanceof BoolValue bool && bool.value();
    }
}
