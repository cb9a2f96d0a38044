package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.Checked.Accepted;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.EnvelopeVectors.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Law 9: whatever the bytes are, the answer is an envelope or a refusal, never an exception or an error of the machine, and
 * the memory for it is bounded by the message's size (law 4).
 *
 * <p>Every message has a number, and depends on the seed and its number only: a failure names both, and
 * {@code -Dtidings.test.fuzz.seed=… -Dtidings.test.fuzz.from=… -Dtidings.test.fuzz.count=1} runs it alone.
 */
class EnvelopeFuzzTest {
    private static final long SEED = Long.getLong("tidings.test.fuzz.seed", 20260103L);
    private static final long FROM = Long.getLong("tidings.test.fuzz.from", 0);
    private static final int COUNT = Integer.getInteger("tidings.test.fuzz.count", 1_000_000);
    private static final int ENOUGH_FOR_ALL_REFUSALS = 200_000;
    private static final long NOW = 1_790_000_000_000L;

    private static final int RESIGN_EVERY = 64;
    private static final int VERIFY_EVERY = 8;
    private static final int MEASURE_EVERY = 64;
    private static final int REENCODE_EVERY = 4;

    private final EnvelopeDecoder decoder = new EnvelopeDecoder(EnvelopeLimits.DEFAULT);
    private final EnvelopeVerifier verifier = new EnvelopeVerifier(
            EnvelopeLimits.DEFAULT,
            (account, signer) -> account.hashCode() % 2 == 0 && signer.hashCode() % 2 == 0,
            Optional.of(capability -> capability.issuedAtMillis() % 2 == 0));
    private final CapabilityVerifier capabilities = new CapabilityVerifier(EnvelopeLimits.DEFAULT);
    private final Set<Bytes> genuine = new HashSet<>();
    private final TreeMap<String, Integer> outcomes = new TreeMap<>();

    private EnvelopeMutations mutations() {
        List<byte[]> messages = new ArrayList<>();
        for (Vector vector : EnvelopeVectors.all()) {
            messages.add(vector.envelope().toByteArray());
            genuine.add(vector.envelope());
        }
        for (int i = 0; i < 40; i++) {
            byte[] signed = EnvelopeFixtures.signed(Signer.number(i), EnvelopeMutations.ordinaryAction(NOW));
            messages.add(signed);
            genuine.add(Bytes.copyOf(signed));
        }
        return new EnvelopeMutations(messages);
    }

    @Test
    void decodeAndVerify_mutatedMessages_refuseWithinMemoryAndNeverThrow() {
        System.out.println("Envelope fuzz: tidings.test.fuzz.seed=" + SEED + " count=" + COUNT);
        EnvelopeMutations mutations = mutations();
        warmUp(mutations);
        for (long number = FROM; number < FROM + COUNT; number++) {
            SplittableRandom random = new SplittableRandom(SEED + number * 0x9e3779b97f4a7c15L);
            boolean resigned = number % RESIGN_EVERY == 0;
            byte[] message = resigned ? mutations.resigned(random, NOW) : mutations.next(random);
            try {
                judge(message, resigned, number);
            } catch (Throwable e) {
                throw new AssertionError("message " + number + " of seed " + SEED + ": " + shortHex(message), e);
            }
        }
        System.out.println("Envelope fuzz: " + outcomes);
        if (COUNT >= ENOUGH_FOR_ALL_REFUSALS) {
            assertEveryRefusalWasSeen();
        }
    }

