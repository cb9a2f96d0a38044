package dev.tidings.jpa;

import dev.tidings.spi.SignerAuthority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

/**
 * Reads stored authorisations.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional
class JpaSignerAuthority implements SignerAuthority {

    private final Database database;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaSignerAuthority() {
        this(null);
    }

    @Inject
    JpaSignerAuthority(Database database) {
        this.database = database;
    }

    @Override
    public boolean authorized(String accountId, String signerId) {
        return StoredId.possible(accountId)
                && StoredId.possible(signerId)
                && database.sql()
                        .row(
                                "select created_at from tidings_signer where account_id = ? and signer_id = ?",
                                accountId,
                                signerId)
                        .isPresent();
    }
}
