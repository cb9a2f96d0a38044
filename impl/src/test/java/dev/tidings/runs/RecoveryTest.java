package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.event.Signal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Law 10 across a restart: what was cut ends once, what was queued runs. */
class RecoveryTest {

    /** A node that dies: it stops where it is and writes nothing more. */
    private static RunsFixture nodeThatDied(int queuedTurns) throws Exception {
        CountDownLatch stored = new CountDownLatch(1);
        RunsFixture dead = new RunsFixture(run -> {
            run.text("first");
            run.endMessage(null);
            run.text("second, cut");
            RunsFixture.await(stored);
        });
        CompletionStage<TurnResult> turn = dead.say("hi");
        dead.awaitText("second, cut");
        for (int i = 0; i < queuedTurns; i++) {
            dead.say("queued " + i);
        }
        dead.close();
        TurnResult.Failed failed = assertInstanceOf(TurnResult.Failed.class, RunsFixture.result(turn));
        assertEquals("interrupted_by_restart", failed.code());
        assertEquals(0, dead.entries(EntryKind.RUN_FINISHED).size(), "closing ends nothing");
        return dead;
    }

    @Test
    void recover_cutRun_endsOnceAsFailed() throws Exception {
        RunsFixture dead = nodeThatDied(0);
        for (int restart = 0; restart < 3; restart++) {
            try (RunsFixture node = new RunsFixture(dead.tidings, run -> {}, RunLimits.DEFAULTS)) {
                node.engine.recover();
                if (restart == 0) {
                    assertEquals(
                            List.of("partial done", "finished error", "session error", "run failed"), node.words());
                    // The message before the cut was stored; the partial behind it was open.
                    RunInfo run = node.runs().get(0);
                    assertEquals(
                            EntryIds.segment(run.id(), 2),
                            ((Signal.Partial) node.shown().get(0)).partialId());
                }
            }
        }

        List<StoredEntry> ends = dead.entries(EntryKind.RUN_FINISHED);
        assertEquals(1, ends.size());
        assertTrue(ends.get(0).numbered());
        var members = ends.get(0).payload().textMembers(Set.of("type", "code", "partialId"));
        assertEquals("error", members.get("type"));
        assertEquals("interrupted_by_restart", members.get("code"));
        assertTrue(members.containsKey("partialId"));
        assertEquals(RunStatus.FAILED, dead.runs().get(0).status());
        assertEquals(SessionStatus.ERROR, dead.sessionStatus());
    }

    @Test
    void recover_queuedTurns_runInOrderWithTheirPrompts() throws Exception {
        RunsFixture dead = nodeThatDied(3);
        try (RunsFixture node =
                new RunsFixture(dead.tidings, run -> run.text("re " + run.prompt()), RunLimits.DEFAULTS)) {
            node.engine.recover();
            for (RunInfo run : node.runs().subList(1, 4)) {
                node.awaitRun(run.id(), RunStatus.SUCCEEDED);
            }

            assertEquals(List.of("first", "re queued 0", "re queued 1", "re queued 2"), node.messages("assistant"));
            assertEquals(4, node.entries(EntryKind.RUN_FINISHED).size());
        }
    }

    @Test
    void recover_otherNodesRunWithALease_leftAlone() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RunsFixture node = new RunsFixture(run -> {
            run.text("x");
            RunsFixture.await(never);
        })) {
            node.say("hi");
            node.awaitText("x");
            RunEngine other = new RunEngine(
                    new RunEngine.Ports(
                            node.transactions,
                            node.tidings.directory(),
                            node.tidings.directoryWriter(),
                            node.tidings.ledger(),
                            node.tidings.log(),
                            node.tidings.writer(),
                            node.tidings.approvals()),
                    new RunEngine.Surroundings(
                            "other",
                            java.time.InstantSource.system(),
                            Runnable::run,
                            Runnable::run,
                            (time, task) -> {},
                            TestDeadlines.shared(),
                            signal -> {}),
                    RunLimits.DEFAULTS,
                    run -> {});

            other.recover();

            assertEquals(RunStatus.RUNNING, node.runs().get(0).status());
            assertEquals(0, node.entries(EntryKind.RUN_FINISHED).size());
        }
    }

    @Test
    void recover_twice_refused() {
        try (RunsFixture node = new RunsFixture(run -> {})) {
            assertThrows(IllegalStateException.class, node.engine::recover);
        }
    }

    @Test
    void close_runnerGoesOn_nothingMoreIsStored() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        RunsFixture node = new RunsFixture(run -> {
            run.text("x");
            RunsFixture.awaitDeaf(goOn);
            run.text("y");
        });
        node.say("hi");
        node.awaitText("x");
        int stored = node.entries().size();

        node.engine.close();
        goOn.countDown();
        node.quiet();

        assertEquals(stored, node.entries().size());
        assertEquals(RunStatus.RUNNING, node.runs().get(0).status());
        assertInstanceOf(TurnResult.Queued.class, RunsFixture.result(node.say("later")));
        node.close();
    }
}
