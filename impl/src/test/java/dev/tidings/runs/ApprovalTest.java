package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.SESSION;
import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Approval.Status;
import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.StoredEntry;
import dev.tidings.spi.AgentRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Law 11: an approval has one decision; law 10: the end of its run closes it. */
class ApprovalTest {

    private static final AgentRunner ASKS = run -> {
        run.text("May I?");
        run.text(" "
                + run.approval("call-1", "rm", Payload.of("{\"path\":\"/\"}")).code());
    };

    private static String approvalOf(RunInfo run) {
        return EntryIds.approval(run.id(), 1);
    }

    /** The answer to the first may have been lost on its way to the runner: whoever repeats it brings it again. */
    @Test
    void approval_decidedOnAnotherNodeAndRepeatedHere_runGoesOn() throws Exception {
        try (RunsFixture fixture = new RunsFixture(ASKS);
                RunsFixture other = new RunsFixture("other", fixture.tidings, ASKS, RunLimits.DEFAULTS)) {
            result(fixture.say("hi"));
            RunInfo waiting = fixture.awaitStatus(RunStatus.WAITING);
            String approval = approvalOf(waiting);
            assertInstanceOf(ApprovalResult.Decided.class, other.engine.decide(SESSION, approval, Status.GRANTED));
            assertInstanceOf(ApprovalResult.Repeated.class, fixture.engine.decide(SESSION, approval, Status.GRANTED));
            fixture.awaitRun(waiting.id(), RunStatus.SUCCEEDED);
            assertEquals(List.of("May I?", " granted"), fixture.messages("assistant"));
        }
    }

    /** Its timer may be late, or lost with its thread: the next look lets it expire all the same. */
    @Test
    void renewLease_timeIsOverAndNoTimerCame_expires() throws Exception {
        RunLimits usual = RunLimits.DEFAULTS;
        RunLimits hasty = new RunLimits(
                usual.maxPendingBytes(),
                usual.maxMessageBytes(),
                // No millisecond: over as soon as it is asked for.
                Duration.ofNanos(1),
                usual.storeDeltas(),
                usual.deltaDelay(),
                usual.lease(),
                usual.firstRetry(),
                usual.longestRetry(),
                usual.stopWait());
        try (RunsFixture store = new RunsFixture(run -> {});
                RunsFixture fixture = new RunsFixture(store.tidings, ASKS, hasty)) {
            fixture.holdRetries();
            result(fixture.say("hi"));
            RunInfo waiting = fixture.awaitStatus(RunStatus.WAITING);
            fixture.engine.renewLease();
            fixture.awaitRun(waiting.id(), RunStatus.SUCCEEDED);
            assertEquals(List.of("May I?", " expired"), fixture.messages("assistant"));
        }
    }

    @Test
    void approval_granted_runGoesOn() throws Exception {
        try (RunsFixture fixture = new RunsFixture(ASKS)) {
            assertInstanceOf(TurnResult.Waiting.class, result(fixture.say("hi")));
            RunInfo waiting = fixture.awaitStatus(RunStatus.WAITING);
            assertTrue(RunsFixture.details(waiting).startsWith("{\"wait\":{\"reason\":\"event\",\"wakeAt\":"));
            List<StoredEntry> asked = fixture.entries(EntryKind.APPROVAL);
            assertEquals(1, asked.size());
            assertEquals(3, asked.get(0).seq());
            assertEquals(List.of("May I?"), fixture.messages("assistant"));

            ApprovalResult.Decided decided = assertInstanceOf(
                    ApprovalResult.Decided.class, fixture.engine.decide(SESSION, approvalOf(waiting), Status.GRANTED));
            fixture.awaitRun(waiting.id(), RunStatus.SUCCEEDED);

            assertEquals(Status.GRANTED, decided.approval().status());
            assertEquals(List.of("May I?", " granted"), fixture.messages("assistant"));
            assertEquals(
                    List.of(
                            "assistant: May I?",
                            "approval_requested",
                            "run waiting",
                            "approval_granted",
                            "run running",
                            "assistant:  granted",
                            "finished completed",
                            "run succeeded"),
                    fixture.words().stream()
                            .filter(word -> word.startsWith("assistant")
                                    || word.startsWith("approval")
                                    || word.startsWith("run ")
                                    || word.startsWith("finished"))
                            .skip(2)
                            .toList());
            StoredEntry entry = fixture.entries(EntryKind.APPROVAL).get(1);
            assertEquals(decided.entryId(), entry.id());
            assertNull(fixture.run(waiting.id()).details());
        }
    }