    /** What classes allocate once, when they are first used, is no message's memory. */
    private void warmUp(EnvelopeMutations mutations) {
        for (Bytes message : genuine) {
            outcome(message.toByteArray(), true);
        }
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 5_000; i++) {
            outcome(mutations.next(random), i % 2 == 0);
        }
    }

    private void judge(byte[] message, boolean resigned, long number) {
        boolean verify = resigned || number % VERIFY_EVERY == 0;
        if (number % MEASURE_EVERY <= 1) {
            long allocated = Allocation.during(() -> outcome(message, verify));
            assertTrue(allocated <= Allocation.bound(message, 2), () -> allocated + " bytes allocated");
        }
        Object outcome = outcome(message, verify);
        outcomes.merge(name(outcome), 1, Integer::sum);
        if (outcome instanceof Refusal refusal) {
            assertTrue(refusal.message().length() < 200);
            return;
        }
        if (number % REENCODE_EVERY == 0) {
            assertReadsBack(message);
        }
        if (outcome instanceof VerifiedEnvelope && !resigned && !genuine.contains(Bytes.copyOf(message))) {
            assertSigned(message);
        }
    }

    private Object outcome(byte[] message, boolean verify) {
        Checked<SignedEnvelope> decoded = decoder.decode(message);
        if (verify) {
            return decoded.then(envelope -> verifier.verify(envelope, NOW)).<Object>fold(v -> v, r -> r);
        }
        return decoded.<Object>fold(v -> v, r -> r);
    }

    /** A capability's bytes as they come with {@code RegisterSigner}. */
    @Test
    void verifyCapability_mutatedBlobs_refuseWithinMemoryAndNeverThrow() {
        System.out.println("Capability fuzz: tidings.test.fuzz.seed=" + SEED + " count=" + COUNT);
        List<byte[]> blobs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            blobs.add(EnvelopeFixtures.capability(
                    Signer.number(i), Signer.number(i % 5).principal(), i % 7 == 0 ? "READER" : "AGENT", NOW + i));
        }
        EnvelopeMutations mutations = new EnvelopeMutations(blobs);
        Set<Bytes> originals = new HashSet<>();
        blobs.forEach(blob -> originals.add(Bytes.copyOf(blob)));
        for (int i = 0; i < 5_000; i++) {
            capability(mutations.next(new SplittableRandom(SEED - i)), i);
        }
        TreeMap<String, Integer> seen = new TreeMap<>();
        for (long number = FROM; number < FROM + COUNT / 10; number++) {
            byte[] blob = mutations.next(new SplittableRandom(SEED + number * 0x9e3779b97f4a7c15L));
            long shown = number;
            try {
                long allocated = Allocation.during(() -> capability(blob, shown));
                assertTrue(allocated <= Allocation.bound(blob, 2), () -> allocated + " bytes allocated");
                Object outcome = capability(blob, number);
                seen.merge(name(outcome), 1, Integer::sum);
                if (outcome instanceof Capability && !originals.contains(Bytes.copyOf(blob))) {
                    throw new AssertionError("a forgery was accepted");
                }
            } catch (Throwable e) {
                throw new AssertionError("blob " + number + " of seed " + SEED + ": " + shortHex(blob), e);
            }
        }
        System.out.println("Capability fuzz: " + seen);
    }

    private Object capability(byte[] blob, long number) {
        return capabilities
                .verify(CborValue.bytes(blob), Signer.number(number % 5).principal())
                .<Object>fold(v -> v, r -> r);
    }

    /** What passed the check is the one form of its value: the writer gives the same bytes, also through JSON. */
    private static void assertReadsBack(byte[] message) {
        Checked<CborValue> checked = DagCbor.decode(message, EnvelopeLimits.DEFAULT);
        CborValue value = ((Accepted<CborValue>) checked).value();
        assertArrayEquals(message, DagCbor.encode(value));
        DagCbor.encodeJson(DagCbor.toJson(value));
    }

    /** A change may undo the fault of a vector; then the JDK has to find the signature good, too. */
    private void assertSigned(byte[] message) {
        SignedEnvelope envelope = ((Accepted<SignedEnvelope>) decoder.decode(message)).value();
        byte[] principal = envelope.unverifiedSigner().bytes().toByteArray();
        byte[] key = Arrays.copyOfRange(principal, 2, principal.length);
        byte[] signature = envelope.signature().bytes().toByteArray();
        assertTrue(JdkEd25519.valid(signature, key, envelope.signedBytes()), "a forgery was accepted");
    }

    private static String name(Object outcome) {
        return outcome instanceof Refusal refusal
                ? refusal.reason()
                : outcome.getClass().getSimpleName();
    }

    private static String shortHex(byte[] message) {
        return HexFormat.of().formatHex(message, 0, Math.min(message.length, 2_000));
    }

    /** A fuzz that never got far proves nothing. */
    private void assertEveryRefusalWasSeen() {
        Set<String> expected = new HashSet<>(Set.of("SignedEnvelope", "VerifiedEnvelope"));
        Arrays.stream(CborFault.values()).map(CborFault::reason).forEach(expected::add);
        Arrays.stream(RefusalCode.values()).map(RefusalCode::text).forEach(expected::add);
        // The first stands for the faults, the second is about text messages.
        expected.removeAll(Set.of(RefusalCode.NOT_CANONICAL.text(), RefusalCode.NOT_BYTE_VALUES.text()));
        // Nobody needs a capability to act for itself.
        expected.remove(RefusalCode.CAPABILITY_SELF_DELEGATION.text());
        expected.removeAll(outcomes.keySet());
        assertEquals(Set.of(), expected, "never seen");
    }
}
