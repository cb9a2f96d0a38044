package dev.tidings.jpa;

import dev.tidings.SignerRole;
import dev.tidings.event.SignerRevoked;
import dev.tidings.spi.SignerWriter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes authorisations in the caller's transaction. A row with {@code revoked_at} is a revocation that is remembered.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.MANDATORY)
class JpaSignerWriter implements SignerWriter {

    private final Database database;
    private final Event<SignerRevoked> signerRevoked;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaSignerWriter() {
        this(null, null);
    }

    @Inject
    JpaSignerWriter(Database database, Event<SignerRevoked> signerRevoked) {
        this.database = database;
        this.signerRevoked = signerRevoked;
    }

    @Override
    public boolean authorize(String accountId, String signerId, SignerRole role, long issuedAt, long now) {
        requireTwo(accountId, signerId);
        Row before = locked(accountId, signerId).orElse(null);
        if (before == null) {
            insert(accountId, signerId, role, now, null);
            return true;
        }
        Long revokedAt = before.numberOrNull(1);
        if (revokedAt != null && issuedAt <= revokedAt) {
            return false;
        }
        if (revokedAt != null || !before.text(0).equals(role.code())) {
            String update =
                    "update tidings_signer set role = ?, revoked_at = null where account_id = ? and signer_id = ?";
            database.sql().update(update, role.code(), accountId, signerId);
        }
        return true;
    }

    @Override
    public boolean revoke(String accountId, String signerId, long now) {
        requireTwo(accountId, signerId);
        Row before = locked(accountId, signerId).orElse(null);
        if (before == null) {
            insert(accountId, signerId, SignerRole.AGENT, now, now);
            return false;
        }
        boolean stood = before.numberOrNull(1) == null;
        String update = "update tidings_signer set revoked_at = ? where account_id = ? and signer_id = ?";
        database.sql().update(update, now, accountId, signerId);
        if (stood) {
            signerRevoked.fire(new SignerRevoked(accountId, signerId));
        }
        return stood;
    }

    /** The pair's row, locked; if there is none, whoever else wants to insert it waits until this transaction ends. */
    private Optional<Row> locked(String accountId, String signerId) {
        Optional<Row> row = find(accountId, signerId);
        if (row.isPresent()) {
            return row;
        }
        // A row that is not there cannot be locked. Signers come rarely enough to come one after the other.
        database.sql().row("select epoch from tidings_epoch where id = 1 for update");
        return find(accountId, signerId);
    }

    private Optional<Row> find(String accountId, String signerId) {
        String select = "select role, revoked_at from tidings_signer where account_id = ? and signer_id = ? for update";
        return database.sql().row(select, accountId, signerId);
    }

    private void insert(String accountId, String signerId, SignerRole role, long now, @Nullable Long revokedAt) {
        String insert = "insert into tidings_signer (account_id, signer_id, role, created_at, revoked_at)"
                + " values (?, ?, ?, ?, ?)";
        database.sql().update(insert, accountId, signerId, role.code(), now, revokedAt);
    }

    private static void requireTwo(String accountId, String signerId) {
        if (StoredId.require(accountId).equals(StoredId.require(signerId))) {
            throw new IllegalArgumentException("an account always signs for itself");
        }
    }
}
