package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.Checked.Accepted;
import dev.tidings.envelope.Checked.Refused;
import dev.tidings.envelope.EnvelopeVectors.Expected;
import dev.tidings.envelope.EnvelopeVectors.Stage;
import dev.tidings.envelope.EnvelopeVectors.Vector;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Law 9: each vector of the signed Subscribe envelopes is accepted, or refused with the text that clients know. */
class EnvelopeVectorsTest {
    /** Capabilities carried in an envelope are not looked at yet; their vectors may fail with the authorisation's text only. */
    private static final Set<String> LATER = Set.of("capability");

    private final EnvelopeDecoder decoder = new EnvelopeDecoder(EnvelopeLimits.DEFAULT);
    private final EnvelopeVerifier verifier =
            new EnvelopeVerifier(EnvelopeLimits.DEFAULT, EnvelopeVectors.authorizations());

    static Stream<Vector> vectors() {
        return EnvelopeVectors.all().stream().filter(vector -> !LATER.contains(vector.category()));
    }

    static Stream<Vector> later() {
        return EnvelopeVectors.all().stream().filter(vector -> LATER.contains(vector.category()));
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
        assertEquals(
                refusal.code() == RefusalCode.CLOCK_WINDOW, refusal.serverTime().isPresent());
        assertFalse(refusal.message().matches("(?i).*(jackson|java|exception|bouncy|\\bnull pointer).*"));
    }

    @ParameterizedTest
    @MethodSource("later")
    void verify_capabilityVector_neverPassesWithoutStoredAuthorisation(Vector vector) {
        Checked<VerifiedEnvelope> outcome = run(vector);
        boolean storedOrOwn = vector.accountId().equals(vector.signerId())
                || EnvelopeVectors.authorizations().authorized(vector.accountId(), vector.signerId());
        assertEquals(storedOrOwn && vector.passesEnvelope(), outcome instanceof Accepted, outcome::toString);
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
