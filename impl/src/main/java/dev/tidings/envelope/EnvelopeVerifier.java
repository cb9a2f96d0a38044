package dev.tidings.envelope;

import dev.tidings.envelope.Checked.Accepted;
import dev.tidings.envelope.Checked.Refused;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * The second half of the checks: a well-formed envelope to the proof that it is fresh, signed and authorised.
 *
 * <p>Cheap checks come first: the clock, then the signature (about 80 µs, and as much for a capability that it carries for
 * another account), and only then the question about the signer, which may cost a database read. What is verified are the
 * received bytes with the signature zeroed; nothing is encoded again.
 *
 * <p>Threads: safe for use by many threads.
 */
public final class EnvelopeVerifier {
    private static final System.Logger LOG = System.getLogger(EnvelopeVerifier.class.getName());

    private final long maxClockSkewMillis;
    private final SignerCheck signerCheck;
    private final CapabilityVerifier capabilities;
    private final Optional<CapabilityStore> store;

    /** A verifier to which capabilities in envelopes mean nothing. */
    public EnvelopeVerifier(EnvelopeLimits limits, SignerCheck signerCheck) {
        this(limits, signerCheck, Optional.empty());
    }

    /**
     * A verifier.
     *
     * @param store where it stores what a capability in an envelope proves; without it, nothing is proved by one
     */
    public EnvelopeVerifier(EnvelopeLimits limits, SignerCheck signerCheck, Optional<CapabilityStore> store) {
        this.maxClockSkewMillis = limits.maxClockSkew().toMillis();
        this.signerCheck = signerCheck;
        this.capabilities = new CapabilityVerifier(limits);
        this.store = store;
    }

    /**
     * Verifies an envelope, all of it; never throws. May block.
     *
     * @param nowMillis the server's clock, epoch milliseconds
     */
    public Checked<VerifiedEnvelope> verify(SignedEnvelope envelope, long nowMillis) {
        return proven(envelope, nowMillis).then(this::authorized);
    }

    /**
     * Checks the clock and the signature; never throws and never blocks, but takes its time.
     *
     * @param nowMillis the server's clock, epoch milliseconds
     */
    public Checked<SignatureProof> proven(SignedEnvelope envelope, long nowMillis) {
        // The edge is inside; a timestamp may have a fraction.
        if (!(Math.abs(nowMillis - envelope.timestampMillis()) <= maxClockSkewMillis)) {
            return new Refused<>(Refusal.clock(nowMillis, envelope.timestampMillis()));
        }
        if (!Ed25519Signatures.valid(envelope.signature(), envelope.unverifiedSigner(), envelope.signedBytes())) {
            return new Refused<>(Refusal.of(RefusalCode.INVALID_SIGNATURE));
        }
        boolean carries = store.isPresent()
                && !envelope.unverifiedSigner().equals(envelope.unverifiedAccount())
                && envelope.members().containsKey("capability");
        return new Accepted<>(new SignatureProof(envelope, carries ? capabilities.carried(envelope) : null));
    }

    /**
     * Asks whether the signer may act for the account; never throws. May block. What is stored decides; if nothing is, the
     * capability that the envelope carries does, and is stored. A question that fails counts as a no.
     */
    public Checked<VerifiedEnvelope> authorized(SignatureProof proof) {
        SignedEnvelope envelope = proof.envelope();
        Principal signer = envelope.unverifiedSigner();
        Principal account = envelope.unverifiedAccount();
        VerifiedEnvelope verified = new VerifiedEnvelope(envelope);
        try {
            if (signer.equals(account) || signerCheck.authorized(account.text(), signer.text())) {
                return new Accepted<>(verified);
            }
            Checked<Capability> capability = proof.capabilityOrNull();
            if (capability == null) {
                return new Refused<>(Refusal.of(RefusalCode.SIGNER_NOT_AUTHORIZED));
            }
            return capability.then(proved -> stored(proved)
                    ? new Accepted<>(verified)
                    : new Refused<>(Refusal.of(RefusalCode.SIGNER_NOT_AUTHORIZED)));
        } catch (RuntimeException e) {
            // The exception may name tables or hosts: neither the peer nor the log gets its text.
            LOG.log(Level.WARNING, "The signer check failed; the signer counts as not authorised.");
            return new Refused<>(Refusal.signerCheckFailed());
        }
    }

    private boolean stored(Capability capability) {
        return store.isPresent() && store.get().store(capability);
    }
}
