package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Law 4: a message takes at most eight times its size and 16 KiB, however small its items are.
 *
 * <p>What is measured is everything that was allocated, which is never less than what is live.
 */
class EnvelopeMemoryTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final int BIG = 256 * 1024;

    private final EnvelopeDecoder decoder = new EnvelopeDecoder(EnvelopeLimits.DEFAULT);
    private final EnvelopeVerifier verifier =
            new EnvelopeVerifier(EnvelopeLimits.DEFAULT, SignerCheck.OWN_ACCOUNT_ONLY);

    /** A message and its name. */
    record Hostile(String name, byte[] message) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Hostile inAction(String name, CborValue member) {
        var action = EnvelopeFixtures.action("Subscribe", NOW, Map.of("x", member));
        return new Hostile(name, EnvelopeFixtures.signed(Signer.number(3), action));
    }

    private static CborValue.MapValue keys(int count) {
        Map<String, CborValue> members = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            members.put(Integer.toString(i, 36), CborValue.NULL);
        }
        return CborValue.map(members);
    }

    static Stream<Hostile> hostile() {
        CborValue[] nested = {CborValue.list(List.of())};
        for (int i = 0; i < 20; i++) {
            nested[0] = CborValue.list(Collections.nCopies(2, nested[0]));
        }
        return Stream.of(
                inAction("ordinary", CborValue.NULL),
                inAction("short texts", CborValue.list(Collections.nCopies(BIG / 2, CborValue.text("a")))),
                inAction("small integers", CborValue.list(Collections.nCopies(BIG, CborValue.integer(1)))),
                inAction("empty maps", CborValue.list(Collections.nCopies(BIG, CborValue.map(Map.of())))),
                inAction("short keys", keys(50_000)),
                inAction(
                        "binary tree", ((CborValue.ListValue) nested[0]).items().get(0)),
                inAction("long text", CborValue.text("é".repeat(BIG / 2))),
                inAction("long bytes", CborValue.bytes(new byte[BIG])),
                new Hostile(
                        "long name",
                        EnvelopeFixtures.signed(
                                Signer.number(3), EnvelopeFixtures.action("x".repeat(BIG), NOW, Map.of()))),
                new Hostile(
                        "long key",
                        EnvelopeFixtures.signed(
                                Signer.number(3),
                                EnvelopeFixtures.action("x", NOW, Map.of("k".repeat(BIG), CborValue.NULL)))));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void decodeAndVerify_message_allocatesWithinBound(Hostile hostile) {
        byte[] message = hostile.message();
        for (int warmUp = 0; warmUp < 3; warmUp++) {
            Outcomes.accepted(run(message));
        }
        long allocated = Allocation.during(() -> run(message));
        assertTrue(allocated <= Allocation.bound(message), () -> allocated + " bytes for " + message.length);
    }

    private Checked<VerifiedEnvelope> run(byte[] message) {
        return decoder.decode(message).then(envelope -> verifier.verify(envelope, NOW));
    }

    /** A type that is nearly the whole message is the worst for what is decoded before the refusal. */
    @ParameterizedTest
    @MethodSource("fields")
    void decode_longField_allocatesWithinBound(Hostile hostile) {
        byte[] message = hostile.message();
        for (int warmUp = 0; warmUp < 3; warmUp++) {
            Outcomes.refused(run(message));
        }
        long allocated = Allocation.during(() -> run(message));
        assertTrue(allocated <= Allocation.bound(message), () -> allocated + " bytes for " + message.length);
    }

    static Stream<Hostile> fields() {
        byte[] declared = {(byte) 0xa1, 0x63, 's', 'i', 'g', 0x5b, 0x7f, -1, -1, -1, -1, -1, -1, -1};
        byte[] deep = new byte[BIG];
        Arrays.fill(deep, (byte) 0x81);
        return Stream.of(
                field("type", CborValue.text("x".repeat(BIG))),
                field("type", CborValue.text("é".repeat(BIG / 2))),
                field("signer", CborValue.bytes(new byte[BIG])),
                new Hostile("declared length", declared),
                new Hostile("depth bomb", deep));
    }

    private static Hostile field(String name, CborValue value) {
        Map<String, CborValue> members = new LinkedHashMap<>();
        members.put("type", CborValue.text("AgentsAction"));
        members.put(name, value);
        return new Hostile(name, DagCbor.encode(CborValue.map(members)));
    }
}
