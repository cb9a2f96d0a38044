package dev.tidings.jpa;

import dev.tidings.spi.SignerAuthority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads stored authorisations.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional
class JpaSignerAuthority implements SignerAuthority {

    private static final int PAIRS_A_QUERY = 256;

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
        return !authorized(List.of(new Pair(accountId, signerId))).isEmpty();
    }

    @Override
    public Set<Pair> authorized(Collection<Pair> pairs) {
        List<Pair> possible = pairs.stream()
                .filter(pair -> StoredId.possible(pair.accountId()) && StoredId.possible(pair.signerId()))
                .distinct()
                .toList();
        Set<Pair> authorized = new HashSet<>();
        for (int from = 0; from < possible.size(); from += PAIRS_A_QUERY) {
            read(possible.subList(from, Math.min(possible.size(), from + PAIRS_A_QUERY)), authorized);
        }
        return authorized;
    }

    private void read(List<Pair> pairs, Set<Pair> authorized) {
        List<String> accounts = pairs.stream().map(Pair::accountId).distinct().toList();
        List<String> signers = pairs.stream().map(Pair::signerId).distinct().toList();
        String select = "select account_id, signer_id from tidings_signer"
                + " where account_id in (?) and signer_id in (?) and revoked_at is null";
        Set<Pair> asked = Set.copyOf(pairs);
        for (Row row : database.sql().rows(select, accounts, signers)) {
            Pair pair = new Pair(row.text(0), row.text(1));
            if (asked.contains(pair)) {
                authorized.add(pair);
            }
        }
    }
}
