package dev.tidings.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.ApiKey;
import dev.tidings.ApiKeyScope;
import dev.tidings.ApiKeySecret;
import dev.tidings.event.ApiKeyRevoked;
import dev.tidings.spi.ApiKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyAccessTest {
    private final HandKeys port = new HandKeys();
    private final KeyAccess access = new KeyAccess(port, Optional.empty());
    private final ApiKeySecret secret = ApiKeySecret.random();
    private final ApiKey key = port.add(secret);
    private final List<String> told = new ArrayList<>();

    /** Keys that a test changes by hand, and which let something else happen around every look. */
    private static final class HandKeys implements ApiKeys {
        final Map<String, Stored> rows = new HashMap<>();
        boolean broken;
        Runnable afterRead = () -> {};

        ApiKey add(ApiKeySecret secret) {
            ApiKey key = new ApiKey(secret.id(), "label", new ApiKeyScope.All(), 1);
            rows.put(key.id(), new Stored(key, secret.sha256()));
            return key;
        }

        @Override
        public Optional<Stored> find(String keyId) {
            return Optional.ofNullable(rows.get(keyId));
        }

        @Override
        public Set<String> valid(Collection<String> keyIds) {
            if (broken) {
                throw new IllegalStateException("broken");
            }
            Set<String> valid = new HashSet<>(keyIds);
            valid.retainAll(rows.keySet());
            afterRead.run();
            return valid;
        }

        @Override
        public List<ApiKey> list() {
            return List.of();
        }
    }

    private KeyPass entered() {
        KeyPass pass = access.enter(key).orElseThrow();
        pass.whenEnded(() -> told.add("ended"));
        return pass;
    }

    /** A query that does not answer is no answer: silence, until one answers in time. */
    @Test
    void silenceStale_lookHangs_gateClosesAndOpensWithTheNextGoodLook() {
        long[] now = {0};
        KeyAccess aging = new KeyAccess(port, Optional.empty(), Duration.ofSeconds(6), () -> now[0]);
        KeyPass pass = aging.enter(key).orElseThrow();
        now[0] += Duration.ofSeconds(6).toNanos();
        aging.silenceStale();
        assertTrue(pass.gate().isOpen());
        port.afterRead = () -> {
            port.afterRead = () -> {};
            now[0] += Duration.ofSeconds(7).toNanos();
            aging.silenceStale();
            assertFalse(pass.gate().isOpen());
        };
        aging.recheck();
        assertFalse(pass.gate().isOpen(), "what hung tells what was");
        aging.recheck();
        assertTrue(pass.gate().isOpen());
        aging.silenceStale();
        assertTrue(pass.gate().isOpen());
    }

    @Test
    void check_itsText_isTheKeyAndNothingElseIs() {
        assertEquals(Optional.of(key), access.check(secret.text()));
        String text = secret.text();
        for (String wrong : List.of(
                "",
                ApiKeySecret.random().text(),
                text.substring(0, 21) + ApiKeySecret.random().text().substring(21),
                text + " ",
                secret.id(),
                "configured")) {
            assertEquals(Optional.empty(), access.check(wrong));
        }
    }

    /** The whole digest counts: a key that shares a part of it with the stored one is another key. */
    @Test
    void check_digestDiffersInOneByte_isRefused() {
        byte[] digest = secret.sha256();
        for (int i = 0; i < digest.length; i++) {
            byte[] other = digest.clone();
            other[i] ^= 1;
            port.rows.put(key.id(), new ApiKeys.Stored(key, other));
            assertEquals(Optional.empty(), access.check(secret.text()), "byte " + i);
        }
    }

    @Test
    void check_configuredKey_seesEverythingAndIsNeverLookedUp() {
        KeyAccess both = new KeyAccess(port, Optional.of("a key of the operator"));
        ApiKey configured = both.check("a key of the operator").orElseThrow();
        assertEquals(new ApiKeyScope.All(), configured.scope());
        assertEquals(Optional.empty(), both.check("a key of the operator "));
        assertEquals(Optional.of(key), both.check(secret.text()));
        port.broken = true;
        KeyPass pass = both.enter(configured).orElseThrow();
        both.recheck();
        assertTrue(pass.gate().isOpen());
    }

    /** Law 6: the thread that tells of the revocation ends the passes; the gate never opens again. */
    @Test
    void revoked_open_endsAtOnceForGoodAndTellsOnce() {
        KeyPass pass = entered();
        assertTrue(pass.gate().isOpen());
        access.revoked(new ApiKeyRevoked("another"));
        assertTrue(pass.gate().isOpen());
        access.revoked(new ApiKeyRevoked(key.id()));
        access.revoked(new ApiKeyRevoked(key.id()));
        assertFalse(pass.gate().isOpen());
        assertTrue(pass.ended());
        assertEquals(List.of("ended"), told);
        access.recheck();
        assertFalse(pass.gate().isOpen());
    }

    @Test
    void revoked_whileEntering_isRefused() {
        port.afterRead = () -> access.revoked(new ApiKeyRevoked(key.id()));
        assertEquals(Optional.empty(), access.enter(key));
    }

    @Test
    void enter_revokedSinceChecked_isRefused() {
        port.rows.clear();
        assertEquals(Optional.empty(), access.enter(key));
    }

    @Test
    void revoked_duringARecheckThatSawTheKey_staysEnded() {
        KeyPass pass = entered();
        port.broken = true;
        access.recheck();
        assertFalse(pass.gate().isOpen());
        port.broken = false;
        port.afterRead = () -> access.revoked(new ApiKeyRevoked(key.id()));
        access.recheck();
        assertFalse(pass.gate().isOpen());
        assertEquals(List.of("ended"), told);
    }

    /** Law 6, without an event. */
    @Test
    void recheck_rowGone_ends() {
        KeyPass pass = entered();
        port.rows.clear();
        access.recheck();
        assertTrue(pass.ended());
        assertFalse(pass.gate().isOpen());
        assertEquals(List.of("ended"), told);
    }

    /** Law 6: if the check fails, silence; nobody is sent away for it. */
    @Test
    void recheck_portBroken_isSilentUntilItAnswers() {
        KeyPass pass = entered();
        port.broken = true;
        access.recheck();
        assertFalse(pass.gate().isOpen());
        assertFalse(pass.ended());
        port.broken = false;
        access.recheck();
        assertTrue(pass.gate().isOpen());
        assertEquals(List.of(), told);
    }

    @Test
    void enter_portBroken_throwsAndHoldsNothing() {
        port.broken = true;
        assertThrows(IllegalStateException.class, () -> access.enter(key));
        access.recheck();
        port.broken = false;
        port.afterRead = () -> told.add("asked");
        access.recheck();
        assertEquals(List.of(), told);
    }

    @Test
    void close_pass_isNoLongerTold() {
        KeyPass pass = entered();
        pass.close();
        access.revoked(new ApiKeyRevoked(key.id()));
        assertEquals(List.of(), told);
    }

    @Test
    void whenEnded_afterTheEnd_isToldAtOnce() {
        KeyPass pass = access.enter(key).orElseThrow();
        access.revoked(new ApiKeyRevoked(key.id()));
        pass.whenEnded(() -> told.add("late"));
        assertEquals(List.of("late"), told);
    }

    /** A socket that closed while it was let in: nobody holds its pass any more. */
    @Test
    void keep_closedBefore_passIsLetGo() {
        HeldPass held = new HeldPass();
        KeyPass pass = entered();
        held.close();
        assertFalse(held.keep(pass));
        access.revoked(new ApiKeyRevoked(key.id()));
        assertEquals(List.of(), told);
    }
}
