package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.SESSION;
import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidings.EntryKind;
import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.SessionStatus;
import dev.tidings.StreamKey;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.RunFence;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Law 10: whoever lost a run, or ended it, appends nothing of it any more. */
class FenceTest {
    private static final StreamKey STREAM = StreamKey.session(SESSION);

    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Test
    void endMessage_otherNodeTookTheRun_isNotStored() throws Exception {
        try (RunsFixture fixture = new RunsFixture(waiting("late"))) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            RunsFixture.await(began);
            takeOver(fixture);
            goOn.countDown();
            assertInstanceOf(TurnResult.Failed.class, result(turn));
            assertEquals(List.of(), fixture.messages("assistant"));
            assertEquals(List.of(), fixture.entries(EntryKind.RUN_FINISHED));
        }
    }

    @Test
    void end_otherNodeTookTheRun_isNotStored() throws Exception {
        try (RunsFixture fixture = new RunsFixture(waiting(""))) {
            fixture.holdRetries();
            fixture.say("hi");
            RunsFixture.await(began);
            takeOver(fixture);
            goOn.countDown();
            fixture.awaitRetry();
            assertEquals(List.of(), fixture.entries(EntryKind.RUN_FINISHED));
            assertEquals(SessionStatus.STREAMING, fixture.sessionStatus());
        }
    }

    @Test
    void end_stored_fenceIsShut() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> run.text("x"))) {
            result(fixture.say("hi"));
            RunFence fence = new RunFence(fixture.runs().get(0).id(), 1);
            NewEntry late = new NewEntry("late", EntryKind.EVENT, true, Payload.of("{}"), fence.runId(), 1);
            assertThrows(
                    FencedException.class,
                    () -> fixture.tidings
                            .transactions()
                            .run(() -> fixture.tidings.writer().append(STREAM, late, fence)));
        }
    }

    @Test
    void end_sessionStoppedMeanwhile_staysStopped() throws Exception {
        try (RunsFixture fixture = new RunsFixture(waiting("x"))) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            RunsFixture.await(began);
            fixture.tidings
                    .transactions()
                    .run(() -> fixture.tidings
                            .directoryWriter()
                            .changeSession(SESSION, session -> session.withStatus(SessionStatus.STOPPED, 2)));
            goOn.countDown();
            assertInstanceOf(TurnResult.Ended.class, result(turn));
            assertEquals(SessionStatus.STOPPED, fixture.sessionStatus());
        }
    }

    private AgentRunner waiting(String text) {
        return run -> {
            began.countDown();
            RunsFixture.await(goOn);
            run.text(text);
            run.endMessage(null);
        };
    }

    private static void takeOver(RunsFixture fixture) {
        String runId = fixture.runs().get(0).id();
        fixture.tidings.transactions().run(() -> {
            RunFence fence = fixture.tidings.ledger().take(runId, "other");
            fixture.tidings.writer().openFence(STREAM, fence);
        });
    }
}
