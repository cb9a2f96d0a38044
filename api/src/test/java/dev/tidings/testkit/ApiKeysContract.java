package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.ApiKeySecret;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.spi.ApiKeys;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What every {@link ApiKeys} and {@link dev.tidings.spi.ApiKeysWriter} does (law 6, protocols B and C). Threads: one, but
 * for revocations at once.
 */
public abstract class ApiKeysContract extends PortsContract {

    private ApiKeySecret created(ApiKeyScope scope, long at) {
        ApiKeySecret secret = ApiKeySecret.random();
        inTransaction(() -> ports().apiKeysWriter().create(key(secret, scope, at), secret.sha256()));
        return secret;
    }

    private static ApiKey key(ApiKeySecret secret, ApiKeyScope scope, long at) {
        return new ApiKey(secret.id(), "l\u0000bel \uD83D\uDD11", scope, at);
    }

    @Test
    void find_created_isAsItWasGivenWithItsDigest() {
        for (ApiKeyScope scope : List.of(
                new ApiKeyScope.All(), new ApiKeyScope.OfAgent("agent"), new ApiKeyScope.OfSession("session"))) {
            ApiKeySecret secret = created(scope, 7);
            ApiKeys.Stored found = ports().apiKeys().find(secret.id()).orElseThrow();
            assertEquals(key(secret, scope, 7), found.key());
            assertArrayEquals(secret.sha256(), found.sha256());
        }
    }

    @Test
    void find_unknownOrImpossible_isEmpty() {
        for (String id : List.of("ffffffffffffffff", "", "\u0000", "\uD800", "k".repeat(300))) {
            assertEquals(Optional.empty(), ports().apiKeys().find(id));
            assertEquals(Set.of(), ports().apiKeys().valid(List.of(id)));
            inTransaction(() -> assertFalse(ports().apiKeysWriter().revoke(id)));
        }
        assertEquals(Set.of(), ports().apiKeys().valid(List.of()));
    }

    /** Ids compare byte for byte: another case, or a space behind it, is another key. */
    @Test
    void find_similarId_isAnother() {
        ApiKeySecret secret = created(new ApiKeyScope.All(), 7);
        for (String id :
                List.of(secret.id() + " ", " " + secret.id(), "A" + secret.id().substring(1))) {
            assertEquals(Optional.empty(), ports().apiKeys().find(id));
        }
    }

    /** Law 6: the revocation is told, once, in the transaction that did it. */
    @Test
    void revoke_valid_isGoneAndToldOnce() {
        ApiKeySecret secret = created(new ApiKeyScope.All(), 7);
        ApiKeySecret other = created(new ApiKeyScope.All(), 7);
        ports().takeEvents();
        inTransaction(() -> assertTrue(ports().apiKeysWriter().revoke(secret.id())));
        inTransaction(() -> assertFalse(ports().apiKeysWriter().revoke(secret.id())));
        assertEquals(List.of(new ApiKeyRevoked(secret.id())), eventsOf(ApiKeyRevoked.class));
        assertEquals(Optional.empty(), ports().apiKeys().find(secret.id()));
        assertEquals(Set.of(other.id()), ports().apiKeys().valid(List.of(secret.id(), other.id(), other.id())));
    }

    /** Law 2. */
    @Test
    void revoke_rolledBack_isAsBeforeAndNotTold() {
        ApiKeySecret secret = created(new ApiKeyScope.All(), 7);
        ports().takeEvents();
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    assertTrue(ports().apiKeysWriter().revoke(secret.id()));
                    ports().setRollbackOnly();
                }));
        assertEquals(List.of(), eventsOf(ApiKeyRevoked.class));
        assertTrue(ports().apiKeys().find(secret.id()).isPresent());
    }

    /** Whoever revokes second waits for the first, and does nothing. */
    @Test
    void revoke_atOnce_oneDoesIt() {
        ApiKeySecret secret = created(new ApiKeyScope.All(), 7);
        List<CompletableFuture<Boolean>> all = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> ports().transactions()
                                .<Boolean>required(() -> ports().apiKeysWriter().revoke(secret.id())),
                        task -> new Thread(task).start()))
                .limit(4)
                .toList();
        long did = all.stream()
                .filter(one -> one.orTimeout(30, TimeUnit.SECONDS).join())
                .count();
        assertEquals(1, did);
    }

    @Test
    void create_idTaken_isRefused() {
        ApiKeySecret secret = created(new ApiKeyScope.All(), 7);
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() ->
                        ports().apiKeysWriter().create(key(secret, new ApiKeyScope.OfAgent("a"), 8), new byte[32])));
        assertArrayEquals(
                secret.sha256(),
                ports().apiKeys().find(secret.id()).orElseThrow().sha256());
    }

    @Test
    void writer_noTransaction_throws() {
        assertThrows(RuntimeException.class, () -> ports().apiKeysWriter().revoke("k"));
        ApiKeySecret secret = ApiKeySecret.random();
        assertThrows(
                RuntimeException.class,
                () -> ports().apiKeysWriter().create(key(secret, new ApiKeyScope.All(), 1), secret.sha256()));
    }

    @Test
    void list_several_byTimeWithoutTheRevoked() {
        ApiKeySecret late = created(new ApiKeyScope.All(), 9);
        ApiKeySecret early = created(new ApiKeyScope.OfAgent("a"), 3);
        ApiKeySecret gone = created(new ApiKeyScope.All(), 5);
        inTransaction(() -> ports().apiKeysWriter().revoke(gone.id()));
        List<String> listed = ports().apiKeys().list().stream()
                .map(ApiKey::id)
                .filter(new HashSet<>(Set.of(late.id(), early.id(), gone.id()))::contains)
                .toList();
        assertEquals(List.of(early.id(), late.id()), listed);
    }

    /** More than fit into one query. */
    @Test
    void valid_many_allOfThemAreAnswered() {
        ApiKeySecret secret = created(new ApiKeyScope.All(), 9);
        List<String> many = Stream.concat(
                        Stream.iterate(0, i -> i + 1).limit(600).map(i -> "none-" + i), Stream.of(secret.id()))
                .toList();
        assertEquals(Set.of(secret.id()), ports().apiKeys().valid(many));
    }
}
