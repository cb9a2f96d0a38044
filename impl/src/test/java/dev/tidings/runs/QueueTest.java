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
import dev.tidings.StoredEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** One live run a session; the others wait and run in the order of their messages. */
class QueueTest {

    @Test
    void message_behindALiveRun_queuedAndRunNext() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.prompt().equals("one")) {
                RunsFixture.await(first);
            }
            run.text("re " + run.prompt());
        })) {
            CompletionStage<TurnResult> one = fixture.say("one");
            String two = assertInstanceOf(TurnResult.Queued.class, result(fixture.say("two")))
                    .runId();
            String three = assertInstanceOf(TurnResult.Queued.class, result(fixture.say("three")))
                    .runId();
            assertEquals(
                    List.of(RunStatus.RUNNING, RunStatus.QUEUED, RunStatus.QUEUED),
                    fixture.runs().stream().map(RunInfo::status).toList());
            first.countDown();

            assertInstanceOf(TurnResult.Ended.class, result(one));
            fixture.awaitRun(two, RunStatus.SUCCEEDED);
            fixture.awaitRun(three, RunStatus.SUCCEEDED);
            assertEquals(List.of("re one", "re two", "re three"), fixture.messages("assistant"));
        }
    }

    @Test
    void stop_withQueuedTurns_theNextRuns() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.prompt().equals("one")) {
                run.text("begun");
                RunsFixture.await(new CountDownLatch(1));
            }
            run.text("re " + run.prompt());
        })) {
            CompletionStage<TurnResult> one = fixture.say("one");
            String two = assertInstanceOf(TurnResult.Queued.class, result(fixture.say("two")))
                    .runId();
            fixture.awaitText("begun");

            assertTrue(fixture.stop(SESSION));

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(one)).canceled());
            fixture.awaitRun(two, RunStatus.SUCCEEDED);
            assertEquals(List.of("begun", "re two"), fixture.messages("assistant"));
        }
    }

    /** However messages fall together, one run is live at a time, each runs once, in the order of the messages. */
    @Test
    void message_manyAtOnce_oneLiveAtATimeInOrder() throws Exception {
        int threads = 4;
        int each = 25;
        ExecutorService people = Executors.newFixedThreadPool(threads);
        try (RunsFixture fixture = new RunsFixture(run -> run.text(run.prompt()))) {
            List<Future<List<TurnResult>>> sent = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int person = t;
                sent.add(people.submit(() -> {
                    List<TurnResult> results = new ArrayList<>();
                    for (int i = 0; i < each; i++) {
                        results.add(result(fixture.say(person + "." + i)));
                    }
                    return results;
                }));
            }
            int queued = 0;
            for (Future<List<TurnResult>> results : sent) {
                for (TurnResult each1 : results.get()) {
                    queued += each1 instanceof TurnResult.Queued ? 1 : 0;
                }
            }
            for (RunInfo run : fixture.runs()) {
                fixture.awaitRun(run.id(), RunStatus.SUCCEEDED);
            }

            assertTrue(queued < threads * each, "somebody was live");
            assertEquals(fixture.messages("user"), fixture.messages("assistant"));
            assertEquals(threads * each, fixture.messages("user").size());
            int live = 0;
            for (StoredEntry entry : fixture.entries()) {
                live += entry.kind() == EntryKind.RUN_STARTED ? 1 : 0;
                live -= entry.kind() == EntryKind.RUN_FINISHED ? 1 : 0;
                assertTrue(live == 0 || live == 1, () -> "at position " + entry.position());
            }
            assertEquals(SessionStatus.IDLE, fixture.sessionStatus());
        } finally {
            people.shutdownNow();
        }
    }
}
