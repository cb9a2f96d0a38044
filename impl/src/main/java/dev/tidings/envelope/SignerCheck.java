package dev.tidings.envelope;

/**
 * Tells whether a signer may act for an account that is not its own.
 *
 * <p>Asked last, after the signature proved that the signer sent the message, and never when signer and account are the
 * same. The relation is neither symmetric nor transitive.
 *
 * <p>Threads: called on the thread that verifies, by many at once; may read a database. Errors: any exception counts as a no.
 */
@FunctionalInterface
public interface SignerCheck {
    /** Nobody acts for another. */
    SignerCheck OWN_ACCOUNT_ONLY = (accountText, signerText) -> false;

    /**
     * Whether a stored authorisation of the signer for the account exists now.
     *
     * @param accountText the account, {@code z…}
     * @param signerText the signer, {@code z…}
     */
    boolean authorized(String accountText, String signerText);
}
