package dev.tidings.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Approval;
import dev.tidings.Approval.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every {@link dev.tidings.spi.Approvals} does (law 11). Threads: as the tests say. */
public abstract class ApprovalsContract extends PortsContract {

    private Approval asked(String runId, long at) {
        Approval approval = new Approval(
                fresh("approval"),
                "session",
                runId,
                "call \u0000 \uD83D\uDE00",
                "tool",
                Status.PENDING,
                at,
                at + 9,
                null);
        inTransaction(() -> ports().approvals().ask(approval));
        return approval;
    }

    private boolean decide(Approval approval, Status decision, long at) {
        return ports().transactions().requiresNew(() -> ports().approvals().decide(approval.id(), decision, at));
    }

    @Test
    void ask_isReadBack() {
        Approval approval = asked(fresh("run"), 5);
        assertEquals(Optional.of(approval), ports().approvals().find(approval.id()));
        assertEquals(Optional.empty(), ports().approvals().find(fresh("none")));
        assertEquals(Optional.empty(), ports().approvals().find("a\0"));
    }

    @Test
    void ask_withoutTransaction_throws() {
        Approval approval = new Approval(fresh("approval"), "s", "r", "c", "t", Status.PENDING, 1, 2, null);
        assertThrows(RuntimeException.class, () -> ports().approvals().ask(approval));
    }

    /** Law 11: an approval has one decision. */
    @Test
    void decide_twice_theFirstCounts() {
        Approval approval = asked(fresh("run"), 5);
        assertTrue(decide(approval, Status.GRANTED, 7));
        assertFalse(decide(approval, Status.DENIED, 8));
        assertFalse(decide(approval, Status.GRANTED, 9));
        assertEquals(
                Optional.of(approval.decided(Status.GRANTED, 7)),
                ports().approvals().find(approval.id()));
    }

    @Test
    void decide_unknown_isFalse() {
        assertFalse(ports().transactions().requiresNew(() -> ports().approvals().decide("a\0", Status.DENIED, 1)));
        assertFalse(ports().transactions().requiresNew(() -> ports().approvals().decide(fresh("x"), Status.DENIED, 1)));
    }

    @Test
    void decide_rolledBack_changesNothing() {
        Approval approval = asked(fresh("run"), 5);
        assertThrows(
                RuntimeException.class,
                () -> inTransaction(() -> {
                    ports().approvals().decide(approval.id(), Status.GRANTED, 7);
                    ports().setRollbackOnly();
                }));
        assertTrue(decide(approval, Status.DENIED, 8));
    }

    /** Law 11: however many try at once, one decides. */
    @Test
    void decide_manyAtOnce_oneWins() throws Exception {
        int threads = 4;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 5; round++) {
                Approval approval = asked(fresh("run"), 5);
                CountDownLatch together = new CountDownLatch(threads);
                List<Future<Boolean>> tries = new ArrayList<>();
                for (int t = 0; t < threads; t++) {
                    Status decision = t % 2 == 0 ? Status.GRANTED : Status.DENIED;
                    tries.add(pool.submit(() -> {
                        together.countDown();
                        together.await();
                        return decide(approval, decision, 7);
                    }));
                }
                int won = 0;
                for (Future<Boolean> one : tries) {
                    won += one.get(60, TimeUnit.SECONDS) ? 1 : 0;
                }
                assertEquals(1, won);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void lockPending_someDecided_givesTheOthersInOrder() {
        String run = fresh("run");
        Approval second = asked(run, 6);
        Approval first = asked(run, 5);
        Approval decided = asked(run, 4);
        asked(fresh("run"), 5);
        decide(decided, Status.EXPIRED, 7);
        assertEquals(
                List.of(first, second),
                ports().transactions().requiresNew(() -> ports().approvals().lockPending(run)));
    }
}
