package dev.tidings.spi;

/**
 * Which signers may act for an account besides the account itself.
 *
 * <p>Threads: safe for use by many threads; calls may block on a database. Errors: any exception means not authorised.
 * Source: protocols A2, authorised signers.
 */
public interface SignerAuthority {

    /** Whether an authorisation (account, signer) is stored; neither symmetric nor transitive. */
    boolean authorized(String accountId, String signerId);
}
