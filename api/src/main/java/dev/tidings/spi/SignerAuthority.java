package dev.tidings.spi;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Which signers may act for an account besides the account itself.
 *
 * <p>Threads: safe for use by many threads; calls may block on a database. Errors: any exception means not authorised.
 * Source: protocols A2, authorised signers.
 */
@FunctionalInterface
public interface SignerAuthority {

    /** Whether an authorisation (account, signer) is stored and stands; neither symmetric nor transitive. */
    boolean authorized(String accountId, String signerId);

    /** Those of several pairs that are authorised, in one query or a few; asked every {@code tidings.access.recheck}. */
    default Set<Pair> authorized(Collection<Pair> pairs) {
        Set<Pair> authorized = new HashSet<>();
        for (Pair pair : pairs) {
            if (authorized(pair.accountId(), pair.signerId())) {
                authorized.add(pair);
            }
        }
        return authorized;
    }

    /** An account and who signs for it. */
    record Pair(String accountId, String signerId) {}
}
