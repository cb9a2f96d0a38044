package dev.tidings.jpa;

import dev.tidings.ApiKey;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.spi.ApiKeysWriter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

/**
 * Writes API keys in the caller's transaction and fires what was revoked.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.MANDATORY)
class JpaApiKeysWriter implements ApiKeysWriter {

    private final Database database;
    private final Event<ApiKeyRevoked> revoked;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaApiKeysWriter() {
        this(null, null);
    }

    @Inject
    JpaApiKeysWriter(Database database, Event<ApiKeyRevoked> revoked) {
        this.database = database;
        this.revoked = revoked;
    }

    @Override
    public void create(ApiKey key, byte[] sha256) {
        ApiKeyRow.insert(database.sql(), key, sha256);
    }

    @Override
    public boolean revoke(String keyId) {
        boolean gone = StoredId.possible(keyId)
                && database.sql().update("delete from tidings_api_key where id = ?", keyId) == 1;
        if (gone) {
            revoked.fire(new ApiKeyRevoked(keyId));
        }
        return gone;
    }
}
