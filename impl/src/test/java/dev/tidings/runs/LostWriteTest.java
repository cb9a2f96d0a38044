package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.SESSION;
import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionStatus;
import dev.tidings.runs.RunsFixture.FaultyTransactions.Fault;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that fail, before they did anything or after they did everything. */
class LostWriteTest {

    /** Every transaction of a turn fails once: claim, message, end. */
    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "TWICE")
    void turn_oneTransactionFails_storedOnceAllTheSame(Fault fault) throws Exception {
        for (int healthy = 1; healthy <= 4; healthy++) {
            try (RunsFixture fixture = new RunsFixture(run -> {
                run.text("one");
                run.endMessage(null);
                run.text("two");
            })) {
                fixture.transactions.fail(healthy, fault, 1);

                TurnResult turn = result(fixture.say("hi"));
                RunInfo run = fixture.runs().get(0);
                fixture.awaitRun(run.id(), RunStatus.SUCCEEDED);

                String where = fault + " after " + healthy + ": " + turn;
                assertEquals(List.of("one", "two"), fixture.messages("assistant"), where);
                assertEquals(1, fixture.entries(EntryKind.RUN_STARTED).size(), where);
                assertEquals(1, fixture.entries(EntryKind.RUN_FINISHED).size(), where);
                assertEquals(SessionStatus.IDLE, fixture.sessionStatus(), where);
                assertEquals(List.of("hi"), fixture.messages("user"), where);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "TWICE")
    void message_itsOwnTransactionFails_throws(Fault fault) throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> run.text("x"))) {
            fixture.transactions.fail(0, fault, 1);

            assertThrows(IllegalStateException.class, () -> fixture.say("hi"));

            if (fault == Fault.AFTER) {
                // It was stored: then its turn runs.
                fixture.awaitRun(fixture.runs().get(0).id(), RunStatus.SUCCEEDED);
            } else {
                assertEquals(List.of(), fixture.messages("user"));
            }
        }
    }

    @Test
    void end_databaseAwayForLong_endsWhenItIsBack() throws Exception {
        CountDownLatch away = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("x");
            RunsFixture.await(away);
        })) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            fixture.awaitText("x");
            fixture.holdRetries();
            // The end, and the look behind it whether its locks can be had.
            fixture.transactions.fail(0, Fault.BEFORE, 5);
            away.countDown();
            for (int i = 0; i < 3; i++) {
                fixture.awaitRetry();
                assertEquals(0, fixture.entries(EntryKind.RUN_FINISHED).size());
                fixture.stepRetries();
            }

            assertInstanceOf(TurnResult.Ended.class, result(turn));
            assertEquals(List.of("x"), fixture.messages("assistant"));
        }
    }

    /** What the database refuses again and again must not keep the session busy for ever. */
    @Test
    void end_lastMessageRefused_endsAsFailedWithoutIt() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> run.text("too big"))) {
            fixture.refuse("too big");

            TurnResult.Failed failed = assertInstanceOf(TurnResult.Failed.class, result(fixture.say("hi")));

            assertEquals("not_stored", failed.code());
            assertEquals(1, fixture.entries(EntryKind.RUN_FINISHED).size());
            assertEquals(SessionStatus.ERROR, fixture.sessionStatus());
        }
    }

    /** Law 10: an end is never given up, for a run without one keeps its session busy. */
    @Test
    void end_refusedForLong_storedWhenItIsAccepted() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {})) {
            fixture.holdRetries();
            fixture.refuse("completed");
            CompletionStage<TurnResult> turn = fixture.say("hi");
            for (int i = 0; i < 7; i++) {
                fixture.awaitRetry();
                fixture.stepRetries();
            }
            fixture.awaitRetry();
            fixture.refuse("\u0000");
            fixture.releaseRetries();

            assertInstanceOf(TurnResult.Ended.class, result(turn));
            assertEquals(1, fixture.entries(EntryKind.RUN_FINISHED).size());
            assertEquals(SessionStatus.IDLE, fixture.sessionStatus());
        }
    }

    @Test
    void endMessage_refused_runFailsAndRunnerIsStopped() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("too big");
            run.endMessage(null);
            RunsFixture.await(never);
        })) {
            fixture.refuse("too big");

            TurnResult.Failed failed = assertInstanceOf(TurnResult.Failed.class, result(fixture.say("hi")));

            assertEquals("not_stored", failed.code());
            assertEquals(List.of(), fixture.messages("assistant"));
            fixture.quiet();
        }
    }

    @Test
    void stop_endCannotBeStoredInTime_throwsAndIsStoredLater() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        RunLimits impatient = new RunLimits(
                4096,
                8192,
                java.time.Duration.ofMinutes(10),
                false,
                java.time.Duration.ZERO,
                java.time.Duration.ofSeconds(30),
                java.time.Duration.ofMillis(1),
                java.time.Duration.ofMillis(1),
                java.time.Duration.ZERO);
        try (RunsFixture first = new RunsFixture(run -> {});
                RunsFixture fixture = new RunsFixture(
                        first.tidings,
                        run -> {
                            run.text("x");
                            RunsFixture.await(never);
                        },
                        impatient)) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            fixture.awaitText("x");
            fixture.holdRetries();
            fixture.transactions.fail(0, Fault.BEFORE, 1);

            CompletableFuture<Boolean> stop = fixture.engine.stop(SESSION).toCompletableFuture();
            assertInstanceOf(
                    TimeoutException.class,
                    assertThrows(ExecutionException.class, () -> stop.get(20, TimeUnit.SECONDS))
                            .getCause());
            fixture.awaitRetry();
            fixture.releaseRetries();

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
        }
    }
}
