package dev.tidings.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Role;
import dev.tidings.delivery.Gate;
import dev.tidings.event.GrantChanged;
import dev.tidings.spi.Grants;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Law 6: access now. */
@Timeout(60)
class AccessTest {
    private final HandGrants grants = new HandGrants();
    private final Access access = new Access(grants);

    private static final GrantChanged REMOVED = new GrantChanged("a", "u", null);
    private static final GrantChanged PUBLIC_READ = new GrantChanged("a", null, null);

    /** What a committing thread and the worker behind it do. */
    private void revoke() {
        grants.remove("a", "u");
        access.changed(REMOVED);
    }

    // ---- looks that hang

    /** A query that does not answer is no answer: silence, until one answers in time. */
    @Test
    void silenceStale_lookHangs_gateClosesAndOpensWithTheNextGoodLook() {
        long[] now = {0};
        Access aging = new Access(grants, (account, signer) -> false, Duration.ofSeconds(6), () -> now[0]);
        grants.accept("a", "u", Role.OWNER);
        Gate gate = aging.gate("a", "u");
        now[0] += Duration.ofSeconds(6).toNanos();
        aging.silenceStale();
        assertTrue(gate.isOpen());
        grants.once(
                () -> {
                    // While the look is under way time goes by.
                    now[0] += Duration.ofSeconds(7).toNanos();
                    aging.silenceStale();
                    assertFalse(gate.isOpen());
                },
                () -> {});
        assertFalse(aging.recheck(), "what hung tells what was");
        assertFalse(gate.isOpen());
        assertTrue(aging.recheck());
        assertTrue(gate.isOpen());
        aging.silenceStale();
        assertTrue(gate.isOpen());
    }

    /** The same if the gate was closed before by a look that failed: an old answer opens nothing. */
    @Test
    void recheck_hangsBehindAFailedLook_opensNothing() {
        long[] now = {0};
        Access aging = new Access(grants, (account, signer) -> false, Duration.ofSeconds(6), () -> now[0]);
        grants.accept("a", "u", Role.OWNER);
        Gate gate = aging.gate("a", "u");
        grants.broken = true;
        aging.recheck();
        grants.broken = false;
        grants.once(() -> now[0] += Duration.ofSeconds(7).toNanos(), () -> {});
        assertFalse(aging.recheck());
        assertFalse(gate.isOpen());
        aging.recheck();
        assertTrue(gate.isOpen());
    }

    @Test
    void silenceStale_looksComeInTime_nothingCloses() {
        long[] now = {0};
        Access aging = new Access(grants, (account, signer) -> false, Duration.ofSeconds(6), () -> now[0]);
        grants.accept("a", "u", Role.OWNER);
        Gate gate = aging.gate("a", "u");
        for (int i = 0; i < 20; i++) {
            now[0] += Duration.ofSeconds(5).toNanos();
            aging.recheck();
            aging.silenceStale();
            assertTrue(gate.isOpen());
        }
        assertEquals(0, gate.closings());
    }

    // ---- gates

    @ParameterizedTest
    @EnumSource(Role.class)
    void gate_anyRole_isOpen(Role role) {
        grants.accept("a", "u", role);
        assertTrue(access.gate("a", "u").isOpen());
        assertEquals(Optional.of(role), access.role("a", "u"));
    }

    @Test
    void gate_noRole_isClosed() {
        grants.accept("a", "v", Role.OWNER);
        grants.accept("b", "u", Role.OWNER);
        assertFalse(access.gate("a", "u").isOpen());
    }

    @Test
    void gate_samePair_isShared() {
        grants.accept("a", "u", Role.OWNER);
        Gate gate = access.gate("a", "u");
        assertSame(gate, access.gate("a", "u"));
        assertTrue(gate != access.gate("a", "v"), "a gate stands for one pair");
    }

    @Test
    void gate_grantsFail_isClosedUntilTheyAnswer() {
        grants.accept("a", "u", Role.OWNER);
        grants.broken = true;
        Gate gate = access.gate("a", "u");
        assertFalse(gate.isOpen());
        grants.broken = false;
        access.recheck();
        assertTrue(gate.isOpen());
    }

