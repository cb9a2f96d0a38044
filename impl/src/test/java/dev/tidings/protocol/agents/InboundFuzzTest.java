package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.EnvelopeMutations;
import dev.tidings.envelope.EnvelopeVectors;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Law 9 at every way in: whatever comes, one answer goes out, with a code if it is a refusal and without a word of what is
 * behind it, and the socket stays usable.
 *
 * <p>Every message has a number, and depends on the seed and its number only: a failure names both, and
 * {@code -Dtidings.test.fuzz.seed=… -Dtidings.test.fuzz.from=… -Dtidings.test.fuzz.count=1} runs it alone. The bytes of
 * envelopes and capabilities themselves are tested, a million times, behind these ways.
 */
class InboundFuzzTest {
    private static final long SEED = Long.getLong("tidings.test.fuzz.seed", 20260104L);
    private static final long FROM = Long.getLong("tidings.test.fuzz.from", 0);
    private static final int COUNT = Integer.getInteger("tidings.test.fuzz.inbound.count", 4_000);
    private static final Signer DELEGATE = Signer.number(40);
    private static final Pattern INSIDES =
            Pattern.compile("(?i)exception|java|jackson|bouncy|jdbc|select |null pointer|dev\\.tidings|\\bat \\w+\\.");

    private final AgentsWorld world = new AgentsWorld().furnished();
    private final TreeMap<String, Integer> outcomes = new TreeMap<>();

    private interface Shot {
        String answer(SplittableRandom random);
    }

    private void each(String what, Shot shot) {
        System.out.println("Inbound fuzz, " + what + ": tidings.test.fuzz.seed=" + SEED + " count=" + COUNT);
        for (long number = FROM; number < FROM + COUNT; number++) {
            try {
                String outcome = shot.answer(new SplittableRandom(SEED + number * 0x9e3779b97f4a7c15L));
                outcomes.merge(outcome, 1, Integer::sum);
            } catch (Throwable e) {
                throw new AssertionError(what + " " + number + " of seed " + SEED, e);
            }
        }
    }

    @AfterEach
    void show() {
        System.out.println("Inbound fuzz: " + outcomes);
    }

    private static List<byte[]> envelopes(long now) {
        List<byte[]> messages = new ArrayList<>();
        EnvelopeVectors.all().stream()
                .map(vector -> vector.envelope().toByteArray())
                .filter(message -> message.length < 2_000)
                .forEach(messages::add);
        for (int i = 1; i <= 3; i++) {
            messages.add(EnvelopeFixtures.signed(
                    Signer.number(i), EnvelopeFixtures.subscribe(AgentsWorld.SESSION_KEY, now, i)));
        }
        return messages;
    }

    // ---- the socket

    private AgentsWorld.Peer peer = world.connect();

    /** The first answer's code; a new socket once one is bound, so that accounts do not collide. */
    private String judged(List<String> answers) {
        assertFalse(answers.isEmpty(), "no answer");
        assertEquals(null, peer.sink.closed());
        for (String answer : answers) {
            assertFalse(INSIDES.matcher(answer).find(), answer);
        }
        MapValue first = (MapValue) DagCbor.fromJson(answers.get(0).getBytes(StandardCharsets.UTF_8));
        String kind = first.text("_").orElseThrow();
        if (kind.equals("error")) {
            assertEquals(1, answers.size(), answers::toString);
            assertTrue(first.text("message").orElseThrow().length() < 400);
            return first.text("code").orElseThrow();
        }
        assertEquals("subscribed", kind);
        peer.socket.closed();
        peer = world.connect();
        return kind;
    }

    @Test
    void socket_mutatedEnvelopes_areAnsweredAndLeaveItUsable() {
        EnvelopeMutations mutations = new EnvelopeMutations(envelopes(world.now));
        each(
                "binary",
                random -> judged(peer.send(
                        random.nextInt(3) == 0 ? mutations.resigned(random, world.now) : mutations.next(random))));
        assertTrue(outcomes.size() > 10, outcomes::toString);
    }

    @Test
    void socket_mutatedTexts_areAnsweredAndLeaveItUsable() {
        EnvelopeMutations mutations = new EnvelopeMutations(envelopes(world.now));
        String[] noise = {"[", "]", ",", " ", "256", "-1", "1.0", "\"", "\u0000", "{", "e1", "\ud800", "00", "\t"};
        each("text", random -> {
            StringBuilder text = new StringBuilder(EnvelopeFixtures.asText(mutations.next(random)));
            for (int i = random.nextInt(3); i > 0; i--) {
                int at = random.nextInt(text.length() + 1);
                text.replace(at, Math.min(text.length(), at + random.nextInt(2)), noise[random.nextInt(noise.length)]);
            }
            return judged(peer.sendText(text.toString()));
        });
        assertTrue(outcomes.containsKey("not_byte_values"), outcomes::toString);
        assertTrue(outcomes.size() > 5, outcomes::toString);
    }

