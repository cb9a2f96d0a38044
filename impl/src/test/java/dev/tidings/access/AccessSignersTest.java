package dev.tidings.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Role;
import dev.tidings.delivery.Gate;
import dev.tidings.event.GrantChanged;
import dev.tidings.event.SignerRevoked;
import dev.tidings.spi.SignerAuthority;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Law 6: access now, through an authorised signer, and with public read switched. */
class AccessSignersTest {
    private final HandGrants grants = new HandGrants();
    private final HandSigners signers = new HandSigners();
    private final Access access = new Access(grants, signers);

    private static final SignerRevoked REVOKED = new SignerRevoked("u", "s");
    private static final GrantChanged OFF = GrantChanged.publicRead("a", false);
    private static final GrantChanged ON = GrantChanged.publicRead("a", true);

    /** Threads: one. */
    private static final class HandSigners implements SignerAuthority {
        private final Set<Pair> rows = ConcurrentHashMap.newKeySet();
        private final List<Set<Pair>> asked = new ArrayList<>();
        private boolean broken;
        private Runnable afterRead = () -> {};

        @Override
        public boolean authorized(String accountId, String signerId) {
            throw new AssertionError("asked one by one");
        }

        @Override
        public Set<Pair> authorized(Collection<Pair> pairs) {
            if (broken) {
                throw new IllegalStateException("the signers cannot be read");
            }
            asked.add(Set.copyOf(pairs));
            Set<Pair> found = new java.util.HashSet<>(pairs);
            found.retainAll(rows);
            Runnable meanwhile = afterRead;
            afterRead = () -> {};
            meanwhile.run();
            return found;
        }
    }

    private static SignerAuthority.Pair pair(String account, String signer) {
        return new SignerAuthority.Pair(account, signer);
    }

    private void furnish() {
        grants.accept("a", "u", Role.WRITER);
        signers.rows.add(pair("u", "s"));
    }

    private void revoke() {
        signers.rows.remove(pair("u", "s"));
        access.revoked(REVOKED);
    }

    // ---- signers

    @Test
    void gate_signerAndAccountMay_isOpenAndSharedByTheirOwn() {
        furnish();
        Gate gate = access.gate("a", "u", "s");
        assertTrue(gate.isOpen());
        assertSame(gate, access.gate("a", "u", "s"));
        assertNotSame(gate, access.gate("a", "u"));
        assertSame(access.gate("a", "u"), access.gate("a", "u", "u"));
    }

    @Test
    void gate_signerMayNotOrAccountMayNot_isClosed() {
        furnish();
        assertFalse(access.gate("a", "u", "t").isOpen());
        assertFalse(access.gate("b", "u", "s").isOpen());
        assertFalse(access.gate("a", "s", "u").isOpen());
        assertFalse(access.signerGate("u", "t").isOpen());
        assertTrue(access.signerGate("u", "s").isOpen());
    }

    /** An account needs nobody's word to sign for itself. */
    @Test
    void signerGate_accountItself_isOpenWithoutAsking() {
        signers.broken = true;
        assertTrue(access.signerGate("u", "u").isOpen());
    }

    @Test
    void revoked_signer_closesWhatWasMadeThroughItAndNothingElse() {
        furnish();
        grants.accept("a", "v", Role.READER);
        signers.rows.add(pair("v", "s"));
        Gate session = access.gate("a", "u", "s");
        Gate account = access.signerGate("u", "s");
        List<Gate> others = List.of(access.gate("a", "u"), access.gate("a", "v", "s"), access.signerGate("v", "s"));
        grants.beforeRead = () -> {
            throw new AssertionError("the committing thread asked");
        };
        signers.broken = true;
        access.revoked(REVOKED);
        assertFalse(session.isOpen());
        assertFalse(account.isOpen());
        others.forEach(gate -> assertTrue(gate.isOpen()));
    }

    @Test
    void revoked_whileALookReadsTheOldRow_staysClosed() {
        furnish();
        signers.afterRead = this::revoke;
        assertFalse(access.gate("a", "u", "s").isOpen());
    }

