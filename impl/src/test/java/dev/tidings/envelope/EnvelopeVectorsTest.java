package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.Checked.Refused;
import dev.tidings.envelope.EnvelopeVectors.Expected;
import dev.tidings.envelope.EnvelopeVectors.Stage;
import dev.tidings.envelope.EnvelopeVectors.Vector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Law 9: each vector of the signed Subscribe envelopes is accepted, or refused with the text that clients know. */
class EnvelopeVectorsTest {
    private final List<Capability> stored = new ArrayList<>();
    private final EnvelopeDecoder decoder = new EnvelopeDecoder(EnvelopeLimits.DEFAULT);
    private final EnvelopeVerifier verifier =
            new EnvelopeVerifier(EnvelopeLimits.DEFAULT, EnvelopeVectors.authorizations(), Optional.of(stored::add));

    static Stream<Vector> vectors() {
        return EnvelopeVectors.all().stream();
    }

    static Stream<Vector> capabilities() {
        return vectors().filter(vector -> vector.category().equals("capability"));
    }

    static Stream<Vector> withSignedBytes() {
        return vectors().filter(vector -> vector.signedBytes().isPresent() && vector.passesEnvelope());
    }

    private Checked<VerifiedEnvelope> run(Vector vector) {
        return decoder.decode(vector.envelope().toByteArray())
                .then(envelope -> verifier.verify(envelope, vector.nowMillis()));
    }

    @Test
    void all_file_holdsEveryVector() {
        assertEquals(303, EnvelopeVectors.all().size());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void verify_vector_hasExpectedOutcome(Vector vector) {
        Checked<VerifiedEnvelope> outcome = run(vector);
        if (vector.passesEnvelope()) {
            if (vector.either() && outcome instanceof Refused<VerifiedEnvelope> refused) {
                assertEquals(RefusalCode.INVALID_SIGNATURE, refused.refusal().code());
                return;
            }
            VerifiedEnvelope accepted = Outcomes.accepted(outcome);
            assertEquals(vector.accountId(), accepted.account().text());
            assertEquals(vector.signerId(), accepted.signer().text());
            return;
        }
        // Strict in every case: where libraries may disagree, ours refuses as the vector says.
        assertRefusal((Expected.Refused) vector.expected(), Outcomes.refused(outcome));
    }

    private static void assertRefusal(Expected.Refused expected, Refusal refusal) {
        expected.reason().ifPresent(reason -> assertEquals(reason, refusal.message()));
        expected.status()
                .ifPresent(status -> assertEquals(status, refusal.code().httpStatus()));
        assertEquals(expected.stage() == Stage.DECODE, refusal.code() == RefusalCode.NOT_CANONICAL);
        boolean clock = refusal.code() == RefusalCode.CLOCK_WINDOW;
        assertEquals(clock, refusal.serverTime().isPresent());
        assertEquals(clock, refusal.skewMillis().isPresent());
        assertFalse(refusal.message().matches("(?i).*(jackson|java|exception|bouncy|\\bnull pointer).*"));
    }

    @ParameterizedTest
    @MethodSource("capabilities")
    void verify_capabilityVector_isStoredIfAndOnlyIfItPasses(Vector vector) {
        run(vector);
        assertEquals(
                vector.passesEnvelope() ? List.of(vector.accountId() + vector.signerId()) : List.of(),
                stored.stream()
                        .map(capability -> capability.issuer().text()
                                + capability.delegate().text())
                        .toList());
    }

    /** A backend that stores none: a capability proves nothing. */
    @ParameterizedTest
    @MethodSource("capabilities")
    void verify_capabilityVectorWithoutAStore_isNotAuthorized(Vector vector) {
        EnvelopeVerifier storing = new EnvelopeVerifier(EnvelopeLimits.DEFAULT, EnvelopeVectors.authorizations());
        Refusal refusal = Outcomes.refused(decoder.decode(vector.envelope().toByteArray())
                .then(envelope -> storing.verify(envelope, vector.nowMillis())));
        assertEquals(RefusalCode.SIGNER_NOT_AUTHORIZED, refusal.code());
    }

    @ParameterizedTest
    @MethodSource("withSignedBytes")
    void signedBytes_vector_areTheReceivedBytesWithSignatureZeroed(Vector vector) {
        SignedEnvelope decoded =
                Outcomes.accepted(decoder.decode(vector.envelope().toByteArray()));
        assertArrayEquals(vector.signedBytes().orElseThrow().toByteArray(), decoded.signedBytes());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void decodeText_sameBytesAsText_hasSameOutcome(Vector vector) {
        byte[] envelope = vector.envelope().toByteArray();
        Checked<SignedEnvelope> fromText = decoder.decodeText(EnvelopeFixtures.asText(envelope));
        Checked<SignedEnvelope> fromBytes = decoder.decode(envelope);
        assertEquals(outcome(fromBytes), outcome(fromText));
    }

    private static Object outcome(Checked<SignedEnvelope> checked) {
        return checked.fold(envelope -> List.of(envelope.signature(), envelope.action()), refusal -> refusal);
    }

    /** The undefined of JavaScript clients: its refusal tells them what to do. */
    @Test
    void decode_undefinedMember_saysOmitTheMember() {
        Vector vector = EnvelopeVectors.all().stream()
                .filter(v -> v.name().startsWith("afterSeq undefined"))
                .findFirst()
                .orElseThrow();
        Refusal refusal = Outcomes.refused(decoder.decode(vector.envelope().toByteArray()));
        assertTrue(refusal.message().contains("omit the member instead"));
        assertEquals("undefined", refusal.reason());
    }
}
