package dev.tidings.envelope;

import dev.tidings.envelope.CborValue.MapValue;

/**
 * The proof that an account's authorised signer sent this action, a short time ago.
 *
 * <p>Only {@link EnvelopeVerifier} makes one. It does not say that the same envelope was not seen before: {@link #signature()}
 * is what to remember for that.
 *
 * <p>Threads: immutable.
 */
public final class VerifiedEnvelope {
    private final SignedEnvelope envelope;

    VerifiedEnvelope(SignedEnvelope envelope) {
        this.envelope = envelope;
    }

    /** Who signed. */
    public Principal signer() {
        return envelope.unverifiedSigner();
    }

    /** The account for which the action is done; a connection is bound to it, not to the signer. */
    public Principal account() {
        return envelope.unverifiedAccount();
    }

    /** The action with all its members, known and unknown; a view of the message. */
    public MapValue action() {
        return envelope.action();
    }

    /** The name of the action, its member {@code _}. */
    public String actionName() {
        return envelope.unverifiedActionName();
    }

    /** When the signer says that it signed: epoch milliseconds, maybe with a fraction. */
    public double timestampMillis() {
        return envelope.timestampMillis();
    }

    /** The signature: two envelopes with the same one are the same envelope. */
    public Signature signature() {
        return envelope.signature();
    }
}