    @Test
    void decide_again_sameIsRepeatedOtherIsRefused() throws Exception {
        try (RunsFixture fixture = new RunsFixture(ASKS)) {
            fixture.say("hi");
            RunInfo waiting = fixture.awaitStatus(RunStatus.WAITING);
            String id = approvalOf(waiting);
            fixture.engine.decide(SESSION, id, Status.DENIED);
            fixture.awaitRun(waiting.id(), RunStatus.SUCCEEDED);
            int stored = fixture.entries().size();

            ApprovalResult.Repeated repeated =
                    assertInstanceOf(ApprovalResult.Repeated.class, fixture.engine.decide(SESSION, id, Status.DENIED));
            ApprovalResult.Refused refused =
                    assertInstanceOf(ApprovalResult.Refused.class, fixture.engine.decide(SESSION, id, Status.GRANTED));

            assertEquals(fixture.entries(EntryKind.APPROVAL).get(1), repeated.entry());
            assertEquals(Status.DENIED, refused.approval().status());
            assertInstanceOf(ApprovalResult.Unknown.class, fixture.engine.decide("another", id, Status.DENIED));
            assertInstanceOf(ApprovalResult.Unknown.class, fixture.engine.decide(SESSION, "another", Status.DENIED));
            assertEquals(stored, fixture.entries().size());
            assertEquals(List.of("May I?", " denied"), fixture.messages("assistant"));
        }
    }

