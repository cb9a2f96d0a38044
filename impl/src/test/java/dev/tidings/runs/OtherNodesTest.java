package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.SESSION;
import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionStatus;
import dev.tidings.event.Signal;
import dev.tidings.runs.RunsFixture.FaultyTransactions.Fault;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.StartedChild;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What comes about on other nodes, which nobody tells of (law 10). */
class OtherNodesTest {

    private static final AgentRunner PARENT = run -> {
        StartedChild.Outcome outcome =
                run.child(ChildRun.agent("c", "do", null)).await();
        run.text("child " + outcome.status().code() + ": " + outcome.text());
    };

    private static RunsFixture node(String name, RunsFixture store, AgentRunner runner) {
        return new RunsFixture(name, store.tidings, runner, RunLimits.DEFAULTS);
    }

    /** Runs of a node that died end while the others live, and not only when one of them starts. */
    @Test
    void look_ownerDied_itsRunEndsOnceAndTheNextTurnBegins() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        RunsFixture dead = new RunsFixture(run -> {
            run.text("x");
            RunsFixture.await(never);
        });
        dead.say("hi");
        dead.awaitText("x");
        assertInstanceOf(TurnResult.Queued.class, result(dead.say("next")));
        try (RunsFixture node = node("other", dead, run -> run.text("re " + run.prompt()))) {
            node.engine.renewLease();
            node.engine.look();
            assertEquals(RunStatus.RUNNING, dead.runs().get(0).status(), "its owner lives");

            dead.close();
            dead.tidings
                    .transactions()
                    .run(() -> dead.tidings.ledger().renewLease("node", java.time.Duration.ofSeconds(-1)));
            node.engine.look();
            node.engine.look();

            node.awaitRun(dead.runs().get(1).id(), RunStatus.SUCCEEDED);
            assertEquals(RunStatus.FAILED, node.runs().get(0).status());
            assertEquals(2, node.entries(EntryKind.RUN_FINISHED).size());
            assertEquals(List.of("re next"), node.messages("assistant"));
        }
    }

    /** A lease that was over for a moment does not end what lives on this very node. */
    @Test
    void look_ownLeaseIsOver_ownRunsGoOn() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (RunsFixture node = new RunsFixture(run -> {
            run.text("x");
            RunsFixture.await(goOn);
        })) {
            CompletionStage<TurnResult> turn = node.say("hi");
            node.awaitText("x");
            node.tidings
                    .transactions()
                    .run(() -> node.tidings.ledger().renewLease("node", java.time.Duration.ofSeconds(-1)));
            node.engine.look();
            goOn.countDown();
            assertInstanceOf(TurnResult.Ended.class, result(turn));
            assertEquals(RunStatus.SUCCEEDED, node.runs().get(0).status());
        }
    }

    private static RunInfo childOf(RunsFixture fixture) {
        return fixture.tree(fixture.runs().get(0).id()).get(1);
    }

    /** A parent whose child's claim fails on its own node, held there until {@code release}. */
    private static CompletionStage<TurnResult> sayWithChildLeftInTheQueue(RunsFixture fixture) throws Exception {
        fixture.holdRetries();
        // The message, its claim, the child; then the child's claim.
        fixture.transactions.fail(3, Fault.BEFORE, 1);
        CompletionStage<TurnResult> turn = fixture.say("hi");
        fixture.awaitRetry();
        return turn;
    }

    @Test
    void look_childEndedOnAnotherNode_parentIsTold() throws Exception {
        try (RunsFixture fixture = new RunsFixture(PARENT);
                RunsFixture other = node("other", fixture, run -> run.text("re " + run.prompt()))) {
            sayWithChildLeftInTheQueue(fixture);
            other.engine.renewLease();
            other.engine.look();
            other.awaitRun(childOf(fixture).id(), RunStatus.SUCCEEDED);

            fixture.engine.look();

            fixture.awaitRun(fixture.runs().get(0).id(), RunStatus.SUCCEEDED);
            assertEquals(List.of("child succeeded: re do"), fixture.messages("assistant"));
            assertEquals(0, fixture.engine.waiting(), "nobody waits any more");
        }
    }

    /** Cancelling a run cancels what it started, wherever that works. */
    @Test
    void cancel_childOnAnotherNode_endsAtThatNodesNextRound() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(PARENT);
                RunsFixture other = node("other", fixture, run -> {
                    run.text("x");
                    RunsFixture.await(never);
                })) {
            sayWithChildLeftInTheQueue(fixture);
            other.engine.renewLease();
            other.engine.look();
            other.awaitShown(event -> event instanceof Signal.Partial partial && "x".equals(partial.textDelta()));
            assertTrue(fixture.stop(SESSION));

            other.engine.renewLease();

            other.awaitRun(childOf(fixture).id(), RunStatus.CANCELED);
            assertEquals(0, fixture.engine.waiting());
        }
    }

    /** The session of a child stays when its tree is deleted; it does not stay busy, and the run in it ends once. */
    @Test
    void delete_childLivesInAnotherSession_endsThereAndFreesIt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.run().lineage().depth() > 0) {
                run.text("half");
                begun.countDown();
                RunsFixture.await(never);
                return;
            }
            PARENT.run(run);
        })) {
            fixture.say("hi");
            RunsFixture.await(begun);
            RunInfo child = childOf(fixture);
            fixture.tidings
                    .transactions()
                    .run(() -> fixture.tidings.directoryWriter().deleteSession(SESSION));

            fixture.engine.renewLease();

            fixture.awaitShown(event -> event instanceof dev.tidings.event.EntriesStored stored
                    && stored.entries().stream().anyMatch(entry -> entry.kind() == EntryKind.RUN_FINISHED));
            fixture.engine.renewLease();
            fixture.engine.look();
            assertEquals(
                    1,
                    fixture.entries(RunsFixture.sessionOf(child)).stream()
                            .filter(entry -> entry.kind() == EntryKind.RUN_FINISHED)
                            .count());
            SessionStatus status = fixture.tidings
                    .directory()
                    .session(String.valueOf(child.sessionId()))
                    .orElseThrow()
                    .value()
                    .status();
            assertEquals(SessionStatus.IDLE, status);
            assertEquals(0, fixture.engine.waiting());
        }
    }

    /** The same if the child notices by itself, since it has something to store: its session has the run's end. */
    @Test
    void delete_childWritesInAnotherSession_endsThereOnce() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch deleted = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.run().lineage().depth() > 0) {
                begun.countDown();
                RunsFixture.await(deleted);
                run.text("too late");
                run.endMessage(null);
                run.text("later still");
                return;
            }
            PARENT.run(run);
        })) {
            fixture.say("hi");
            RunsFixture.await(begun);
            RunInfo child = childOf(fixture);
            fixture.tidings
                    .transactions()
                    .run(() -> fixture.tidings.directoryWriter().deleteSession(SESSION));

            deleted.countDown();

            fixture.awaitShown(event -> event instanceof dev.tidings.event.EntriesStored stored
                    && stored.entries().stream().anyMatch(entry -> entry.kind() == EntryKind.RUN_FINISHED));
            fixture.quiet();
            assertEquals(
                    1,
                    fixture.entries(RunsFixture.sessionOf(child)).stream()
                            .filter(entry -> entry.kind() == EntryKind.RUN_FINISHED)
                            .count());
            assertEquals(0, fixture.engine.waiting());
        }
    }
}
