package dev.tidings.envelope;

import dev.tidings.envelope.CborValue.MapValue;
import java.util.Map;

/**
 * A well-formed envelope that nobody has verified yet: who claims to have signed what, for which account.
 *
 * <p>Only {@link EnvelopeDecoder} makes one, and {@link EnvelopeVerifier} turns it into a {@link VerifiedEnvelope}. Nothing in
 * it may be acted upon before.
 *
 * <p>Threads: immutable.
 */
public final class SignedEnvelope {
    private final CheckedBytes message;
    private final Principal signer;
    private final Principal account;
    private final Signature signature;
    private final MapValue action;
    private final String actionName;
    private final double timestampMillis;

    SignedEnvelope(
            CheckedBytes message,
            Principal signer,
            Principal account,
            Signature signature,
            EnvelopeDecoder.Action action) {
        this.message = message;
        this.signer = signer;
        this.account = account;
        this.signature = signature;
        this.action = action.members();
        this.actionName = action.name();
        this.timestampMillis = action.timestampMillis();
    }

    /** The principal that claims to have signed. */
    public Principal unverifiedSigner() {
        return signer;
    }

    /** The account for which the action is meant to be done. */
    public Principal unverifiedAccount() {
        return account;
    }

    /** The name of the action, its member {@code _}. */
    public String unverifiedActionName() {
        return actionName;
    }

    /** The signature as received. */
    public Signature signature() {
        return signature;
    }

    /** The number of bytes of the message. */
    public int size() {
        return message.content().length;
    }

    /** The members of the envelope, known and unknown; a view of the message. */
    Map<String, CborValue> members() {
        return new CheckedMap(message.content(), 0);
    }

    MapValue action() {
        return action;
    }

    /** Epoch milliseconds; may have a fraction. */
    double timestampMillis() {
        return timestampMillis;
    }

    /** The bytes that the signature is about; a new array. */
    byte[] signedBytes() {
        return message.signedBytes();
    }
}