    /** Law 11: however many decide at once, one counts and all are told what. */
    @Test
    void decide_manyAtOnce_oneDecision() throws Exception {
        int threads = 4;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (RunsFixture fixture = new RunsFixture(ASKS)) {
            fixture.say("hi");
            String id = approvalOf(fixture.awaitStatus(RunStatus.WAITING));
            CountDownLatch together = new CountDownLatch(threads);
            List<Future<ApprovalResult>> tries = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Status decision = i % 2 == 0 ? Status.GRANTED : Status.DENIED;
                tries.add(pool.submit(() -> {
                    together.countDown();
                    together.await();
                    return fixture.engine.decide(SESSION, id, decision);
                }));
            }
            int decided = 0;
            int repeated = 0;
            int refused = 0;
            for (Future<ApprovalResult> one : tries) {
                ApprovalResult result = one.get();
                decided += result instanceof ApprovalResult.Decided ? 1 : 0;
                repeated += result instanceof ApprovalResult.Repeated ? 1 : 0;
                refused += result instanceof ApprovalResult.Refused ? 1 : 0;
            }
            assertEquals(List.of(1, 1, 2), List.of(decided, repeated, refused));
            assertEquals(2, fixture.entries(EntryKind.APPROVAL).size());
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void approval_timeIsOver_expires() throws Exception {
        try (RunsFixture fixture = new RunsFixture(ASKS)) {
            fixture.say("hi");
            RunInfo waiting = fixture.awaitStatus(RunStatus.WAITING);

            fixture.ringAlarms();
            fixture.awaitRun(waiting.id(), RunStatus.SUCCEEDED);

            assertEquals(List.of("May I?", " expired"), fixture.messages("assistant"));
            assertTrue(
                    fixture.entries(EntryKind.APPROVAL).get(1).payload().text().contains("\"reason\":\"timeout\""));
            assertInstanceOf(
                    ApprovalResult.Refused.class, fixture.engine.decide(SESSION, approvalOf(waiting), Status.GRANTED));
        }
    }

    /** Law 10: the run's end and the end of its approvals are one transaction, and nothing comes behind them. */
    @Test
    void stop_whileAnApprovalWaits_closesItWithTheEnd() throws Exception {
        try (RunsFixture fixture = new RunsFixture(ASKS)) {
            fixture.say("hi");
            RunInfo waiting = fixture.awaitStatus(RunStatus.WAITING);

            assertTrue(fixture.cancel(waiting.id()));

            List<StoredEntry> entries = fixture.entries();
            assertEquals(
                    List.of(EntryKind.APPROVAL, EntryKind.APPROVAL, EntryKind.RUN_FINISHED),
                    entries.subList(entries.size() - 3, entries.size()).stream()
                            .map(StoredEntry::kind)
                            .toList());
            assertTrue(fixture.shown().stream()
                    .anyMatch(event -> event instanceof dev.tidings.event.EntriesStored stored
                            && stored.entries().size() == 2
                            && stored.entries().get(1).kind() == EntryKind.RUN_FINISHED));
            assertInstanceOf(
                    ApprovalResult.Refused.class, fixture.engine.decide(SESSION, approvalOf(waiting), Status.GRANTED));
            fixture.ringAlarms();
            fixture.quiet();
            assertEquals(entries, fixture.entries());
            assertEquals(java.util.Set.of(), fixture.openPartials());
            assertNull(fixture.run(waiting.id()).details());
        }
    }

    /** A decision whose news got lost, or that was made on another node, is found at the next round. */
    @Test
    void renewLease_decidedElsewhere_runGoesOn() throws Exception {
        try (RunsFixture fixture = new RunsFixture(ASKS);
                RunsFixture other = new RunsFixture(fixture.tidings, run -> {}, RunLimits.DEFAULTS)) {
            fixture.say("hi");
            RunInfo waiting = fixture.awaitStatus(RunStatus.WAITING);
            other.engine.decide(SESSION, approvalOf(waiting), Status.GRANTED);
            assertEquals(RunStatus.WAITING, fixture.run(waiting.id()).status());

            fixture.engine.renewLease();

            fixture.awaitRun(waiting.id(), RunStatus.SUCCEEDED);
            assertEquals(List.of("May I?", " granted"), fixture.messages("assistant"));
        }
    }

    /** Law 10: a run that was deleted with its session holds its runner no longer, though that one waits for people. */
    @Test
    void renewLease_sessionDeletedWhileAnApprovalWaits_runnerIsLetGo() throws Exception {
        try (RunsFixture fixture = new RunsFixture(ASKS)) {
            fixture.say("hi");
            fixture.awaitStatus(RunStatus.WAITING);
            fixture.tidings
                    .transactions()
                    .run(() -> fixture.tidings.directoryWriter().deleteSession(SESSION));

            fixture.engine.renewLease();

            fixture.quiet();
        }
    }

    /** Recovery ends the run, and its approval with it. */
    @Test
    void recover_approvalPending_expiresWithTheRun() throws Exception {
        RunsFixture dead = new RunsFixture(ASKS);
        dead.say("hi");
        RunInfo waiting = dead.awaitStatus(RunStatus.WAITING);
        dead.close();
        try (RunsFixture node = new RunsFixture(dead.tidings, run -> {}, RunLimits.DEFAULTS)) {
            node.engine.recover();

            assertEquals(RunStatus.FAILED, node.run(waiting.id()).status());
            List<StoredEntry> approvals = node.entries(EntryKind.APPROVAL);
            assertEquals(2, approvals.size());
            assertTrue(approvals.get(1).payload().text().contains("\"type\":\"approval_expired\""));
            assertInstanceOf(
                    ApprovalResult.Refused.class, node.engine.decide(SESSION, approvalOf(waiting), Status.GRANTED));
        }
    }
}
