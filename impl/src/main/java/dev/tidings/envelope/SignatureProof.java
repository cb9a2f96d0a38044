package dev.tidings.envelope;

import org.jspecify.annotations.Nullable;

/**
 * The proof that an envelope is fresh and that its signer signed it; whether the signer may act for the account is still to
 * be asked.
 *
 * <p>Only {@link EnvelopeVerifier#proven} makes one. Everything that costs time on a processor is behind it, everything that
 * may wait for a database is still to come, so that the two can be bounded apart.
 *
 * <p>Threads: immutable.
 */
public final class SignatureProof {
    private final SignedEnvelope envelope;
    private final @Nullable Checked<Capability> capability;

    SignatureProof(SignedEnvelope envelope, @Nullable Checked<Capability> capability) {
        this.envelope = envelope;
        this.capability = capability;
    }

    SignedEnvelope envelope() {
        return envelope;
    }

    /** What came of the capability that the envelope carries for another account; null if it carries none. */
    @Nullable
    Checked<Capability> capabilityOrNull() {
        return capability;
    }
}
