package dev.tidings.spi;

import dev.tidings.ApiKey;

/**
 * API keys, for whoever administers them, in the caller's transaction. Who may do it is checked by the caller.
 *
 * <p>A new key: {@code ApiKeySecret secret = ApiKeySecret.random()}, then {@link #create} with its name and digest; its
 * text is shown to its holder once and kept nowhere.
 *
 * <p>Threads: safe for use by many threads, each in its own transaction. Errors: throws if there is no transaction, or
 * if the id is taken.
 */
public interface ApiKeysWriter {

    /**
     * Stores a key.
     *
     * @param sha256 the digest of its text, 32 bytes
     */
    void create(ApiKey key, byte[] sha256);

    /** Revokes a key for good and fires {@code ApiKeyRevoked}; false, and nothing is fired, if it was not valid. */
    boolean revoke(String keyId);
}
