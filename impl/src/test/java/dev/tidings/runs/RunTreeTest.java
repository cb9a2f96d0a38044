package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.SESSION;
import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.FencedException;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.RunChanged;
import dev.tidings.event.Signal;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.RunContext;
import dev.tidings.spi.RunFailure;
import dev.tidings.spi.RunFence;
import dev.tidings.spi.StartedChild;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs that start runs: one stream a tree, one end a run (laws 1, 3 and 10). */
class RunTreeTest {

    private static AgentRunner parentAndChild(AgentRunner child) {
        return run -> {
            if (run.run().lineage().depth() > 0) {
                child.run(run);
                return;
            }
            StartedChild started = run.child(new ChildRun("workflow", "Researcher", "Name three colors", "call-1"));
            StartedChild.Outcome outcome = started.await();
            run.text("child " + outcome.status().code() + ": " + outcome.text());
        };
    }

    @Test
    void child_parentWaits_getsTheOutcome() throws Exception {
        CountDownLatch parentWaits = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(parentAndChild(run -> {
            RunsFixture.await(parentWaits);
            run.text("re " + run.prompt());
        }))) {
            assertInstanceOf(TurnResult.Waiting.class, result(fixture.say("hi")));
            parentWaits.countDown();
            RunInfo waiting = fixture.awaitStatus(RunStatus.WAITING);
            fixture.awaitRun(waiting.id(), RunStatus.SUCCEEDED);

            assertEquals("{\"wait\":{\"reason\":\"children\",\"pendingChildren\":1}}", RunsFixture.details(waiting));
            assertEquals(List.of("child succeeded: re Name three colors"), fixture.messages("assistant"));
            List<RunInfo> tree = fixture.tree(waiting.id());
            assertEquals(2, tree.size());
            RunInfo child = tree.get(1);
            assertEquals(new RunInfo.Lineage(waiting.id(), "call-1", 1, 0), child.lineage());
            assertEquals("workflow", child.kind());
            assertEquals("agent", child.origin());
            assertEquals(waiting.id(), child.rootRunId());
            assertEquals(1, tree.get(0).lineage().childRunCount());
            SessionInfo session = fixture.tidings
                    .directory()
                    .session(RunsFixture.sessionOf(child).id())
                    .orElseThrow()
                    .value();
            assertEquals(SESSION, session.parentSessionId());
            assertEquals(child.id(), session.runId());
            assertEquals("Researcher", session.title());
            assertEquals(
                    1,
                    fixture.tidings
                            .directory()
                            .session(SESSION)
                            .orElseThrow()
                            .value()
                            .childSessionCount());
            List<StoredEntry> childEntries = fixture.entries(RunsFixture.sessionOf(child));
            assertEquals(
                    List.of(EntryKind.EVENT, EntryKind.RUN_STARTED, EntryKind.EVENT, EntryKind.RUN_FINISHED),
                    childEntries.stream().map(StoredEntry::kind).toList());
            assertEquals(
                    "{\"type\":\"message\",\"role\":\"user\",\"content\":\"Name three colors\"}",
                    childEntries.get(0).payload().text());
        }
    }

    /** People watch a workflow by its tree: that a tool has ended is shown there, too. */
    @Test
    void activity_ofAWorkflow_isShownInTheTree() throws Exception {
        CountDownLatch parentWaits = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(parentAndChild(run -> {
            RunsFixture.await(parentWaits);
            run.activity(new RunActivity(RunActivity.Phase.TOOL, "read", null, null, null));
            run.activity(RunActivity.of(RunActivity.Phase.THINKING));
        }))) {
            assertInstanceOf(TurnResult.Waiting.class, result(fixture.say("hi")));
            parentWaits.countDown();
            RunInfo waiting = fixture.awaitStatus(RunStatus.WAITING);
            fixture.awaitRun(waiting.id(), RunStatus.SUCCEEDED);
            assertEquals(
                    List.of(
                            new RunActivity(RunActivity.Phase.TOOL, "read", null, null, null),
                            RunActivity.of(RunActivity.Phase.THINKING)),
                    fixture.shown().stream()
                            .flatMap(event -> event instanceof Signal.Progress progress
                                    ? Stream.ofNullable(progress.activity())
                                    : Stream.empty())
                            .toList());
        }
    }

    @Test
    void child_fails_parentIsToldWhy() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.run().lineage().depth() > 0) {
                throw new RunFailure("no_colors", "There are none.");
            }
            StartedChild.Outcome outcome =
                    run.child(ChildRun.agent("c", "p", null)).await();
            run.text(outcome.status().code() + " " + outcome.errorCode() + " " + outcome.errorText());
        })) {
            fixture.say("hi");
            RunInfo root = fixture.awaitStatus(RunStatus.SUCCEEDED);

            assertEquals(List.of("failed no_colors There are none."), fixture.messages("assistant"));
            assertEquals(RunStatus.FAILED, fixture.tree(root.id()).get(1).status());
        }
    }

    /** Laws 1 and 3: three runs of a tree write at once. */
    @Test
    void journal_threeRunsOfATreeAtOnce_oneStreamGaplessPerRun() throws Exception {
        int each = 40;
        CountDownLatch together = new CountDownLatch(3);
        try (RunsFixture fixture = new RunsFixture(run -> {
            List<StartedChild> children = run.run().lineage().depth() > 0
                    ? List.of()
                    : List.of(run.child(ChildRun.agent("one", "p", null)), run.child(ChildRun.agent("two", "p", null)));
            together.countDown();
            RunsFixture.await(together);
            for (int i = 1; i <= each; i++) {
                run.journal(Payload.of("{\"n\":" + i + "}"));
            }
            children.forEach(StartedChild::await);
        })) {
            fixture.say("hi");
            fixture.awaitShown(event -> event instanceof RunChanged changed
                    && changed.value().lineage().depth() == 0
                    && changed.value().status() == RunStatus.SUCCEEDED);

            String root = fixture.runs().get(0).id();
            List<StoredEntry> tree = fixture.entries(StreamKey.run(root));
            assertEquals(3 * each, tree.size());
            for (int i = 0; i < tree.size(); i++) {
                assertEquals(i + 1, tree.get(i).position());
            }
            List<RunInfo> runs = fixture.tree(root);
            assertEquals(3, runs.size());
            for (RunInfo run : runs) {
                List<StoredEntry> own =
                        tree.stream().filter(e -> run.id().equals(e.runId())).toList();
                for (int i = 0; i < each; i++) {
                    assertEquals(i + 1, own.get(i).seq());
                    assertEquals("{\"n\":" + (i + 1) + "}", own.get(i).payload().text());
                }
                assertFenced(fixture, root, run);
            }
        }
    }

    /** Law 10: the fence of an ended run refuses for ever, in the tree as in its session. */
    private static void assertFenced(RunsFixture fixture, String root, RunInfo run) {
        NewEntry late = new NewEntry("late", EntryKind.JOURNAL, true, Payload.of("{}"), run.id(), 1);
        for (StreamKey stream : List.of(StreamKey.run(root), RunsFixture.sessionOf(run))) {
            assertThrows(
                    FencedException.class,
                    () -> fixture.tidings
                            .transactions()
                            .run(() -> fixture.tidings.writer().append(stream, late, new RunFence(run.id(), 1))));
            assertThrows(
                    FencedException.class,
                    () -> fixture.tidings
                            .transactions()
                            .run(() -> fixture.tidings.writer().openFence(stream, new RunFence(run.id(), 2))));
        }
    }

    /** Law 10: cancelling a run cancels those below it, however deep, each once. */
    @Test
    void cancel_rootWhileChildrenRun_allEndOnce() throws Exception {
        CountDownLatch deepest = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(nested(3, deepest))) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            RunsFixture.await(deepest);
            String root = fixture.runs().get(0).id();

            assertTrue(fixture.cancel(root));

            assertInstanceOf(TurnResult.Waiting.class, result(turn));
            List<RunInfo> tree = fixture.tree(root);
            assertEquals(4, tree.size());
            for (RunInfo run : tree) {
                assertEquals(RunStatus.CANCELED, run.status());
                assertEquals(1, ends(fixture, run), run.toString());
            }
            assertFalse(fixture.cancel(root), "a second time nothing");
            assertFalse(fixture.cancel(tree.get(2).id()));
            assertFalse(fixture.cancel("nobody"));
            assertEquals(java.util.Set.of(), fixture.openPartials());
        }
    }

    private static AgentRunner nested(int depth, CountDownLatch deepest) {
        return run -> {
            if (run.run().lineage().depth() < depth) {
                run.child(ChildRun.agent("c", "p", null)).await();
            } else {
                deepest.countDown();
                run.pause(java.time.Duration.ofHours(1));
                run.checkCancelled();
            }
        };
    }

    private static long ends(RunsFixture fixture, RunInfo run) {
        return fixture.entries(RunsFixture.sessionOf(run)).stream()
                .filter(entry -> entry.kind() == EntryKind.RUN_FINISHED)
                .count();
    }

    @Test
    void cancel_childOnly_parentIsToldAndGoesOn() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(parentAndChild(run -> {
            run.text("half");
            begun.countDown();
            run.pause(java.time.Duration.ofHours(1));
            run.checkCancelled();
        }))) {
            fixture.say("hi");
            RunsFixture.await(begun);
            String root = fixture.runs().get(0).id();

            assertTrue(fixture.cancel(fixture.tree(root).get(1).id()));
            fixture.awaitRun(root, RunStatus.SUCCEEDED);

            assertEquals(List.of("child canceled: half"), fixture.messages("assistant"));
        }
    }

    @Test
    void child_parentFails_isCancelled() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.run().lineage().depth() > 0) {
                begun.countDown();
                run.pause(java.time.Duration.ofHours(1));
                run.checkCancelled();
                return;
            }
            run.child(ChildRun.agent("c", "p", null));
            RunsFixture.await(begun);
            throw new RunFailure("tired", "I give up.");
        })) {
            assertInstanceOf(TurnResult.Failed.class, result(fixture.say("hi")));
            String root = fixture.runs().get(0).id();
            fixture.awaitRun(fixture.tree(root).get(1).id(), RunStatus.CANCELED);

            assertEquals(RunStatus.FAILED, fixture.run(root).status());
        }
    }

    /** Nobody waits for it, and its parent ended well: it goes on. */
    @Test
    void child_parentEndsWell_goesOn() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.run().lineage().depth() > 0) {
                RunsFixture.await(goOn);
                run.text("late");
                return;
            }
            run.child(ChildRun.agent("c", "p", null));
        })) {
            assertInstanceOf(TurnResult.Ended.class, result(fixture.say("hi")));
            RunInfo child = fixture.tree(fixture.runs().get(0).id()).get(1);
            goOn.countDown();
            fixture.awaitRun(child.id(), RunStatus.SUCCEEDED);
        }
    }

    @Test
    void child_tooDeep_isRefused() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            StartedChild.Outcome outcome =
                    run.child(ChildRun.agent("c", "p", null)).await();
            if (outcome.errorCode() != null) {
                throw new RunFailure(outcome.errorCode(), "passed on");
            }
        })) {
            fixture.say("hi");
            fixture.awaitShown(event -> event instanceof RunChanged changed
                    && changed.value().lineage().depth() == 0
                    && changed.value().status() == RunStatus.FAILED);

            List<RunInfo> tree = fixture.tree(fixture.runs().get(0).id());
            assertEquals(RunContext.MOST_DEPTH + 1, tree.size());
            assertTrue(RunsFixture.details(tree.get(0)).contains("too_deep"));
        }
    }

    @Test
    void cancel_queuedRunBehindAnother_onlyThatOne() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.prompt().equals("first")) {
                RunsFixture.await(goOn);
            }
            run.text("re " + run.prompt());
        })) {
            CompletionStage<TurnResult> first = fixture.say("first");
            TurnResult.Queued second = assertInstanceOf(TurnResult.Queued.class, result(fixture.say("second")));
            TurnResult.Queued third = assertInstanceOf(TurnResult.Queued.class, result(fixture.say("third")));

            assertTrue(fixture.cancel(second.runId()));
            assertFalse(fixture.cancel(second.runId()));
            goOn.countDown();
            result(first);
            fixture.awaitRun(third.runId(), RunStatus.SUCCEEDED);

            assertEquals(List.of("re first", "re third"), fixture.messages("assistant"));
            assertEquals(RunStatus.CANCELED, fixture.run(second.runId()).status());
            assertEquals(3, fixture.entries(EntryKind.RUN_FINISHED).size());
        }
    }

    /** A run that another node works on is asked to end, and its node ends it at its next round. */
    @Test
    void cancel_runOfAnotherNode_endsAtItsNextRound() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RunsFixture owner = new RunsFixture(run -> {
                    run.text("x");
                    RunsFixture.await(never);
                });
                RunsFixture other = new RunsFixture(owner.tidings, run -> {}, RunLimits.DEFAULTS)) {
            CompletionStage<TurnResult> turn = owner.say("hi");
            owner.awaitText("x");
            String run = owner.runs().get(0).id();

            assertTrue(other.cancel(run));
            assertTrue(other.stop(SESSION), "asked again, the same answer");
            assertEquals(RunStatus.RUNNING, owner.run(run).status());
            owner.engine.renewLease();

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            assertFalse(other.cancel(run));
        }
    }

    /** Law 10 across a restart: each run of the tree ends once. */
    @Test
    void recover_treeThatWasCut_eachRunEndsOnce() throws Exception {
        CountDownLatch deepest = new CountDownLatch(1);
        RunsFixture dead = new RunsFixture(run -> {
            run.journal(Payload.of("{}"));
            nested(2, deepest).run(run);
        });
        dead.say("hi");
        RunsFixture.await(deepest);
        String root = dead.runs().get(0).id();
        dead.close();
        for (int restart = 0; restart < 2; restart++) {
            try (RunsFixture node = new RunsFixture(dead.tidings, run -> {}, RunLimits.DEFAULTS)) {
                node.engine.recover();

                List<RunInfo> tree = node.tree(root);
                assertEquals(3, tree.size());
                for (RunInfo run : tree) {
                    assertEquals(RunStatus.FAILED, run.status());
                    assertEquals(1, ends(node, run));
                    assertFalse(RunsFixture.details(run).contains("wait"), "it waits for nothing any more");
                    assertFenced(node, root, run);
                }
                assertEquals(
                        restart == 0 ? 3 : 0,
                        node.words().stream().filter("partial done"::equals).count());
            }
        }
    }

    /** A child that was stored and not begun when its node died has nobody to work for. */
    @Test
    void recover_childQueuedAndParentEnds_isCancelled() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        RunsFixture dead = new RunsFixture(run -> {
            run.text("x");
            RunsFixture.await(never);
        });
        dead.say("hi");
        dead.awaitText("x");
        RunInfo root = dead.runs().get(0);
        dead.close();
        dead.tidings.transactions().run(() -> {
            dead.tidings
                    .directoryWriter()
                    .create(SessionInfo.idle("child-session", "owner", "a", null, root.createdAt()));
            dead.tidings
                    .directoryWriter()
                    .create(new RunInfo(
                            "child",
                            "owner",
                            root.id(),
                            new RunInfo.Lineage(root.id(), null, 1, 0),
                            "agent",
                            "a",
                            "child-session",
                            "agent",
                            "c",
                            RunStatus.QUEUED,
                            null,
                            null,
                            root.createdAt(),
                            null,
                            null,
                            root.createdAt()));
        });
        try (RunsFixture node = new RunsFixture(dead.tidings, run -> {}, RunLimits.DEFAULTS)) {
            node.engine.recover();

            assertEquals(RunStatus.FAILED, node.run(root.id()).status());
            assertEquals(RunStatus.CANCELED, node.run("child").status());
            assertEquals(1, node.entries(StreamKey.session("child-session")).size());
        }
    }
}
