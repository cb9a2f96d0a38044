package dev.tidings.jpa;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.spi.ApiKeys;

/** An API key as a row. */
final class ApiKeyRow {

    static final String COLUMNS = "k.id, k.label, k.scope_kind, k.scope_id, k.created_at, k.digest";

    private static final String ALL = "all";
    private static final String AGENT = "agent";
    private static final String SESSION = "session";

    private ApiKeyRow() {}

    static ApiKeys.Stored read(Row row) {
        return new ApiKeys.Stored(
                new ApiKey(row.text(0), row.utf8(1), scope(row.text(2), row.text(3)), row.number(4)), row.bytes(5));
    }

    static void insert(Sql sql, ApiKey key, byte[] sha256) {
        String kind = ALL;
        String id = "";
        if (key.scope() instanceof ApiKeyScope.OfAgent scope) {
            kind = AGENT;
            id = StoredId.require(scope.agentId());
        } else if (key.scope() instanceof ApiKeyScope.OfSession scope) {
            kind = SESSION;
            id = StoredId.require(scope.sessionId());
        }
        sql.update(
                "insert into tidings_api_key (id, label, scope_kind, scope_id, digest, created_at)"
                        + " values (?, ?, ?, ?, ?, ?)",
                StoredId.require(key.id()),
                Sql.utf8OrNull(key.label()),
                kind,
                id,
                sha256,
                key.createdAt());
    }

    private static ApiKeyScope scope(String kind, String id) {
        return switch (kind) {
            case ALL -> new ApiKeyScope.All();
            case AGENT -> new ApiKeyScope.OfAgent(id);
            case SESSION -> new ApiKeyScope.OfSession(id);
            // A later version's word: whoever cannot read a scope must not widen it.
            default -> throw new IllegalStateException("an API key has a scope that this version does not know");
        };
    }
}
