package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Protocols A2, authorised signers: the checks of a capability in their order, and when one that comes in an envelope counts. */
class CapabilityTest {
    private static final long NOW = 1_790_000_000_000L;
    private static final Signer OWNER = Signer.number(1);
    private static final Signer DELEGATE = Signer.number(2);
    private static final Signer OTHER = Signer.number(3);

    private final List<Capability> stored = new ArrayList<>();
    private final CapabilityVerifier capabilities = new CapabilityVerifier(EnvelopeLimits.DEFAULT);

    /** A blob and what is wrong with it first. */
    record Bad(RefusalCode code, @Nullable CborValue blob) {
        @Override
        public String toString() {
            return code.text();
        }
    }

    private static Map<String, CborValue> good() {
        Map<String, CborValue> members = new LinkedHashMap<>();
        members.put("type", CborValue.text("Capability"));
        members.put("signer", CborValue.bytes(OWNER.principal().bytes().toByteArray()));
        members.put("delegate", CborValue.bytes(DELEGATE.principal().bytes().toByteArray()));
        members.put("role", CborValue.text("AGENT"));
        members.put("ts", CborValue.integer(NOW));
        return members;
    }

    private static Bad bad(RefusalCode code, Signer signer, Map<String, CborValue> members) {
        return new Bad(code, CborValue.bytes(EnvelopeFixtures.signedBlob(signer, members)));
    }

    /** Each blob breaks its own check and all that come after it: the first that fails answers. */
    static Stream<Bad> badBlobs() {
        List<Bad> blobs = new ArrayList<>();
        Map<String, CborValue> members = good();
        members.put("delegate", CborValue.bytes(OWNER.principal().bytes().toByteArray()));
        blobs.add(bad(RefusalCode.CAPABILITY_DELEGATE_MISMATCH, OWNER, members));
        Map<String, CborValue> reader = good();
        reader.put("role", CborValue.text("READER"));
        blobs.add(bad(RefusalCode.CAPABILITY_ROLE, OWNER, reader));
        reader.put("role", CborValue.NULL);
        blobs.add(bad(RefusalCode.CAPABILITY_ROLE, OWNER, reader));
        members.put("role", CborValue.text("READER"));
        blobs.add(bad(RefusalCode.CAPABILITY_DELEGATE_MISMATCH, OWNER, members));
        blobs.add(bad(RefusalCode.INVALID_CAPABILITY_SIGNATURE, OTHER, members));
        members.put("delegate", CborValue.bytes(new byte[34]));
        blobs.add(bad(RefusalCode.INVALID_CAPABILITY_DELEGATE, OTHER, members));
        members.put("signer", CborValue.text("z6Mk"));
        blobs.add(bad(RefusalCode.INVALID_CAPABILITY_SIGNER, OTHER, members));
        members.put("type", CborValue.text("capability"));
        blobs.add(bad(RefusalCode.NOT_A_CAPABILITY, OTHER, members));
        blobs.add(new Bad(RefusalCode.NOT_A_CAPABILITY, CborValue.bytes(new byte[] {(byte) 0x80})));
        blobs.add(new Bad(RefusalCode.INVALID_CAPABILITY_CBOR, CborValue.bytes(new byte[] {(byte) 0xbf, (byte) 0xff})));
        blobs.add(new Bad(RefusalCode.INVALID_CAPABILITY_CBOR, CborValue.bytes(new byte[0])));
        blobs.add(
                new Bad(RefusalCode.CAPABILITY_TOO_LARGE, CborValue.bytes(new byte[CapabilityVerifier.MAX_BYTES + 1])));
        blobs.add(new Bad(RefusalCode.INVALID_CAPABILITY_BYTES, CborValue.text("bytes")));
        Map<String, CborValue> short63 = good();
        short63.put("sig", CborValue.bytes(new byte[63]));
        blobs.add(new Bad(
                RefusalCode.INVALID_CAPABILITY_SIGNATURE, CborValue.bytes(DagCbor.encode(CborValue.map(short63)))));
        return blobs.stream();
    }

    @ParameterizedTest
    @MethodSource("badBlobs")
    void verify_badBlob_isRefusedByTheFirstCheckThatFails(Bad bad) {
        assertEquals(Refusal.of(bad.code()), Outcomes.refused(capabilities.verify(bad.blob(), DELEGATE.principal())));
    }

    @Test
    void verify_noBlob_isRefused() {
        assertEquals(
                RefusalCode.INVALID_CAPABILITY_BYTES,
                Outcomes.refused(capabilities.verify(null, DELEGATE.principal()))
                        .code());
    }

