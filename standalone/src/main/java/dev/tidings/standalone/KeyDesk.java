package dev.tidings.standalone;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.ApiKeySecret;
import dev.tidings.spi.ApiKeys;
import dev.tidings.spi.ApiKeysWriter;
import dev.tidings.spi.Directory;
import dev.tidings.spi.Transactions;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.time.Instant;

/** Does what {@code ./run keys …} asks, over the database. Threads: any. */
@Dependent
final class KeyDesk {
    private final ApiKeys keys;
    private final ApiKeysWriter writer;
    private final Directory directory;
    private final Transactions transactions;

    @Inject
    KeyDesk(ApiKeys keys, ApiKeysWriter writer, Directory directory, Transactions transactions) {
        this.keys = keys;
        this.writer = writer;
        this.directory = directory;
        this.transactions = transactions;
    }

    /** What a command comes to. */
    record Answer(boolean done, String text) {}

    /** Never shows a key, but for one that it has just made. */
    Answer answer(KeysCommand command) {
        if (command instanceof KeysCommand.Create create) {
            return create(create);
        }
        return command instanceof KeysCommand.Revoke revoke ? revoke(revoke.keyId()) : list();
    }

    private Answer create(KeysCommand.Create create) {
        ApiKeyScope scope = create.scope();
        if (scope instanceof ApiKeyScope.OfAgent one
                && directory.agent(one.agentId()).isEmpty()) {
            return new Answer(false, "there is no agent " + one.agentId());
        }
        if (scope instanceof ApiKeyScope.OfSession one
                && directory.session(one.sessionId()).isEmpty()) {
            return new Answer(false, "there is no session " + one.sessionId());
        }
        ApiKeySecret secret = ApiKeySecret.random();
        ApiKey key = new ApiKey(secret.id(), create.label(), scope, System.currentTimeMillis());
        transactions.run(() -> writer.create(key, secret.sha256()));
        return new Answer(true, secret.text());
    }

    private Answer revoke(String keyId) {
        boolean revoked = transactions.required(() -> writer.revoke(keyId));
        return revoked ? new Answer(true, "revoked " + keyId) : new Answer(false, "there is no key " + keyId);
    }

    private Answer list() {
        StringBuilder lines = new StringBuilder();
        for (ApiKey key : keys.list()) {
            lines.append(key.id())
                    .append("  ")
                    .append(Instant.ofEpochMilli(key.createdAt()))
                    .append("  ")
                    .append(words(key.scope()))
                    .append("  ")
                    .append(printable(key.label()))
                    .append('\n');
        }
        return new Answer(
                true, lines.isEmpty() ? "there are no keys" : lines.toString().stripTrailing());
    }

    private static String words(ApiKeyScope scope) {
        if (scope instanceof ApiKeyScope.OfAgent one) {
            return "agent " + one.agentId();
        }
        return scope instanceof ApiKeyScope.OfSession one ? "session " + one.sessionId() : "all";
    }

    /** A label may hold what a terminal would obey. */
    private static String printable(String label) {
        return label.replaceAll("\\p{Cntrl}", "?");
    }
}
