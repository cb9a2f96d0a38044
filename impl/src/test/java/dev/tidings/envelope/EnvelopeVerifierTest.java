package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeVerifierTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final long WINDOW = 5 * 60 * 1000;
    private static final Signer OWNER = Signer.number(1);
    private static final Signer DELEGATE = Signer.number(2);

    private final EnvelopeDecoder decoder = new EnvelopeDecoder(EnvelopeLimits.DEFAULT);

    private Checked<VerifiedEnvelope> verify(byte[] message, SignerCheck signers) {
        EnvelopeVerifier verifier = new EnvelopeVerifier(EnvelopeLimits.DEFAULT, signers);
        return decoder.decode(message).then(envelope -> verifier.verify(envelope, NOW));
    }

    private static Refusal refusal(Checked<?> checked) {
        return Outcomes.refused(checked);
    }

    @Test
    void verify_ownAccount_givesTheProofWithoutAskingAboutTheSigner() {
        byte[] message = EnvelopeFixtures.signed(OWNER, EnvelopeFixtures.subscribe("sessions/s1", NOW, 7));
        VerifiedEnvelope envelope = Outcomes.accepted(verify(message, (account, signer) -> {
            throw new AssertionError("asked");
        }));
        assertEquals(OWNER.principal(), envelope.signer());
        assertEquals(OWNER.principal(), envelope.account());
        assertEquals("Subscribe", envelope.actionName());
        assertEquals("sessions/s1", envelope.action().text("key").orElseThrow());
        assertEquals(7, envelope.action().integer("afterSeq").orElseThrow());
        assertEquals(NOW, envelope.timestampMillis());
    }

    @Test
    void verify_delegate_isAskedForOnceWithAccountAndSigner() {
        byte[] message = EnvelopeFixtures.signed(
                DELEGATE, OWNER.principal(), EnvelopeFixtures.subscribe("account/x", NOW), Map.of());
        List<String> asked = new ArrayList<>();
        Outcomes.accepted(verify(message, (account, signer) -> asked.add(account + " " + signer)));
        assertEquals(List.of(OWNER.id() + " " + DELEGATE.id()), asked);
        assertEquals(
                RefusalCode.SIGNER_NOT_AUTHORIZED,
                refusal(verify(message, SignerCheck.OWN_ACCOUNT_ONLY)).code());
    }

    /** The signature comes before any database read. */
    @Test
    void verify_delegateWithBadSignature_isRefusedWithoutAskingAboutTheSigner() {
        byte[] message = EnvelopeFixtures.signed(
                DELEGATE, OWNER.principal(), EnvelopeFixtures.subscribe("account/x", NOW), Map.of());
        message[10] ^= 1;
        Refusal refusal = refusal(verify(message, (account, signer) -> {
            throw new AssertionError("asked");
        }));
        assertEquals(RefusalCode.INVALID_SIGNATURE, refusal.code());
    }

    @Test
    void verify_signerCheckFails_isRefusedWithoutItsText() {
        byte[] message = EnvelopeFixtures.signed(
                DELEGATE, OWNER.principal(), EnvelopeFixtures.subscribe("account/x", NOW), Map.of());
        Refusal refusal = refusal(verify(message, (account, signer) -> {
            throw new IllegalStateException("database down");
        }));
        assertEquals(RefusalCode.SIGNER_NOT_AUTHORIZED, refusal.code());
        assertEquals("Signer is not authorized for account", refusal.message());
        assertEquals("signer_check_failed", refusal.reason());
    }

    @ParameterizedTest
    @ValueSource(longs = {-WINDOW, -WINDOW + 1, 0, WINDOW - 1, WINDOW})
    void verify_insideClockWindow_isAccepted(long skew) {
        byte[] message = EnvelopeFixtures.signed(OWNER, EnvelopeFixtures.subscribe("account/x", NOW + skew));
        Outcomes.accepted(verify(message, SignerCheck.OWN_ACCOUNT_ONLY));
    }

    @ParameterizedTest
    @ValueSource(longs = {-WINDOW - 1, WINDOW + 1, -NOW, -9007199254740991L - NOW, 9007199254740991L - NOW})
    void verify_outsideClockWindow_tellsTheServersTime(long skew) {
        byte[] message = EnvelopeFixtures.signed(OWNER, EnvelopeFixtures.subscribe("account/x", NOW + skew));
        Refusal refusal = refusal(verify(message, SignerCheck.OWN_ACCOUNT_ONLY));
        assertEquals(RefusalCode.CLOCK_WINDOW, refusal.code());
        assertEquals(OptionalLong.of(NOW), refusal.serverTime());
        // What the peer adds to its clock to be right.
        long told = Math.max(-9007199254740991L, Math.min(9007199254740991L, -skew));
        assertEquals(OptionalLong.of(told), refusal.skewMillis());
    }

    /** The clock window is configuration. */
    @Test
    void verify_narrowerWindow_isHonoured() {
        EnvelopeVerifier verifier =
                new EnvelopeVerifier(new EnvelopeLimits(64, Duration.ofSeconds(30)), SignerCheck.OWN_ACCOUNT_ONLY);
        byte[] message = EnvelopeFixtures.signed(OWNER, EnvelopeFixtures.subscribe("account/x", NOW - 30_001));
        assertEquals(
                RefusalCode.CLOCK_WINDOW,
                refusal(decoder.decode(message).then(envelope -> verifier.verify(envelope, NOW)))
                        .code());
    }

    /** What is remembered against repeats: the same envelope has an equal signature, another has not. */
    @Test
    void signature_sameAndOtherEnvelope_areEqualAndNot() {
        byte[] first = EnvelopeFixtures.signed(OWNER, EnvelopeFixtures.subscribe("account/x", NOW));
        byte[] other = EnvelopeFixtures.signed(OWNER, EnvelopeFixtures.subscribe("account/x", NOW + 1));
        assertEquals(signature(first), signature(first.clone()));
        assertEquals(signature(first).hashCode(), signature(first.clone()).hashCode());
        assertNotEquals(signature(first), signature(other));
    }

    private Signature signature(byte[] message) {
        return Outcomes.accepted(decoder.decode(message)).signature();
    }

    @Test
    void verify_unknownMembers_areCoveredBySignatureAndIgnored() {
        byte[] message = EnvelopeFixtures.signed(
                OWNER,
                OWNER.principal(),
                EnvelopeFixtures.subscribe("account/x", NOW),
                Map.of("note", CborValue.text("hello")));
        Outcomes.accepted(verify(message, SignerCheck.OWN_ACCOUNT_ONLY));
        int at = new String(message, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("hello");
        message[at] = 'j';
        assertEquals(
                RefusalCode.INVALID_SIGNATURE,
                refusal(verify(message, SignerCheck.OWN_ACCOUNT_ONLY)).code());
    }

    @Test
    void limits_outOfRange_namesTheRange() {
        var depth = assertThrows(IllegalArgumentException.class, () -> new EnvelopeLimits(1, Duration.ZERO));
        assertTrue(String.valueOf(depth.getMessage()).contains("between 2 and 512"));
        assertThrows(IllegalArgumentException.class, () -> new EnvelopeLimits(64, Duration.ofMillis(-1)));
    }
}