    @Test
    void verify_toItself_isRefused() {
        byte[] blob = EnvelopeFixtures.capability(OWNER, OWNER.principal(), "AGENT", NOW);
        assertEquals(
                "Capability delegates to its own issuer",
                Outcomes.refused(capabilities.verify(CborValue.bytes(blob), OWNER.principal()))
                        .message());
    }

    /** Exactly the largest blob, filled with a member that nobody knows. */
    @Test
    void verify_largestBlob_isAccepted() {
        Map<String, CborValue> members = good();
        members.put("fill", CborValue.bytes(new byte[0]));
        int empty = EnvelopeFixtures.signedBlob(OWNER, members).length;
        members.put("fill", CborValue.bytes(new byte[CapabilityVerifier.MAX_BYTES - empty - 2]));
        byte[] blob = EnvelopeFixtures.signedBlob(OWNER, members);
        assertEquals(CapabilityVerifier.MAX_BYTES, blob.length);
        Outcomes.accepted(capabilities.verify(CborValue.bytes(blob), DELEGATE.principal()));
    }

    @Test
    void verify_timeOfIssue_isTakenOrTheOldest() {
        for (Map.Entry<CborValue, Long> one : Map.of(
                        CborValue.integer(NOW),
                        NOW,
                        new CborValue.FloatValue(1.5),
                        1L,
                        CborValue.text("now"),
                        0L,
                        CborValue.NULL,
                        0L)
                .entrySet()) {
            Map<String, CborValue> members = good();
            members.put("ts", one.getKey());
            byte[] blob = EnvelopeFixtures.signedBlob(OWNER, members);
            Capability capability = Outcomes.accepted(capabilities.verify(CborValue.bytes(blob), DELEGATE.principal()));
            assertEquals(one.getValue(), capability.issuedAtMillis());
        }
    }

    // ---- in an envelope

    private Checked<VerifiedEnvelope> send(Signer signer, Map<String, CborValue> others, SignerCheck signers) {
        byte[] message = EnvelopeFixtures.signed(
                signer, OWNER.principal(), EnvelopeFixtures.subscribe("account/" + OWNER.id(), NOW), others);
        EnvelopeVerifier verifier = new EnvelopeVerifier(EnvelopeLimits.DEFAULT, signers, Optional.of(stored::add));
        return new EnvelopeDecoder(EnvelopeLimits.DEFAULT)
                .decode(message)
                .then(envelope -> verifier.verify(envelope, NOW));
    }

    private Refusal refused(Map<String, CborValue> others) {
        Refusal refusal = Outcomes.refused(send(DELEGATE, others, SignerCheck.OWN_ACCOUNT_ONLY));
        assertEquals(List.of(), stored);
        assertEquals(401, refusal.code().httpStatus());
        return refusal;
    }

    private static Map<String, CborValue> carrying(byte[] blob) {
        return EnvelopeFixtures.carrying(blob);
    }

    @ParameterizedTest
    @MethodSource("badBlobs")
    void send_badBlobInEnvelope_isRefusedLikewise(Bad bad) {
        Map<String, CborValue> others = new LinkedHashMap<>(carrying(new byte[] {1}));
        if (bad.blob() instanceof CborValue.BytesValue bytes) {
            others.putAll(carrying(bytes.value().toByteArray()));
        } else {
            others.put("capabilityBlob", CborValue.text("bytes"));
        }
        assertEquals(bad.code(), refused(others).code());
    }

    @Test
    void send_textThatIsNoCid_isRefused() {
        for (String text : List.of("", "short", "NOTACIDATALL", "bafyrei-zzzzzz", "b".repeat(201))) {
            Map<String, CborValue> others = new LinkedHashMap<>(carrying(new byte[] {1}));
            others.put("capability", CborValue.text(text));
            assertEquals(RefusalCode.INVALID_CAPABILITY_CID, refused(others).code(), text);
        }
        assertEquals(
                RefusalCode.INVALID_CAPABILITY_CID,
                refused(Map.of("capability", CborValue.integer(1))).code());
    }

    @Test
    void send_blobWithoutItsName_provesNothing() {
        byte[] blob = EnvelopeFixtures.capability(OWNER, DELEGATE.principal(), "AGENT", NOW);
        assertEquals(
                RefusalCode.SIGNER_NOT_AUTHORIZED,
                refused(Map.of("capabilityBlob", CborValue.bytes(blob))).code());
    }

