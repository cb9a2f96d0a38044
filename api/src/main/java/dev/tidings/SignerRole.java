package dev.tidings;

import java.util.Locale;
import java.util.Optional;

/**
 * As what a signer acts for an account that is not its own.
 *
 * <p>Both may do for the account whatever the account may do; the difference is for the backend that stored it.
 *
 * <p>Threads: immutable. Source: protocols A2, authorised signers.
 */
public enum SignerRole {
    /** By a capability that the account issued. */
    AGENT,
    /** As another key of the account's owner. */
    OWNER;

    /** The word in storage. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of that word. */
    public static Optional<SignerRole> ofCode(String code) {
        for (SignerRole role : values()) {
            if (role.code().equals(code)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
