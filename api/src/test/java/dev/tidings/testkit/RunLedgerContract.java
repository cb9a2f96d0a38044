package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.RunStatus;
import dev.tidings.spi.RunFence;
import dev.tidings.spi.RunLedger.Orphan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every {@link dev.tidings.spi.RunLedger} does (law 10). Threads: one. */
public abstract class RunLedgerContract extends PortsContract {

    private final String me = fresh("node");
    private final String other = fresh("node");

    @Test
    void take_again_raisesTheAttempt() {
        String run = newRun(null, null, RunStatus.QUEUED);
        assertEquals(new RunFence(run, 1), take(run, me));
        assertEquals(new RunFence(run, 2), take(run, other));
        assertEquals(1, ports().directory().run(run).orElseThrow().version());
    }

    @Test
    void take_rolledBack_countsNothing() {
        String run = newRun(null, null, RunStatus.QUEUED);
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    ports().ledger().take(run, me);
                    ports().setRollbackOnly();
                }));
        assertEquals(new RunFence(run, 1), take(run, me));
    }

    @Test
    void take_unknownRun_throws() {
        assertThrows(RuntimeException.class, () -> take(fresh("none"), me));
    }

    @Test
    void orphans_ownerLives_areNone() {
        String run = begun();
        lease(me, Duration.ofHours(1));
        take(run, me);
        assertEquals(Optional.empty(), orphan(run, other));
    }

    /** A node that starts again under its name owns nothing any more. */
    @Test
    void orphans_ownedByTheAskingNode_areFound() {
        String run = begun();
        lease(me, Duration.ofHours(1));
        RunFence fence = take(run, me);
        assertEquals(Optional.of(fence), orphan(run, me));
    }

    @Test
    void orphans_ownerWithoutLease_areFound() {
        String run = begun();
        RunFence fence = take(run, other);
        assertEquals(Optional.of(fence), orphan(run, me));
    }

    @Test
    void orphans_leaseOver_areFoundUntilItIsRenewed() {
        String run = begun();
        lease(other, Duration.ofHours(1));
        RunFence fence = take(run, other);
        lease(other, Duration.ofSeconds(-1));
        assertEquals(Optional.of(fence), orphan(run, me));
        lease(other, Duration.ofHours(1));
        assertEquals(Optional.empty(), orphan(run, me));
    }

    @Test
    void orphans_queuedEndedOrNeverTaken_areNone() {
        String queued = newRun(null, null, RunStatus.QUEUED);
        take(queued, other);
        String ended = newRun(null, null, RunStatus.SUCCEEDED);
        take(ended, other);
        String notOurs = newRun(null, null, RunStatus.RUNNING);
        for (String run : List.of(queued, ended, notOurs)) {
            assertEquals(Optional.empty(), orphan(run, me));
        }
    }

    @Test
    void queuedSessions_someQueued_eachOnceAndNoOthers() {
        String queued = newSession().id();
        newRun(null, queued, RunStatus.QUEUED);
        newRun(null, queued, RunStatus.QUEUED);
        String idle = newSession().id();
        newRun(null, idle, RunStatus.SUCCEEDED);
        newRun(null, idle, RunStatus.RUNNING);
        newRun(null, null, RunStatus.QUEUED);
        List<String> sessions =
                ports().transactions().required(() -> ports().ledger().queuedSessions());
        assertEquals(1, sessions.stream().filter(queued::equals).count());
        assertEquals(0, sessions.stream().filter(idle::equals).count());
    }

    @Test
    void holds_lastAttemptOnly() {
        String run = begun();
        RunFence first = take(run, me);
        assertTrue(holds(first));
        RunFence second = take(run, other);
        assertFalse(holds(first));
        assertTrue(holds(second));
        assertFalse(holds(new RunFence(fresh("none"), 1)));
    }

    /** A claim that rolled back leaves its number to the next, so that the node tells them apart. */
    @Test
    void owns_lastAttemptOfThatNodeOnly() {
        String run = begun();
        RunFence first = take(run, me);
        assertTrue(owns(me, first));
        assertFalse(owns(other, first));
        RunFence second = take(run, other);
        assertFalse(owns(me, first));
        assertFalse(owns(me, second));
        assertTrue(owns(other, second));
        assertFalse(owns(me, new RunFence(fresh("none"), 1)));
    }

    private boolean owns(String node, RunFence fence) {
        return ports().transactions().required(() -> ports().ledger().owns(node, fence));
    }

    @Test
    void abandoned_leaseOver_foundUntilItIsRenewed() {
        String run = begun();
        lease(other, Duration.ofHours(1));
        RunFence fence = take(run, other);
        assertEquals(Optional.empty(), abandoned(run));
        lease(other, Duration.ofSeconds(-1));
        assertEquals(Optional.of(fence), abandoned(run));
        lease(other, Duration.ofHours(1));
        assertEquals(Optional.empty(), abandoned(run));
        inTransaction(() -> ports().directoryWriter().changeRun(run, r -> r.withStatus(RunStatus.CANCELED, 9)));
        lease(other, Duration.ofSeconds(-1));
        assertEquals(Optional.empty(), abandoned(run), "it has ended");
    }

    private Optional<RunFence> abandoned(String run) {
        return ports().transactions().required(() -> ports().ledger().abandoned()).stream()
                .map(Orphan::fence)
                .filter(fence -> fence.runId().equals(run))
                .findFirst();
    }

    @Test
    void askCancel_onlyALiveRunOfANodeAndOnce() {
        String run = begun();
        assertFalse(askCancel(run), "nobody works on it");
        take(run, other);
        assertTrue(askCancel(run));
        assertFalse(askCancel(run), "asked before");
        assertEquals(List.of(run), asked(other));
        assertEquals(List.of(), asked(me));
        assertFalse(askCancel(fresh("none")));
        inTransaction(() -> ports().directoryWriter().changeRun(run, r -> r.withStatus(RunStatus.CANCELED, 9)));
        assertEquals(List.of(), asked(other));
        String ended = newRun(null, null, RunStatus.SUCCEEDED);
        take(ended, other);
        assertFalse(askCancel(ended));
    }

    private boolean holds(RunFence fence) {
        return ports().transactions().required(() -> ports().ledger().holds(fence));
    }

    private boolean askCancel(String run) {
        return ports().transactions().required(() -> ports().ledger().askCancel(run));
    }

    private List<String> asked(String node) {
        return ports().transactions().required(() -> ports().ledger().cancelsAsked(node));
    }

    private String begun() {
        return newRun(null, null, RunStatus.RUNNING);
    }

    private RunFence take(String run, String node) {
        return ports().transactions().required(() -> ports().ledger().take(run, node));
    }

    private void lease(String node, Duration lease) {
        inTransaction(() -> ports().ledger().renewLease(node, lease));
    }

    private Optional<RunFence> orphan(String run, String node) {
        return ports().transactions().required(() -> ports().ledger().orphans(node)).stream()
                .filter(orphan -> orphan.run().id().equals(run))
                .map(Orphan::fence)
                .findFirst();
    }
}