    @Test
    void send_capabilityOfAnotherAccount_isRefused() {
        byte[] blob = EnvelopeFixtures.capability(OTHER, DELEGATE.principal(), "AGENT", NOW);
        assertEquals(
                "Capability was not issued by the envelope account",
                refused(carrying(blob)).message());
    }

    @Test
    void send_goodCapability_isAcceptedAndStoredOnce() {
        byte[] blob = EnvelopeFixtures.capability(OWNER, DELEGATE.principal(), "WRITER", NOW - 5);
        Outcomes.accepted(send(DELEGATE, carrying(blob), SignerCheck.OWN_ACCOUNT_ONLY));
        assertEquals(1, stored.size());
        assertEquals(OWNER.principal(), stored.get(0).issuer());
        assertEquals(DELEGATE.principal(), stored.get(0).delegate());
        assertEquals(NOW - 5, stored.get(0).issuedAtMillis());
    }

    /** What is stored decides, whatever comes along. */
    @Test
    void send_storedAlready_capabilityIsNotUsed() {
        Outcomes.accepted(send(DELEGATE, Map.of("capability", CborValue.NULL), (account, signer) -> true));
        Outcomes.accepted(send(OWNER, Map.of("capability", CborValue.NULL), SignerCheck.OWN_ACCOUNT_ONLY));
        assertEquals(List.of(), stored);
    }

    /** An old capability, shown again after the revocation; the store remembers. */
    @Test
    void send_revokedSince_isNotAuthorized() {
        EnvelopeVerifier verifier = new EnvelopeVerifier(
                EnvelopeLimits.DEFAULT, SignerCheck.OWN_ACCOUNT_ONLY, Optional.of(capability -> false));
        byte[] message = EnvelopeFixtures.signed(
                DELEGATE,
                OWNER.principal(),
                EnvelopeFixtures.subscribe("account/x", NOW),
                carrying(EnvelopeFixtures.capability(OWNER, DELEGATE.principal(), "AGENT", NOW)));
        Refusal refusal = Outcomes.refused(new EnvelopeDecoder(EnvelopeLimits.DEFAULT)
                .decode(message)
                .then(envelope -> verifier.verify(envelope, NOW)));
        assertEquals("Signer is not authorized for account", refusal.message());
    }

    /** Law 6: what cannot be stored is not believed; law 9: why is not told. */
    @Test
    void send_storeFails_isRefusedWithoutItsText() {
        EnvelopeVerifier verifier =
                new EnvelopeVerifier(EnvelopeLimits.DEFAULT, SignerCheck.OWN_ACCOUNT_ONLY, Optional.of(capability -> {
                    throw new IllegalStateException("secret: jdbc:h2:mem");
                }));
        byte[] message = EnvelopeFixtures.signed(
                DELEGATE,
                OWNER.principal(),
                EnvelopeFixtures.subscribe("account/x", NOW),
                carrying(EnvelopeFixtures.capability(OWNER, DELEGATE.principal(), "AGENT", NOW)));
        Refusal refusal = Outcomes.refused(new EnvelopeDecoder(EnvelopeLimits.DEFAULT)
                .decode(message)
                .then(envelope -> verifier.verify(envelope, NOW)));
        assertEquals(RefusalCode.SIGNER_NOT_AUTHORIZED, refusal.code());
        assertEquals("Signer is not authorized for account", refusal.message());
    }

    /** The whole processor time is spent before the question, so that the two can be bounded apart. */
    @Test
    void proven_goodCapability_asksNobody() {
        SignerCheck asked = (account, signer) -> {
            throw new AssertionError("asked");
        };
        EnvelopeVerifier verifier = new EnvelopeVerifier(EnvelopeLimits.DEFAULT, asked, Optional.of(capability -> {
            throw new AssertionError("stored");
        }));
        byte[] message = EnvelopeFixtures.signed(
                DELEGATE,
                OWNER.principal(),
                EnvelopeFixtures.subscribe("account/x", NOW),
                carrying(EnvelopeFixtures.capability(OWNER, DELEGATE.principal(), "AGENT", NOW)));
        Checked<SignatureProof> proof = new EnvelopeDecoder(EnvelopeLimits.DEFAULT)
                .decode(message)
                .then(envelope -> verifier.proven(envelope, NOW));
        assertTrue(Outcomes.accepted(proof).capabilityOrNull() instanceof Checked.Accepted<Capability>);
        assertFalse(proof instanceof Checked.Refused<SignatureProof>);
    }
}