    @Test
    void lookAgain_authorizedMeanwhile_opens() {
        furnish();
        Gate gate = access.gate("a", "u", "s");
        revoke();
        access.lookAgain(REVOKED);
        assertFalse(gate.isOpen());
        signers.rows.add(pair("u", "s"));
        access.lookAgain(REVOKED);
        assertTrue(gate.isOpen());
    }

    @Test
    void changed_accountRemoved_closesItsSignersGatesToo() {
        furnish();
        Gate gate = access.gate("a", "u", "s");
        Gate account = access.signerGate("u", "s");
        access.changed(new GrantChanged("a", "u", null));
        assertFalse(gate.isOpen());
        assertTrue(account.isOpen());
    }

    /** However many gates there are, a round costs one question to each port. */
    @Test
    void recheck_signersChangedWithoutAnEvent_followsInOneQuestion() {
        furnish();
        List<Gate> gates = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            grants.accept("a" + i, "u", Role.READER);
            gates.add(access.gate("a" + i, "u", "s"));
        }
        Gate account = access.signerGate("u", "s");
        signers.rows.clear();
        signers.asked.clear();
        access.recheck();
        gates.forEach(gate -> assertFalse(gate.isOpen()));
        assertFalse(account.isOpen());
        assertEquals(List.of(Set.of(pair("u", "s"))), signers.asked);
        signers.rows.add(pair("u", "s"));
        access.recheck();
        gates.forEach(gate -> assertTrue(gate.isOpen()));
        assertTrue(account.isOpen());
    }

    @Test
    void recheck_signersFail_closesTheirsAndLeavesTheRest() {
        furnish();
        Gate delegated = access.gate("a", "u", "s");
        Gate account = access.signerGate("u", "s");
        Gate own = access.gate("a", "u");
        signers.broken = true;
        access.recheck();
        assertFalse(delegated.isOpen());
        assertFalse(account.isOpen());
        assertTrue(own.isOpen());
        signers.broken = false;
        access.recheck();
        assertTrue(delegated.isOpen());
        assertTrue(account.isOpen());
    }

    // ---- public read

    @Test
    void changed_publicReadOff_closesReadersAndLeavesWhatIsForMembers() {
        grants.accept("a", "owner", Role.OWNER);
        grants.accept("a", "public", Role.READER);
        Gate member = access.memberGate("a", "owner");
        Gate owner = access.gate("a", "owner");
        Gate reader = access.gate("a", "public");
        grants.remove("a", "public");
        access.changed(OFF);
        assertTrue(member.isOpen());
        assertFalse(reader.isOpen());
        access.lookAgain(OFF);
        assertTrue(owner.isOpen());
        assertFalse(reader.isOpen());
    }

    @Test
    void changed_publicReadOn_closesNobodyAndOpensWhoMay() {
        grants.accept("a", "owner", Role.OWNER);
        Gate owner = access.gate("a", "owner");
        Gate suspended = access.gate("a", "public");
        long closings = owner.closings();
        grants.accept("a", "public", Role.READER);
        access.changed(ON);
        assertEquals(closings, owner.closings());
        access.lookAgain(ON);
        assertTrue(suspended.isOpen());
    }

    /** The look that the switching-on caused must not open what a later switching-off closed. */
    @Test
    void lookAgain_onThenOffWhileItReads_staysClosed() {
        grants.accept("a", "public", Role.READER);
        Gate reader = access.gate("a", "public");
        access.changed(OFF);
        grants.once(() -> {}, () -> {
            grants.remove("a", "public");
            access.changed(OFF);
        });
        access.lookAgain(ON);
        assertFalse(reader.isOpen());
    }

    @Test
    void memberGate_removedOrNewOwnerOrDeleted_isClosed() {
        grants.accept("a", "u", Role.WRITER);
        Gate gate = access.memberGate("a", "u");
        grants.remove("a", "u");
        access.changed(new GrantChanged("a", "u", null));
        assertFalse(gate.isOpen());
        grants.accept("a", "u", Role.WRITER);
        assertTrue(access.memberGate("a", "u").isOpen());
        access.changed(new GrantChanged("a", null, null));
        assertFalse(gate.isOpen());
    }
}
