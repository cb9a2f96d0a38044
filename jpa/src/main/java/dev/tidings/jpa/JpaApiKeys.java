package dev.tidings.jpa;

import dev.tidings.ApiKey;
import dev.tidings.spi.ApiKeys;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the API keys.
 *
 * <p>Not final and with a second constructor for the container's proxy. Threads: any.
 */
@ApplicationScoped
@Transactional
class JpaApiKeys implements ApiKeys {

    private static final int IDS_A_QUERY = 256;

    private final Database database;

    @SuppressWarnings("NullAway") // the proxy's constructor
    protected JpaApiKeys() {
        this(null);
    }

    @Inject
    JpaApiKeys(Database database) {
        this.database = database;
    }

    @Override
    public Optional<Stored> find(String keyId) {
        return StoredId.possible(keyId)
                ? database.sql()
                        .row("select " + ApiKeyRow.COLUMNS + " from tidings_api_key k where k.id = ?", keyId)
                        .map(ApiKeyRow::read)
                : Optional.empty();
    }

    @Override
    public Set<String> valid(Collection<String> keyIds) {
        List<String> possible =
                keyIds.stream().filter(StoredId::possible).distinct().toList();
        Set<String> valid = new HashSet<>();
        for (int from = 0; from < possible.size(); from += IDS_A_QUERY) {
            List<String> some = possible.subList(from, Math.min(possible.size(), from + IDS_A_QUERY));
            database.sql()
                    .rows("select k.id from tidings_api_key k where k.id in (?)", some)
                    .forEach(row -> valid.add(row.text(0)));
        }
        return valid;
    }

    @Override
    public List<ApiKey> list() {
        String select = "select " + ApiKeyRow.COLUMNS + " from tidings_api_key k order by k.created_at, k.id";
        return database.sql().rows(select).stream()
                .map(row -> ApiKeyRow.read(row).key())
                .toList();
    }
}
