package dev.tidings.spi;

import dev.tidings.ApiKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The API keys that are valid now, for reading. The keys themselves are not known here, only their digests.
 *
 * <p>Threads: safe for use by many threads; calls may block on a database. Errors: any exception means that nothing is
 * known, and then no key is valid (law 6). Source: protocols B and C.
 */
public interface ApiKeys {

    /** The key of that name with its digest; empty if there is none, or if it was revoked. */
    Optional<Stored> find(String keyId);

    /** Those of the named keys that are valid, in one query or a few. */
    Set<String> valid(Collection<String> keyIds);

    /** All keys that are valid, by (createdAt, id). */
    List<ApiKey> list();

    /**
     * A key with its digest.
     *
     * @param key the key
     * @param sha256 the digest of its text, 32 bytes
     */
    record Stored(ApiKey key, byte[] sha256) {

        /** Copies the digest. */
        public Stored {
            sha256 = sha256.clone();
        }

        @Override
        public byte[] sha256() {
            return sha256.clone();
        }
    }
}
