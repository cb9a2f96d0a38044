package dev.tidings.testkit;

import dev.tidings.ApiKey;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.spi.ApiKeys;
import dev.tidings.spi.ApiKeysWriter;
import dev.tidings.testkit.InMemoryStore.Row;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * API keys in memory.
 *
 * <p>Threads: safe; a transaction belongs to one thread.
 */
final class InMemoryApiKeys implements ApiKeys, ApiKeysWriter {

    private final InMemoryStore store;

    InMemoryApiKeys(InMemoryStore store) {
        this.store = store;
    }

    private static Row<Stored> row(String keyId) {
        return new Row<>(Stored.class, keyId);
    }

    @Override
    public Optional<Stored> find(String keyId) {
        return store.find(row(keyId));
    }

    @Override
    public Set<String> valid(Collection<String> keyIds) {
        Set<String> valid = new HashSet<>(keyIds);
        valid.removeIf(keyId -> find(keyId).isEmpty());
        return valid;
    }

    @Override
    public List<ApiKey> list() {
        return store.all(Stored.class).stream()
                .map(Stored::key)
                .sorted(Comparator.comparingLong(ApiKey::createdAt).thenComparing(ApiKey::id))
                .toList();
    }

    @Override
    public void create(ApiKey key, byte[] sha256) {
        if (store.lockRow(row(key.id())).isPresent()) {
            throw new IllegalStateException("the id is taken");
        }
        store.put(row(key.id()), new Stored(key, sha256));
    }

    @Override
    public boolean revoke(String keyId) {
        if (store.lockRow(row(keyId)).isEmpty()) {
            return false;
        }
        store.remove(row(keyId));
        store.fire(new ApiKeyRevoked(keyId));
        return true;
    }
}
