package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.SESSION;
import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunStatus;
import dev.tidings.SessionStatus;
import dev.tidings.StreamKey;
import dev.tidings.event.RunChanged;
import dev.tidings.runs.RunsFixture.FaultyTransactions.Fault;
import dev.tidings.spi.RunCancelledException;
import dev.tidings.spi.RunFence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Law 10: cancelling always stops a run, and nothing of it comes after its end. */
class CancelTest {

    @Test
    void stop_midDelta_textSoFarIsStored() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("half a ");
            run.text("sente");
            RunsFixture.await(never);
        })) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            fixture.awaitText("sente");

            assertTrue(fixture.stop(SESSION));

            TurnResult.Ended ended = assertInstanceOf(TurnResult.Ended.class, result(turn));
            assertTrue(ended.canceled());
            List<String> words = fixture.words();
            assertEquals(
                    List.of(
                            "partial text sente",
                            "partial usage 0 thinking",
                            "partial done",
                            "assistant: half a sente",
                            "finished cancelled",
                            "session idle",
                            "run canceled"),
                    words.subList(words.indexOf("partial text sente"), words.size()));
            assertEquals(
                    ended.assistantEventId(),
                    fixture.entries(EntryKind.EVENT).get(1).id());
            assertTrue(fixture.entries(EntryKind.EVENT).get(1).payload().text().contains("\"interrupted\":true"));
            assertFalse(fixture.stop(SESSION), "a second stop finds nothing");
        }
    }

    @Test
    void stop_beforeAnyText_theEndIsTheNextEntry() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            began.countDown();
            run.pause(Duration.ofHours(1));
            run.checkCancelled();
        })) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            RunsFixture.await(began);

            assertTrue(fixture.stop(SESSION));

            assertEquals(
                    "", assertInstanceOf(TurnResult.Ended.class, result(turn)).assistantEventId());
            assertEquals(
                    List.of(EntryKind.EVENT, EntryKind.RUN_STARTED, EntryKind.RUN_FINISHED),
                    fixture.entries().stream().map(entry -> entry.kind()).toList());
        }
    }

    /** The claim has committed, and the turn has not begun. */
    @Test
    void stop_betweenClaimAndBegin_runnerIsNeverCalled() throws Exception {
        AtomicBoolean called = new AtomicBoolean();
        CompletableFuture<CompletionStage<Boolean>> stopped = new CompletableFuture<>();
        try (RunsFixture fixture = new RunsFixture(run -> called.set(true))) {
            fixture.tidings.listen(event -> {
                if (event instanceof RunChanged changed && changed.value().status() == RunStatus.RUNNING) {
                    // On the committing thread.
                    stopped.complete(fixture.engine.stop(SESSION));
                }
            });

            CompletionStage<TurnResult> turn = fixture.say("hi");

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            assertTrue(RunsFixture.cancelled(stopped.getNow(null)));
            fixture.quiet();
            assertFalse(called.get());
            assertFalse(fixture.words().stream().anyMatch(word -> word.startsWith("partial")), "nothing was opened");
        }
    }

    @Test
    void stop_runnerHasNoThreadYet_runnerIsNeverCalled() throws Exception {
        AtomicBoolean called = new AtomicBoolean();
        CountDownLatch threads = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> called.set(true))) {
            fixture.holdRunners(threads);
            CompletionStage<TurnResult> turn = fixture.say("hi");

            assertTrue(fixture.stop(SESSION));
            threads.countDown();
            fixture.quiet();

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            assertFalse(called.get());
            assertEquals(1, fixture.entries(EntryKind.RUN_FINISHED).size());
        }
    }

    @Test
    void stop_onlyQueued_cancelledWithoutAStart() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {})) {
            fixture.holdRetries();
            // The message is stored, and its claim fails.
            fixture.transactions.fail(1, Fault.BEFORE, 1);
            TurnResult.Queued queued = assertInstanceOf(TurnResult.Queued.class, result(fixture.say("hi")));

            assertTrue(fixture.stop(SESSION));

            assertEquals(RunStatus.CANCELED, fixture.runs().get(0).status());
            assertEquals(queued.runId(), fixture.runs().get(0).id());
            assertEquals(
                    List.of(EntryKind.EVENT, EntryKind.RUN_FINISHED),
                    fixture.entries().stream().map(entry -> entry.kind()).toList());
            assertFalse(fixture.stop(SESSION));
        }
    }

    /** A turn that is cancelled in the queue lets the next one begin, like any other. */
    @Test
    void stop_firstOfTwoQueued_theNextRuns() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {})) {
            fixture.holdRetries();
            List<String> queued = new ArrayList<>();
            for (String text : List.of("one", "two")) {
                // The message is stored, and the claim behind it fails.
                fixture.transactions.fail(1, Fault.BEFORE, 1);
                queued.add(assertInstanceOf(TurnResult.Queued.class, result(fixture.say(text)))
                        .runId());
            }

            assertTrue(fixture.stop(SESSION));

            fixture.awaitRun(queued.get(1), RunStatus.SUCCEEDED);
            assertEquals(RunStatus.CANCELED, fixture.run(queued.get(0)).status());
        }
    }

    /** Two stops of one run: it ends once, and one of them has ended it. */
    @Test
    void stop_twiceBeforeTheEndIsStored_theFirstEndsIt() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("x");
            run.pause(Duration.ofHours(1));
        })) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            fixture.awaitText("x");
            fixture.holdRetries();
            fixture.holdHeads(true);
            CompletionStage<Boolean> first = fixture.engine.stop(SESSION);
            CompletionStage<Boolean> second = fixture.engine.stop(SESSION);
            fixture.holdHeads(false);
            fixture.releaseRetries();

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            assertTrue(RunsFixture.cancelled(first));
            assertFalse(RunsFixture.cancelled(second));
            assertEquals(1, fixture.entries(EntryKind.RUN_FINISHED).size());
        }
    }

    @Test
    void stop_afterTheEnd_isFalse() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> run.text("x"))) {
            result(fixture.say("hi"));
            int before = fixture.entries().size();

            assertFalse(fixture.stop(SESSION));

            assertEquals(before, fixture.entries().size());
            assertEquals(RunStatus.SUCCEEDED, fixture.runs().get(0).status());
        }
    }

    @Test
    void stop_unknownSession_isFalse() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {})) {
            assertFalse(fixture.stop("nobody"));
        }
    }

    /** Law 10: the run is fenced. The runner goes on as if nothing had happened; nothing of it is shown or stored. */
    @Test
    void stop_runnerIgnoresIt_fencedAndNextTurnRuns() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger refused = new AtomicInteger();
        BlockingQueue<RunFence> fence = new LinkedBlockingQueue<>();
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.prompt().equals("next")) {
                run.text("next answer");
                return;
            }
            fence.add(new RunFence(run.run().id(), 1));
            run.text("before");
            RunsFixture.awaitDeaf(goOn);
            for (int i = 0; i < 3; i++) {
                try {
                    run.text("after");
                } catch (RunCancelledException e) {
                    refused.incrementAndGet();
                }
            }
        })) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            fixture.awaitText("before");

            assertTrue(fixture.stop(SESSION));
            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            assertInstanceOf(TurnResult.Ended.class, result(fixture.say("next")));
            int stored = fixture.entries().size();
            goOn.countDown();
            fixture.quiet();

            assertEquals(3, refused.get());
            assertEquals(stored, fixture.entries().size());
            assertEquals(List.of("before", "next answer"), fixture.messages("assistant"));
            NewEntry late = new NewEntry(
                    "late",
                    EntryKind.EVENT,
                    true,
                    Payload.of("{}"),
                    fence.element().runId(),
                    1);
            assertThrows(
                    RuntimeException.class,
                    () -> fixture.tidings
                            .transactions()
                            .run(() -> fixture.tidings
                                    .writer()
                                    .append(StreamKey.session(SESSION), late, fence.element())));
        }
    }

    /** Law 10: however a stop and the runner's return fall together, there is one end, and everybody agrees on it. */
    @Test
    void stop_whileTheRunnerReturns_exactlyOneEnd() throws Exception {
        int rounds = 300;
        int stopped = 0;
        var stopper = Executors.newSingleThreadExecutor();
        try (RunsFixture fixture = new RunsFixture(run -> run.text("x"))) {
            for (int i = 0; i < rounds; i++) {
                CompletionStage<TurnResult> turn = fixture.say("hi");
                boolean stop = stopper.submit(() -> fixture.stop(SESSION)).get();
                TurnResult.Ended ended = assertInstanceOf(TurnResult.Ended.class, result(turn));
                assertEquals(stop, ended.canceled());
                stopped += stop ? 1 : 0;
            }

            assertEquals(rounds, fixture.entries(EntryKind.RUN_FINISHED).size());
            assertEquals(rounds, fixture.entries(EntryKind.RUN_STARTED).size());
            long canceled =
                    fixture.words().stream().filter("run canceled"::equals).count();
            long succeeded =
                    fixture.words().stream().filter("run succeeded"::equals).count();
            assertEquals(stopped, canceled);
            assertEquals(rounds, canceled + succeeded);
            assertEquals(SessionStatus.IDLE, fixture.sessionStatus());
        } finally {
            stopper.shutdownNow();
        }
    }
}
