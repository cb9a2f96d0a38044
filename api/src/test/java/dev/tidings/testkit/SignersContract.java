package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.SignerRole;
import dev.tidings.event.SignerRevoked;
import dev.tidings.spi.SignerAuthority.Pair;
import dev.tidings.spi.SignerWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * What every {@link dev.tidings.spi.SignerAuthority} and {@link SignerWriter} does (law 6, protocols A2, authorised
 * signers). Threads: one, but for authorisations at once.
 */
public abstract class SignersContract extends PortsContract {

    private final String account = fresh("account");
    private final String signer = fresh("signer");

    @Test
    void authorized_pair_isNeitherSymmetricNorTransitive() {
        String other = fresh("other");
        authorize(account, signer);
        authorize(signer, other);
        assertTrue(stands());
        assertFalse(ports().signers().authorized(signer, account));
        assertFalse(ports().signers().authorized(account, other));
        assertFalse(ports().signers().authorized(account, account));
    }

    /** Who only looks like the signer is none: case, a space behind, NUL. */
    @Test
    void authorized_almostThePair_isNot() {
        authorize(account, signer);
        for (String almost : List.of(signer.toUpperCase(Locale.ROOT), signer + " ", signer + "\0", " " + signer, "")) {
            assertFalse(ports().signers().authorized(account, almost), almost);
            assertEquals(Set.of(), ports().signers().authorized(List.of(new Pair(account, almost))), almost);
        }
    }

    @Test
    void authorized_manyPairs_givesThoseThatStand() {
        String second = fresh("second");
        String revoked = fresh("revoked");
        authorize(account, signer);
        authorize(second, signer);
        authorize(second, revoked);
        inTransaction(() -> writer().revoke(second, revoked, 9));
        List<Pair> pairs = new ArrayList<>(List.of(
                new Pair(account, signer),
                new Pair(second, signer),
                new Pair(second, revoked),
                new Pair(account, revoked)));
        for (int i = 0; i < 600; i++) {
            pairs.add(new Pair(account, fresh("none")));
        }
        assertEquals(
                Set.of(new Pair(account, signer), new Pair(second, signer)),
                ports().signers().authorized(pairs));
        assertEquals(Set.of(), ports().signers().authorized(List.of()));
    }

    @Test
    void authorize_again_staysAndIsUntold() {
        authorize(account, signer);
        ports().takeEvents();
        inTransaction(() -> assertTrue(writer().authorize(account, signer, SignerRole.OWNER, 3, 7)));
        assertTrue(stands());
        assertEquals(List.of(), ports().takeEvents());
    }

    @Test
    void authorize_accountItself_isRefused() {
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> writer().authorize(account, account, SignerRole.AGENT, 5)));
    }

    @Test
    void authorizeAndRevoke_withoutTransaction_throw() {
        assertThrows(RuntimeException.class, () -> writer().authorize(account, signer, SignerRole.AGENT, 5));
        assertThrows(RuntimeException.class, () -> writer().revoke(account, signer, 5));
        assertFalse(stands());
    }

    /** There is no row yet that the second one could wait for. */
    @Test
    void authorize_samePairAtOnce_isDoneByAll() {
        for (int round = 0; round < 10; round++) {
            String fresh = fresh("signer");
            CyclicBarrier together = new CyclicBarrier(4);
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(CompletableFuture.runAsync(
                        () -> {
                            await(together);
                            authorize(account, fresh);
                        },
                        task -> new Thread(task).start()));
            }
            all.forEach(one -> one.orTimeout(30, TimeUnit.SECONDS).join());
            assertTrue(ports().signers().authorized(account, fresh));
        }
    }

    private static void await(CyclicBarrier together) {
        try {
            together.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /** Law 6: whoever read through the signer falls silent by this event. */
    @Test
    void revoke_signer_isToldOnce() {
        authorize(account, signer);
        ports().takeEvents();
        inTransaction(() -> assertTrue(writer().revoke(account, signer, 9)));
        assertFalse(stands());
        assertEquals(List.of(new SignerRevoked(account, signer)), eventsOf(SignerRevoked.class));
        inTransaction(() -> assertFalse(writer().revoke(account, signer, 10)));
        assertEquals(List.of(), ports().takeEvents());
    }

    @Test
    void revoke_rolledBack_standsAndIsUntold() {
        authorize(account, signer);
        ports().takeEvents();
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    writer().revoke(account, signer, 9);
                    ports().setRollbackOnly();
                }));
        assertTrue(stands());
        assertEquals(List.of(), ports().takeEvents());
    }

    /** An old capability, shown again, must not undo the revocation. */
    @Test
    void authorize_issuedBeforeTheRevocation_isRefused() {
        authorize(account, signer);
        inTransaction(() -> writer().revoke(account, signer, 9));
        for (long issuedAt : new long[] {Long.MIN_VALUE, 8, 9}) {
            inTransaction(() -> assertFalse(writer().authorize(account, signer, SignerRole.AGENT, issuedAt, 20)));
            assertFalse(stands());
        }
        inTransaction(() -> assertTrue(writer().authorize(account, signer, SignerRole.AGENT, 10, 20)));
        assertTrue(stands());
    }

    @Test
    void authorize_byTheBackend_undoesARevocation() {
        authorize(account, signer);
        inTransaction(() -> writer().revoke(account, signer, 9));
        authorize(account, signer);
        assertTrue(stands());
    }

    @Test
    void revoke_neverAuthorized_isRememberedAndUntold() {
        ports().takeEvents();
        inTransaction(() -> assertFalse(writer().revoke(account, signer, 9)));
        assertEquals(List.of(), ports().takeEvents());
        inTransaction(() -> assertFalse(writer().authorize(account, signer, SignerRole.AGENT, 8, 20)));
        assertFalse(stands());
    }

    private boolean stands() {
        return ports().signers().authorized(account, signer);
    }

    private void authorize(String accountId, String signerId) {
        inTransaction(() -> writer().authorize(accountId, signerId, SignerRole.AGENT, 5));
    }

    private SignerWriter writer() {
        return ports().signerWriter();
    }
}
