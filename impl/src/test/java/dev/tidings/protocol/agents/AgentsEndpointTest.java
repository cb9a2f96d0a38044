package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.DeliveryLimits;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.Checked;
import dev.tidings.envelope.EnvelopeDecoder;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeLimits;
import dev.tidings.envelope.EnvelopeVerifier;
import dev.tidings.envelope.SignerCheck;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.admission.AdmissionLimits;
import jakarta.websocket.Session;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The classes that the container makes: they hand on, and nothing else. */
class AgentsEndpointTest {
    private final AgentsWorld world = new AgentsWorld().furnished();
    private final FakeSink sink = new FakeSink();
    private final Map<String, Object> set = new HashMap<>();
    private final Map<String, Object> properties = new HashMap<>();
    private final AgentsFace face = face(EnvelopeLimits.DEFAULT);

    private AgentsFace face(EnvelopeLimits limits) {
        return new AgentsFace(
                world.shared.ports(),
                world.events,
                new EnvelopeDecoder(limits),
                new EnvelopeVerifier(limits, SignerCheck.OWN_ACCOUNT_ONLY),
                AgentsLimits.DEFAULTS,
                new Admission(AdmissionLimits.DEFAULTS, world.hand::nanos),
                world.hand,
                new AgentsFace.Clocks(() -> Instant.ofEpochMilli(world.now), world.hand::nanos),
                (session, form) -> sink);
    }

    private final Session session = (Session) Proxy.newProxyInstance(
            Session.class.getClassLoader(), new Class<?>[] {Session.class}, (proxy, method, args) -> {
                if (method.getName().equals("getUserProperties")) {
                    return properties;
                }
                if (args != null) {
                    set.put(method.getName(), args[0]);
                }
                return null;
            });

    private AgentsEndpoint open() {
        AgentsEndpoint endpoint = new AgentsEndpoint();
        endpoint.face = face;
        endpoint.onOpen(session);
        world.hand.runAll();
        return endpoint;
    }

    @Test
    void onOpen_fresh_saysConnectedAndSetsLimits() {
        open();
        assertTrue(sink.take().get(0).startsWith("{\"_\":\"connected\""));
        assertEquals(AgentsLimits.DEFAULTS.maxMessageBytes() + 1, set.get("setMaxBinaryMessageBufferSize"));
        assertEquals(AgentsLimits.DEFAULTS.maxMessageBytes() + 1, set.get("setMaxTextMessageBufferSize"));
        assertEquals(1, face.openSockets());
    }

    @Test
    void onMessage_both_areAnswered() {
        AgentsEndpoint endpoint = open();
        sink.take();
        endpoint.onBinary(new AgentsBinaryDecoder().decode(ByteBuffer.wrap(new byte[] {1, (byte) 0xf6, 2}, 1, 1)));
        endpoint.onText(new AgentsTextDecoder().decode("nonsense"));
        world.hand.runAll();
        List<String> answers = sink.take();
        assertTrue(answers.get(0).contains("\"Invalid envelope\""), answers::toString);
        assertTrue(answers.get(1).contains("\"not_byte_values\""), answers::toString);
    }

    @Test
    void onClose_thenAgain_freesOnce() {
        AgentsEndpoint endpoint = open();
        endpoint.onClose();
        endpoint.onClose();
        assertEquals(0, face.openSockets());
        endpoint.onText(new AgentsTextDecoder().decode("[]"));
        world.hand.runAll();
        assertEquals(1, sink.take().size());
    }

    /** Law 9: its text goes nowhere. */
    @Test
    void onError_any_endsTheSocket() {
        AgentsEndpoint endpoint = open();
        sink.take();
        endpoint.onError(new IllegalStateException("secret"));
        world.hand.runAll();
        assertEquals(0, face.openSockets());
        assertEquals(List.of(), sink.take());
        assertEquals(Disconnect.OVERLOADED, sink.closed());
    }

    @Test
    void tick_unbound_isClosed() {
        open();
        world.hand.pass(AgentsLimits.DEFAULTS.unboundTimeout().plusSeconds(1));
        face.tick();
        world.hand.runAll();
        assertEquals(Disconnect.UNBOUND, sink.closed());
    }

    /** Some containers never tell of a broken connection: whom the engine gives up, nobody keeps. */
    @Test
    void silentPeer_containerSaysNothing_isForgotten() {
        open();
        world.hand.pass(DeliveryLimits.DEFAULTS.heartbeatTimeout().plusSeconds(1));
        world.delivery.tick();
        world.hand.runAll();
        assertEquals(Disconnect.SILENT, sink.closed());
        assertEquals(0, face.openSockets());
    }

    /** Decoders never throw, whatever comes. */
    @Test
    void decode_noise_isARefusal() {
        long seed = Long.getLong("tidings.seed", 20_261_130L);
        System.out.println("AgentsEndpointTest seed " + seed + " (-Dtidings.seed)");
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            assertInstanceOf(
                    Checked.Refused.class,
                    new AgentsBinaryDecoder()
                            .decode(ByteBuffer.wrap(noise))
                            .decode(new EnvelopeDecoder(EnvelopeLimits.DEFAULT)));
        }
        byte[] large = new byte[AgentsLimits.LARGEST_MESSAGE + 1];
        assertEquals(
                large.length,
                new AgentsBinaryDecoder().decode(ByteBuffer.wrap(large)).size());
    }

    /** The depth is configured, and holds for both forms of a message. */
    @Test
    void receive_deeperThanConfigured_isRefused() {
        byte[] deep = EnvelopeFixtures.signed(
                AgentsWorld.OWNER,
                EnvelopeFixtures.action(
                        "Subscribe",
                        world.now,
                        Map.of(
                                "key",
                                CborValue.text("account/" + AgentsWorld.OWNER.id()),
                                "more",
                                CborValue.list(List.of()))));
        for (int depth : new int[] {2, 3}) {
            AgentsSocket socket =
                    face(new EnvelopeLimits(depth, Duration.ofMinutes(5))).open(sink, Dialect.PLAIN);
            world.hand.runAll();
            sink.take();
            socket.received(AgentsMessage.of(deep));
            socket.received(AgentsMessage.of(EnvelopeFixtures.asText(deep)));
            world.hand.runAll();
            List<String> answers = List.copyOf(sink.take());
            assertEquals(2, answers.size(), answers::toString);
            answers.forEach(
                    answer -> assertTrue(answer.contains(depth == 2 ? "nested too deeply" : "\"subscribed\""), answer));
        }
    }

    @Test
    void encode_frame_sharesItsText() {
        Frame frame = Frame.ofText("{}");
        AgentsFrameEncoder encoder = new AgentsFrameEncoder();
        assertSame(encoder.encode(frame), encoder.encode(frame));
    }
}
