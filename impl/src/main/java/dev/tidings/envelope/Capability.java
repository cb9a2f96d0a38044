package dev.tidings.envelope;

/**
 * What an account issued to let another key act for it, verified: the issuer signed that the delegate may.
 *
 * <p>Only {@link CapabilityVerifier} makes one. It does not say that the issuer has not revoked it since.
 *
 * <p>Threads: immutable.
 */
public final class Capability {
    private final Principal issuer;
    private final Principal delegate;
    private final long issuedAtMillis;

    Capability(Principal issuer, Principal delegate, long issuedAtMillis) {
        this.issuer = issuer;
        this.delegate = delegate;
        this.issuedAtMillis = issuedAtMillis;
    }

    /** The account that lets somebody act for it. */
    public Principal issuer() {
        return issuer;
    }

    /** Who may act for it; never the issuer. */
    public Principal delegate() {
        return delegate;
    }

    /** When the issuer says that it was issued: epoch milliseconds; 0 if it does not say. */
    public long issuedAtMillis() {
        return issuedAtMillis;
    }
}
