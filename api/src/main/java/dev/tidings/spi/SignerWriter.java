package dev.tidings.spi;

import dev.tidings.SignerRole;

/**
 * Authorises signers and revokes them, in the caller's transaction. Who may do it is checked by the caller.
 *
 * <p>A revocation is remembered: what was issued before it authorises nobody any more, however often it is shown again.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction. Errors: throws if there is no transaction, or if
 * account and signer are the same. Source: protocols A2, authorised signers; law 6.
 */
public interface SignerWriter {

    /**
     * Lets a signer act for an account, on the word of something that was issued earlier; again: no change.
     *
     * @param issuedAt when it was issued, epoch milliseconds
     * @param now epoch milliseconds
     * @return whether the signer is authorised now; false if it was revoked at that moment or later
     */
    boolean authorize(String accountId, String signerId, SignerRole role, long issuedAt, long now);

    /** Lets a signer act for an account from now on, whatever was revoked before; again: no change but of the role. */
    default void authorize(String accountId, String signerId, SignerRole role, long now) {
        authorize(accountId, signerId, role, Long.MAX_VALUE, now);
    }

    /**
     * Ends an authorisation and fires {@code SignerRevoked}. One that does not exist is remembered as revoked too, for
     * capabilities that were issued and not yet shown; nothing is fired then.
     *
     * @return whether the signer was authorised
     */
    boolean revoke(String accountId, String signerId, long now);
}