    /** What is signed well may hold anything: the members of Subscribe, each odd in its turn. */
    @Test
    void socket_oddSubscribes_areAnsweredAndLeaveItUsable() {
        String[] keys = {
            AgentsWorld.SESSION_KEY,
            "account/" + AgentsWorld.OWNER.id(),
            "agents/" + AgentsWorld.AGENT,
            "runs/none",
            "sessions/",
            "sessions/\u0000",
            "sessions/a/b",
            "/",
            "",
            "account/\ud83d\ude00"
        };
        each("subscribe", random -> {
            Map<String, CborValue> members = new HashMap<>();
            members.put("key", CborValue.text(keys[random.nextInt(keys.length)]));
            for (String name : List.of("afterSeq", "cursor", "epoch", "key", "more")) {
                if (random.nextInt(4) == 0) {
                    members.put(name, EnvelopeMutations.odd(random, 3));
                }
            }
            return judged(peer.subscribe(AgentsWorld.OWNER, members));
        });
        assertTrue(outcomes.containsKey("subscribed"), outcomes::toString);
        assertTrue(outcomes.containsKey("invalid_after_seq"), outcomes::toString);
        assertTrue(outcomes.containsKey("key_not_authorized"), outcomes::toString);
    }

    private static List<byte[]> capabilities(long now) {
        return List.of(
                EnvelopeFixtures.capability(AgentsWorld.OWNER, DELEGATE.principal(), "AGENT", now),
                EnvelopeFixtures.capability(AgentsWorld.OWNER, DELEGATE.principal(), "READER", now));
    }

    /** A blob that is none of those that are good. */
    private static byte[] mutated(EnvelopeMutations mutations, List<byte[]> good, SplittableRandom random) {
        while (true) {
            byte[] blob = mutations.next(random);
            if (good.stream().noneMatch(original -> Arrays.equals(original, blob))) {
                return blob;
            }
        }
    }

    /** Envelopes for another account that carry broken capabilities. */
    @Test
    void socket_mutatedCapabilities_areAnsweredAndNeverBelieved() {
        List<byte[]> good = capabilities(world.now);
        EnvelopeMutations mutations = new EnvelopeMutations(good);
        each("capabilityBlob", random -> {
            Map<String, CborValue> others = new HashMap<>(EnvelopeFixtures.carrying(mutated(mutations, good, random)));
            if (random.nextInt(4) == 0) {
                others.put("capability", EnvelopeMutations.odd(random, 2));
            }
            String outcome = judged(peer.send(EnvelopeFixtures.signed(
                    DELEGATE,
                    AgentsWorld.OWNER.principal(),
                    EnvelopeFixtures.subscribe(AgentsWorld.SESSION_KEY, world.now),
                    others)));
            assertNotEquals("subscribed", outcome);
            return outcome;
        });
        assertTrue(outcomes.size() > 5, outcomes::toString);
    }

    // ---- HTTP

    private final HttpBench bench = new HttpBench();

    private String judged(byte[] body) {
        HttpBench.Answer answer = HttpBench.decoded(bench.http.message(body));
        assertEquals(0, bench.http.exchanges().bodies().taken());
        if (answer.status() == 200) {
            return "200";
        }
        assertTrue(answer.status() >= 400 && answer.status() < 500, () -> "status " + answer.status());
        assertEquals("Error", answer.text("_"));
        assertFalse(INSIDES.matcher(answer.text("message")).find(), () -> answer.text("message"));
        return answer.text("code");
    }

    @Test
    void http_mutatedBodies_areAnsweredWithACode() {
        EnvelopeMutations mutations = new EnvelopeMutations(envelopes(bench.now()));
        each(
                "HTTP body",
                random -> judged(
                        random.nextInt(3) == 0 ? mutations.resigned(random, bench.now()) : mutations.next(random)));
        assertTrue(outcomes.size() > 8, outcomes::toString);
    }

    @Test
    void http_mutatedRegisterSigner_isAnsweredWithACodeAndNeverBelieved() {
        List<byte[]> good = capabilities(bench.now());
        EnvelopeMutations mutations = new EnvelopeMutations(good);
        each("RegisterSigner", random -> {
            String outcome = judged(bench.body(
                    DELEGATE,
                    "RegisterSigner",
                    "capability",
                    random.nextInt(8) == 0
                            ? EnvelopeMutations.odd(random, 3)
                            : CborValue.bytes(mutated(mutations, good, random))));
            assertNotEquals("200", outcome);
            return outcome;
        });
        assertTrue(outcomes.size() > 5, outcomes::toString);
    }
}
