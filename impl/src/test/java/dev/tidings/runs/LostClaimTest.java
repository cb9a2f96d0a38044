package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.SESSION;
import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.RunStatus;
import dev.tidings.SessionStatus;
import dev.tidings.runs.RunsFixture.FaultyTransactions.Fault;
import dev.tidings.spi.AgentRunner;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A claim whose commit failed, and what comes before it is known whether it happened (laws 10 and 11). */
class LostClaimTest {

    private static final RunLimits IMPATIENT = new RunLimits(
            1 << 20,
            1 << 20,
            Duration.ofMinutes(10),
            false,
            Duration.ZERO,
            Duration.ofSeconds(30),
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ZERO);

    /** A message whose claim rolled back, and whose outcome cannot be looked at before the retries are stepped. */
    private static CompletionStage<TurnResult> sayUnsettled(RunsFixture fixture) {
        fixture.holdRetries();
        fixture.transactions.fail(1, Fault.WITHIN, 2);
        CompletionStage<TurnResult> turn = fixture.say("hi");
        assertFalse(turn.toCompletableFuture().isDone());
        return turn;
    }

    /** The turn of a try that was rolled back is nobody's: the answer goes with the one that works. */
    @Test
    void claim_transactionRunTwice_isAnswered() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> run.text("re " + run.prompt()))) {
            fixture.transactions.fail(1, Fault.TWICE, 1);

            TurnResult.Ended ended = assertInstanceOf(TurnResult.Ended.class, result(fixture.say("hi")));

            assertFalse(ended.canceled());
            fixture.quiet();
            assertEquals(1, fixture.entries(EntryKind.RUN_STARTED).size());
            assertEquals(1, fixture.entries(EntryKind.RUN_FINISHED).size());
            assertEquals(0, fixture.engine.waiting());
        }
    }

    /** Whoever stopped it has given up waiting: the run does not work all the same. */
    @Test
    void stop_whileTheClaimIsUnsettled_isNotLost() throws Exception {
        AtomicInteger called = new AtomicInteger();
        try (RunsFixture store = new RunsFixture(run -> {});
                RunsFixture fixture = new RunsFixture(store.tidings, run -> called.incrementAndGet(), IMPATIENT)) {
            CompletionStage<TurnResult> turn = sayUnsettled(fixture);
            CompletableFuture<Boolean> stop = fixture.engine.stop(SESSION).toCompletableFuture();
            stop.handle((done, gaveUp) -> gaveUp).get();

            fixture.releaseRetries();

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            fixture.quiet();
            assertEquals(0, called.get());
            assertEquals(RunStatus.CANCELED, fixture.runs().get(0).status());
            assertEquals(1, fixture.entries(EntryKind.RUN_FINISHED).size());
        }
    }

    /** Likewise if the run cannot be cancelled in its queue just then: the stop is given again. */
    @Test
    void stop_whileTheClaimIsUnsettledAndTheQueueIsAway_isGivenAgain() throws Exception {
        try (RunsFixture store = new RunsFixture(run -> {});
                RunsFixture fixture =
                        new RunsFixture(store.tidings, run -> run.pause(Duration.ofHours(1)), RunLimits.DEFAULTS)) {
            CompletionStage<TurnResult> turn = sayUnsettled(fixture);
            CompletionStage<Boolean> stop = fixture.engine.stop(SESSION);
            // The look at the fate works, what cancels in the queue does not.
            fixture.transactions.fail(1, Fault.BEFORE, 1);

            fixture.releaseRetries();

            assertTrue(RunsFixture.cancelled(stop));
            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            assertEquals(RunStatus.CANCELED, fixture.runs().get(0).status());
        }
    }

    /** The number of an attempt that rolled back is given again: the rights of the two nodes look the same. */
    @Test
    void settle_otherNodeTookTheRun_doesNotBeginItTwice() throws Exception {
        AtomicInteger here = new AtomicInteger();
        CountDownLatch goOn = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> here.incrementAndGet());
                RunsFixture other = new RunsFixture(
                        "other",
                        fixture.tidings,
                        run -> {
                            run.text("there");
                            RunsFixture.await(goOn);
                        },
                        RunLimits.DEFAULTS)) {
            CompletionStage<TurnResult> turn = sayUnsettled(fixture);
            other.engine.renewLease();
            other.engine.look();
            other.awaitText("there");

            fixture.releaseRetries();

            assertInstanceOf(TurnResult.Waiting.class, result(turn));
            goOn.countDown();
            other.awaitRun(fixture.runs().get(0).id(), RunStatus.SUCCEEDED);
            fixture.quiet();
            assertEquals(0, here.get());
            assertEquals(1, fixture.entries(EntryKind.RUN_FINISHED).size());
        }
    }

    /** Its next claim, for another message, takes the run: whoever asked for it is answered by that turn. */
    @Test
    void settle_sameNodeTookTheRunAgain_answersFromThat() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AgentRunner echo = run -> {
            RunsFixture.await(goOn);
            run.text("re " + run.prompt());
        };
        try (RunsFixture fixture = new RunsFixture(echo)) {
            CompletionStage<TurnResult> turn = sayUnsettled(fixture);
            assertInstanceOf(TurnResult.Queued.class, result(fixture.say("next")));

            fixture.releaseRetries();
            goOn.countDown();

            TurnResult.Ended ended = assertInstanceOf(TurnResult.Ended.class, result(turn));
            assertEquals(
                    "re hi",
                    fixture.entries(EntryKind.EVENT).stream()
                            .filter(entry -> entry.id().equals(ended.assistantEventId()))
                            .map(entry -> entry.payload()
                                    .textMembers(java.util.Set.of("content"))
                                    .get("content"))
                            .findFirst()
                            .orElseThrow());
        }
    }

    @Test
    void settle_cancelledInTheQueueElsewhere_answersThat() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {});
                RunsFixture other = new RunsFixture("other", fixture.tidings, run -> {}, RunLimits.DEFAULTS)) {
            CompletionStage<TurnResult> turn = sayUnsettled(fixture);
            assertTrue(other.stop(SESSION));

            fixture.releaseRetries();

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            assertEquals(SessionStatus.IDLE, fixture.sessionStatus());
        }
    }

    /** Law 10, and a message that was accepted is never lost: locks that are not given in time refuse nothing. */
    @Test
    void write_headHeldForLong_isStoredWhenItIsFree() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("patient");
            run.pause(Duration.ofHours(1));
            run.endMessage(null);
        })) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            fixture.awaitText("patient");
            fixture.holdRetries();
            fixture.holdHeads(true);
            CompletionStage<Boolean> stop = fixture.engine.stop(SESSION);
            for (int i = 0; i < 12; i++) {
                fixture.awaitRetry();
                fixture.stepRetries();
            }
            fixture.awaitRetry();
            fixture.holdHeads(false);
            fixture.releaseRetries();

            assertTrue(RunsFixture.cancelled(stop));
            result(turn);
            assertEquals(java.util.List.of("patient"), fixture.messages("assistant"));
        }
    }
}