    @Test
    void gate_askedWhileTheFirstLookIsUnderWay_isOpenForBoth() {
        grants.accept("a", "u", Role.WRITER);
        boolean[] open = new boolean[1];
        grants.once(() -> open[0] = access.gate("a", "u").isOpen(), () -> {});
        assertTrue(access.gate("a", "u").isOpen());
        assertTrue(open[0], "what is sent to a gate that is closed for a moment is lost for good");
    }

    @Test
    void gate_knownAndClosedInVain_isOpen() {
        grants.accept("a", "u", Role.WRITER);
        Gate gate = access.gate("a", "u");
        access.changed(PUBLIC_READ);
        assertFalse(gate.isOpen());
        assertTrue(access.gate("a", "u").isOpen());
        assertTrue(gate.isOpen());
    }

    @Test
    void gate_revocationCommitsBeforeItsLook_isClosed() {
        grants.accept("a", "u", Role.WRITER);
        grants.once(this::revoke, () -> {});
        assertFalse(access.gate("a", "u").isOpen());
    }

    /** The look has read the old row; the revocation finds the gate although nobody has got it yet. */
    @Test
    void gate_revocationCommitsBehindItsLook_isClosed() {
        grants.accept("a", "u", Role.WRITER);
        grants.once(() -> {}, this::revoke);
        assertFalse(access.gate("a", "u").isOpen());
    }

    @Test
    void gate_heldByNobody_isForgotten() {
        grants.accept("a", "kept", Role.OWNER);
        grants.accept("a", "gone", Role.OWNER);
        Gate kept = access.gate("a", "kept");
        WeakReference<Gate> gone = new WeakReference<>(access.gate("a", "gone"));
        while (gone.get() != null) {
            System.gc();
        }
        access.recheck();
        assertEquals(Set.of(new Grants.Pair("a", "kept")), grants.lastAsked());
        assertSame(kept, access.gate("a", "kept"));
        assertTrue(access.gate("a", "gone").isOpen(), "and made anew when it is wanted");
    }

    // ---- a change that is told

    /** The committing thread must not wait for a database, and must not depend on one. */
    @Test
    void changed_removed_closesWithoutAskingTheGrants() {
        grants.accept("a", "u", Role.WRITER);
        Gate gate = access.gate("a", "u");
        grants.beforeRead = () -> {
            throw new AssertionError("the grants were asked");
        };
        access.changed(REMOVED);
        assertFalse(gate.isOpen());
    }

