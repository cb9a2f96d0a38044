package dev.tidings.envelope;

import dev.tidings.envelope.Checked.Accepted;
import dev.tidings.envelope.Checked.Refused;
import java.lang.System.Logger.Level;

/**
 * The second half of the checks: a well-formed envelope to the proof that it is fresh, signed and authorised.
 *
 * <p>Cheap checks come first: the clock, then the signature (about 80 µs), and only then the question about the signer, which
 * may cost a database read. What is verified are the received bytes with the signature zeroed; nothing is encoded again.
 *
 * <p>Threads: safe for use by many threads.
 */
public final class EnvelopeVerifier {
    private static final System.Logger LOG = System.getLogger(EnvelopeVerifier.class.getName());

    private final long maxClockSkewMillis;
    private final SignerCheck signerCheck;

    public EnvelopeVerifier(EnvelopeLimits limits, SignerCheck signerCheck) {
        this.maxClockSkewMillis = limits.maxClockSkew().toMillis();
        this.signerCheck = signerCheck;
    }

    /**
     * Verifies an envelope; never throws. A signer check that fails counts as a no.
     *
     * @param nowMillis the server's clock, epoch milliseconds
     */
    public Checked<VerifiedEnvelope> verify(SignedEnvelope envelope, long nowMillis) {
        // The edge is inside; a timestamp may have a fraction.
        if (!(Math.abs(nowMillis - envelope.timestampMillis()) <= maxClockSkewMillis)) {
            return new Refused<>(Refusal.clock(nowMillis));
        }
        if (!Ed25519Signatures.valid(envelope.signature(), envelope.unverifiedSigner(), envelope.signedBytes())) {
            return new Refused<>(Refusal.of(RefusalCode.INVALID_SIGNATURE));
        }
        try {
            if (!authorized(envelope.unverifiedSigner(), envelope.unverifiedAccount())) {
                return new Refused<>(Refusal.of(RefusalCode.SIGNER_NOT_AUTHORIZED));
            }
        } catch (RuntimeException e) {
            // The exception may name tables or hosts: neither the peer nor the log gets its text.
            LOG.log(Level.WARNING, "The signer check failed; the signer counts as not authorised.");
            return new Refused<>(Refusal.signerCheckFailed());
        }
        return new Accepted<>(new VerifiedEnvelope(envelope));
    }

    /** The place where a capability that came in the envelope is looked at, once nothing is stored for the signer. */
    private boolean authorized(Principal signer, Principal account) {
        return signer.equals(account) || signerCheck.authorized(account.text(), signer.text());
    }
}
