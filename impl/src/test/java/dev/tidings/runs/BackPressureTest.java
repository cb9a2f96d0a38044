package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.SESSION;
import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.runs.RunsFixture.FaultyTransactions.Fault;
import dev.tidings.spi.RunCancelledException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@code tidings.runs.max-pending-bytes}: a runner that is faster than the database waits. */
class BackPressureTest {

    private static final int MAX = 8192;
    private static final String DELTA = "x".repeat(100);
    private static final int DELTAS = 1000;

    /** A store that is away while the runner talks; the runner's thread and count are seen from outside. */
    private static final class Talker {
        final CountDownLatch go = new CountDownLatch(1);
        final AtomicInteger said = new AtomicInteger();
        final AtomicInteger cancelled = new AtomicInteger();
        final BlockingQueue<Thread> thread = new LinkedBlockingQueue<>();

        void talk(dev.tidings.spi.RunContext run) throws InterruptedException {
            thread.add(Thread.currentThread());
            run.text("begin");
            RunsFixture.await(go);
            run.endMessage(null);
            try {
                for (int i = 0; i < DELTAS; i++) {
                    run.text(DELTA);
                    said.incrementAndGet();
                }
            } catch (RunCancelledException e) {
                cancelled.incrementAndGet();
                throw e;
            }
        }

        void awaitWaiting() {
            RunsFixture.awaitState(thread.element(), Thread.State.WAITING);
        }
    }

    private static RunsFixture fixture(RunsFixture store, Talker talker) {
        return new RunsFixture(store.tidings, talker::talk, RunsFixture.limits(MAX));
    }

    @Test
    void text_storeIsAway_runnerWaitsAndNothingIsLost() throws Exception {
        Talker talker = new Talker();
        try (RunsFixture store = new RunsFixture(run -> {});
                RunsFixture fixture = fixture(store, talker)) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            fixture.awaitText("begin");
            fixture.holdRetries();
            fixture.transactions.fail(0, Fault.BEFORE, 1);
            talker.go.countDown();
            fixture.awaitRetry();
            talker.awaitWaiting();

            assertTrue(talker.said.get() <= MAX / (2 * DELTA.length()) + 1, "said " + talker.said.get());
            fixture.releaseRetries();
            assertInstanceOf(TurnResult.Ended.class, result(turn));

            assertEquals(DELTAS, talker.said.get());
            assertEquals(DELTA.repeat(DELTAS), fixture.messages("assistant").get(1));
        }
    }

    @Test
    void stop_runnerWaitsForRoom_isLetGo() throws Exception {
        Talker talker = new Talker();
        try (RunsFixture store = new RunsFixture(run -> {});
                RunsFixture fixture = fixture(store, talker)) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            fixture.awaitText("begin");
            fixture.holdRetries();
            fixture.transactions.fail(0, Fault.BEFORE, 1);
            talker.go.countDown();
            fixture.awaitRetry();
            talker.awaitWaiting();

            CompletionStage<Boolean> stop = fixture.engine.stop(SESSION);
            fixture.quiet();
            assertEquals(1, talker.cancelled.get());
            fixture.releaseRetries();

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            assertTrue(RunsFixture.cancelled(stop));
            assertEquals(
                    DELTA.repeat(talker.said.get()),
                    fixture.messages("assistant").get(1));
        }
    }
}
