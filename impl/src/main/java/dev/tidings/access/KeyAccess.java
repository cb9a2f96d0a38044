package dev.tidings.access;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.ApiKeySecret;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.spi.ApiKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which API keys are valid, now.
 *
 * <p>Keys are found by the name within them and compared by digest, in constant time: how long an answer takes tells
 * which names exist, and names are no secret. {@link #revoked} ends the sockets of a key on the thread that commits the
 * revocation (law 6); every {@code tidings.access.recheck} all keys in use are looked up again, and if that fails, or
 * takes too long, their gates close until it succeeds.
 *
 * <p>Threads: any. {@link #check}, {@link #enter} and {@link #recheck} may block on the port.
 */
public final class KeyAccess {
    /** Stands for the key that the configuration gives; no stored key has this name. */
    private static final ApiKey CONFIGURED = new ApiKey("configured", "tidings.api-key", new ApiKeyScope.All(), 0);

    private final ApiKeys keys;
    private final byte @Nullable [] configured;
    private final long maxAgeNanos;
    private final LongSupplier nanoTime;
    private final Set<KeyPass> open = ConcurrentHashMap.newKeySet();

    /**
     * Access by these keys, where no look is ever too old.
     *
     * @param configuredKey one more key, which sees everything; of any shape
     */
    public KeyAccess(ApiKeys keys, Optional<String> configuredKey) {
        this(keys, configuredKey, Duration.ofDays(365), () -> 0);
    }

    /**
     * Access by these keys.
     *
     * @param configuredKey one more key, which sees everything; of any shape
     * @param maxAge how long what a look found holds, from when it began
     * @param nanoTime never goes back
     */
    public KeyAccess(ApiKeys keys, Optional<String> configuredKey, Duration maxAge, LongSupplier nanoTime) {
        this.keys = keys;
        this.configured = configuredKey.map(KeyAccess::sha256).orElse(null);
        this.maxAgeNanos = maxAge.toNanos();
        this.nanoTime = nanoTime;
    }

    /** The valid key that somebody presents. What the port throws is thrown on; then nobody is let in. */
    public Optional<ApiKey> check(String presented) {
        if (configured != null && MessageDigest.isEqual(configured, sha256(presented))) {
            return Optional.of(CONFIGURED);
        }
        return ApiKeySecret.parse(presented)
                .flatMap(secret -> keys.find(secret.id())
                        .filter(stored -> MessageDigest.isEqual(stored.sha256(), secret.sha256()))
                        .map(ApiKeys.Stored::key));
    }

    /**
     * A pass for a socket whose key was checked; empty if the key has been revoked since. To be closed with the socket.
     */
    public Optional<KeyPass> enter(ApiKey key) {
        KeyPass pass = new KeyPass(this, key);
        // Registered and then looked up: a revocation that commits in between finds the pass.
        open.add(pass);
        boolean entered = false;
        try {
            long began = nanoTime.getAsLong();
            long closings = pass.gate().closings();
            if (stillValid(Set.of(key.id())).contains(key.id())) {
                pass.open(closings, began);
                entered = !pass.ended();
            }
        } finally {
            if (!entered) {
                forget(pass);
            }
        }
        return entered ? Optional.of(pass) : Optional.empty();
    }

    /** A key was revoked by a transaction that has committed. Never blocks. */
    public void revoked(ApiKeyRevoked event) {
        for (KeyPass pass : open) {
            if (pass.key().id().equals(event.keyId())) {
                pass.end();
            }
        }
    }

    /**
     * Silences every key whose last good look is too old, since a look may hang; a later one ends that. Call it about once a
     * second, from a thread that never waits for the port. Never blocks.
     */
    public void silenceStale() {
        long now = nanoTime.getAsLong();
        for (KeyPass pass : open) {
            if (pass.gate().isOpen() && now - pass.lookedAt() > maxAgeNanos) {
                pass.gate().close();
            }
        }
    }

    /** Looks up every key in use; if that fails, all fall silent until it succeeds. May block. */
    public void recheck() {
        long began = nanoTime.getAsLong();
        Map<KeyPass, Long> closings = new LinkedHashMap<>();
        for (KeyPass pass : open) {
            closings.put(pass, pass.gate().closings());
        }
        if (closings.isEmpty()) {
            return;
        }
        Set<String> valid;
        try {
            valid = stillValid(
                    closings.keySet().stream().map(pass -> pass.key().id()).collect(Collectors.toSet()));
        } catch (RuntimeException unknown) {
            closings.keySet().forEach(pass -> pass.gate().close());
            return;
        }
        // What hung for too long tells what was, not what is: it ends, and opens nothing.
        boolean stale = nanoTime.getAsLong() - began > maxAgeNanos;
        closings.forEach((pass, count) -> {
            if (valid.contains(pass.key().id())) {
                if (stale) {
                    pass.gate().close();
                } else {
                    pass.open(count, began);
                }
            } else {
                pass.end();
            }
        });
    }

    void forget(KeyPass pass) {
        open.remove(pass);
    }

    private Set<String> stillValid(Set<String> ids) {
        if (configured != null && ids.contains(CONFIGURED.id())) {
            Set<String> others =
                    ids.stream().filter(id -> !id.equals(CONFIGURED.id())).collect(Collectors.toSet());
            Set<String> valid = new java.util.HashSet<>(others.isEmpty() ? Set.of() : keys.valid(List.copyOf(others)));
            valid.add(CONFIGURED.id());
            return valid;
        }
        return keys.valid(List.copyOf(ids));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