    @Test
    void changed_removed_closesNoOther() {
        grants.accept("a", "u", Role.WRITER);
        grants.accept("a", "v", Role.WRITER);
        grants.accept("b", "u", Role.WRITER);
        Gate otherAccount = access.gate("a", "v");
        Gate otherAgent = access.gate("b", "u");
        revoke();
        assertTrue(otherAccount.isOpen());
        assertTrue(otherAgent.isOpen());
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void changed_roleGiven_doesNotClose(Role role) {
        grants.accept("a", "u", Role.WRITER);
        Gate gate = access.gate("a", "u");
        long closings = gate.closings();
        grants.accept("a", "u", role);
        access.changed(new GrantChanged("a", "u", role));
        assertTrue(gate.isOpen());
        assertEquals(closings, gate.closings());
    }

    @Test
    void changed_anyAccount_closesAllOfTheAgentAndLookOpensWhoMay() {
        grants.accept("a", "owner", Role.OWNER);
        grants.accept("a", "reader", Role.READER);
        grants.accept("b", "reader", Role.READER);
        Gate owner = access.gate("a", "owner");
        Gate reader = access.gate("a", "reader");
        Gate other = access.gate("b", "reader");
        grants.remove("a", "reader");
        access.changed(PUBLIC_READ);
        assertFalse(owner.isOpen());
        assertFalse(reader.isOpen());
        assertTrue(other.isOpen());
        access.lookAgain(PUBLIC_READ);
        assertTrue(owner.isOpen());
        assertFalse(reader.isOpen());
    }

    @Test
    void lookAgain_acceptedAgain_opens() {
        grants.accept("a", "u", Role.WRITER);
        Gate gate = access.gate("a", "u");
        revoke();
        access.lookAgain(REMOVED);
        assertFalse(gate.isOpen());
        grants.accept("a", "u", Role.READER);
        GrantChanged accepted = new GrantChanged("a", "u", Role.READER);
        access.changed(accepted);
        access.lookAgain(accepted);
        assertTrue(gate.isOpen());
    }

    @Test
    void lookAgain_removedButPublic_opens() {
        grants.accept("a", "u", Role.WRITER);
        Gate gate = access.gate("a", "u");
        grants.accept("a", "u", Role.READER);
        access.changed(REMOVED);
        assertFalse(gate.isOpen());
        access.lookAgain(REMOVED);
        assertTrue(gate.isOpen());
    }

    /** The look read the row before the revocation committed; its word is older than the gate's. */
    @Test
    void lookAgain_revocationCommitsMeanwhile_neverReopens() {
        grants.accept("a", "u", Role.WRITER);
        Gate gate = access.gate("a", "u");
        access.changed(PUBLIC_READ);
        grants.once(() -> {}, this::revoke);
        access.lookAgain(PUBLIC_READ);
        assertFalse(gate.isOpen());
    }

    /** Likewise with the gate open when the look began. */
    @Test
    void recheck_revocationCommitsMeanwhile_neverReopens() {
        grants.accept("a", "u", Role.WRITER);
        Gate gate = access.gate("a", "u");
        grants.once(() -> {}, this::revoke);
        access.recheck();
        assertFalse(gate.isOpen());
    }

    @Test
    void recheck_olderRecheckSawAccess_doesNotReopenWhatANewerClosed() {
        grants.accept("a", "u", Role.WRITER);
        Gate gate = access.gate("a", "u");
        gate.close();
        grants.once(() -> {}, () -> {
            grants.remove("a", "u");
            access.recheck();
        });
        access.recheck();
        assertFalse(gate.isOpen());
    }

    // ---- a change that is not told

    @Test
    void recheck_rowsChangedWithoutAnEvent_followsThem() {
        grants.accept("a", "u", Role.WRITER);
        Gate taken = access.gate("a", "u");
        Gate given = access.gate("a", "v");
        grants.remove("a", "u");
        grants.accept("a", "v", Role.READER);
        access.recheck();
        assertFalse(taken.isOpen());
        assertTrue(given.isOpen());
    }

    @Test
    void recheck_grantsFail_closesAllAndRecovers() {
        grants.accept("a", "u", Role.WRITER);
        grants.accept("b", "v", Role.OWNER);
        Gate one = access.gate("a", "u");
        Gate two = access.gate("b", "v");
        grants.broken = true;
        assertFalse(access.recheck(), "nobody need ask again for each of them");
        assertFalse(one.isOpen());
        assertFalse(two.isOpen());
        grants.broken = false;
        grants.remove("b", "v");
        assertTrue(access.recheck());
        assertTrue(one.isOpen());
        assertFalse(two.isOpen());
    }

    @Test
    void recheck_nothingInUse_asksNothing() {
        grants.beforeRead = () -> {
            throw new AssertionError("the grants were asked");
        };
        access.recheck();
        access.lookAgain(REMOVED);
        access.lookAgain(PUBLIC_READ);
        assertEquals(Set.of(), grants.lastAsked());
    }

    // ---- members

    @Test
    void members_askedTwice_areReadOnce() {
        grants.accept("a", "u", Role.OWNER);
        assertEquals(Set.of("u"), access.members("a"));
        grants.beforeRead = () -> {
            throw new AssertionError("the grants were asked");
        };
        assertEquals(Set.of("u"), access.members("a"));
    }

    @Test
    void members_changed_areReadAnew() {
        grants.accept("a", "u", Role.OWNER);
        access.members("a");
        grants.accept("a", "v", Role.WRITER);
        access.changed(new GrantChanged("a", "v", Role.WRITER));
        assertEquals(Set.of("u", "v"), access.members("a"));
    }

    @Test
    void members_changedWhileTheyAreRead_areNotKept() {
        grants.accept("a", "u", Role.WRITER);
        grants.accept("a", "v", Role.OWNER);
        grants.once(() -> {}, this::revoke);
        access.members("a");
        assertEquals(Set.of("v"), access.members("a"));
    }

    @Test
    void members_recheckedWhileTheyAreRead_areNotKept() {
        grants.accept("a", "u", Role.WRITER);
        grants.accept("a", "v", Role.OWNER);
        grants.once(() -> {}, () -> {
            grants.remove("a", "u");
            access.recheck();
        });
        access.members("a");
        assertEquals(Set.of("v"), access.members("a"));
    }

    /** The second reader sees the change; the first, which came before it, must not put its older answer over that. */
    @Test
    void members_readAgainWhileTheyAreRead_newerAnswerIsKept() {
        grants.accept("a", "u", Role.WRITER);
        grants.accept("a", "v", Role.OWNER);
        grants.once(() -> {}, () -> {
            revoke();
            assertEquals(Set.of("v"), access.members("a"));
        });
        access.members("a");
        assertEquals(Set.of("v"), access.members("a"));
    }

    @Test
    void members_changedWithoutAnEvent_areReadAnewAfterARecheck() {
        grants.accept("a", "u", Role.OWNER);
        access.members("a");
        grants.accept("a", "v", Role.WRITER);
        access.recheck();
        assertEquals(Set.of("u", "v"), access.members("a"));
    }

    @Test
    void members_grantsFail_throwsAndIsAskedAgain() {
        grants.accept("a", "u", Role.OWNER);
        grants.broken = true;
        assertThrows(IllegalStateException.class, () -> access.members("a"));
        grants.broken = false;
        assertEquals(Set.of("u"), access.members("a"));
    }

    // ---- members among some accounts

    @Test
    void membersAmong_askedTwice_areReadOnce() {
        grants.accept("a", "u", Role.OWNER);
        assertEquals(Set.of("u"), access.membersAmong("a", Set.of("u", "v")));
        grants.beforeRead = () -> {
            throw new AssertionError("the grants were asked");
        };
        assertEquals(Set.of("u"), access.membersAmong("a", Set.of("u", "v")));
    }

    @Test
    void membersAmong_changed_areReadAnew() {
        grants.accept("a", "u", Role.WRITER);
        assertEquals(Set.of("u"), access.membersAmong("a", Set.of("u", "v")));
        revoke();
        assertEquals(Set.of(), access.membersAmong("a", Set.of("u", "v")));
    }

    /** What was read before the change must not be kept behind it. */
    @Test
    void membersAmong_changedWhileTheyAreRead_areNotKept() {
        grants.accept("a", "u", Role.WRITER);
        grants.once(() -> {}, this::revoke);
        access.membersAmong("a", Set.of("u"));
        assertEquals(Set.of(), access.membersAmong("a", Set.of("u")));
    }

    /** Another node, or a backend's own SQL, fires nothing here: the recheck finds out. */
    @Test
    void membersAmong_changedWithoutAnEvent_areReadAnewAfterARecheck() {
        grants.accept("a", "u", Role.WRITER);
        access.membersAmong("a", Set.of("u"));
        grants.remove("a", "u");
        access.recheck();
        assertEquals(Set.of(), access.membersAmong("a", Set.of("u")));
    }

    @Test
    void membersAmong_recheckedWhileTheyAreRead_areNotKept() {
        grants.accept("a", "u", Role.WRITER);
        grants.once(() -> {}, () -> {
            grants.remove("a", "u");
            access.recheck();
        });
        access.membersAmong("a", Set.of("u"));
        assertEquals(Set.of(), access.membersAmong("a", Set.of("u")));
    }
}
