package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.SESSION;
import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunUsage;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.RunChanged;
import dev.tidings.event.SessionChanged;
import dev.tidings.event.Signal;
import dev.tidings.spi.RunFailure;
import dev.tidings.spi.RunPlan;
import dev.tidings.spi.ToolCall;
import dev.tidings.spi.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Protocols A6: tools, journals, progress and plans within a turn. */
class ToolTest {

    private static final ToolCall CALL = new ToolCall("call-1", "search", Payload.of("{\"n\":1.10}"), "looking");

    /** A tool goes on working when its run says what it used. */
    @Test
    void usage_whileAToolWorks_leavesThePhaseAlone() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.toolCall(CALL);
            run.usage(new RunUsage(1, 2, 0, 0, 3));
            run.toolResult(ToolResult.of(CALL, Payload.of("1")));
        })) {
            result(fixture.say("hi"));
            List<String> words = fixture.words();
            int call = words.indexOf("tool_call");
            assertEquals(List.of("partial usage 3", "partial thinking"), words.subList(call + 1, call + 3));
        }
    }

    @Test
    void tool_withTextBeforeAndBehind_shownAndStoredInOrder() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("I look.");
            run.toolCall(CALL);
            run.toolProgress(CALL, "half", "line 1\nline 2");
            run.toolResult(ToolResult.of(CALL, Payload.of("18446744073709551615")));
            run.text("Found.");
            run.usage(new RunUsage(1, 2, 0, 0, 3));
        })) {
            result(fixture.say("hi"));

            List<String> words = fixture.words();
            assertEquals(
                    List.of(
                            "partial text I look.",
                            "partial usage 0 thinking",
                            "partial done",
                            "assistant: I look.",
                            "partial tool search",
                            "tool_call",
                            "partial tool search",
                            "partial thinking",
                            "tool_result",
                            "partial responding",
                            "partial text Found.",
                            "partial usage 3 thinking",
                            "partial done",
                            "assistant: Found.",
                            "finished completed",
                            "run succeeded",
                            "session idle"),
                    words.subList(words.indexOf("partial text I look."), words.size()));
            List<StoredEntry> events = fixture.entries(EntryKind.EVENT);
            assertEquals(
                    List.of(1L, 2L, 3L, 4L, 5L),
                    events.stream().map(StoredEntry::seq).toList());
            assertEquals(
                    "{\"type\":\"tool_call\",\"id\":\"call-1\",\"name\":\"search\",\"input\":{\"n\":1.10}}",
                    events.get(2).payload().text());
            assertEquals(
                    "{\"type\":\"tool_result\",\"toolCallId\":\"call-1\",\"name\":\"search\","
                            + "\"output\":18446744073709551615}",
                    events.get(3).payload().text());
            RunActivity tail = fixture.shown().stream()
                    .filter(event -> event instanceof Signal.Partial p
                            && p.activity() != null
                            && p.activity().outputTail() != null)
                    .map(event -> ((Signal.Partial) event).activity())
                    .findFirst()
                    .orElseThrow();
            assertEquals(new RunActivity(RunActivity.Phase.TOOL, "search", "call-1", "half", "line 1\nline 2"), tail);
        }
    }

    @Test
    void tool_withoutText_onePartialForTheTurn() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.toolCall(CALL);
            run.toolResult(ToolResult.failed(CALL, "not there"));
            run.text("No.");
        })) {
            result(fixture.say("hi"));

            List<String> words = fixture.words();
            assertEquals(
                    List.of(
                            "partial usage 0 starting",
                            "partial tool search",
                            "tool_call",
                            "partial thinking",
                            "tool_result",
                            "partial responding",
                            "partial text No.",
                            "partial usage 0 thinking",
                            "partial done",
                            "assistant: No."),
                    words.subList(words.indexOf("partial usage 0 starting"), words.indexOf("finished completed")));
            assertEquals(
                    1,
                    fixture.shown().stream()
                            .filter(event -> event instanceof Signal.Partial)
                            .map(event -> ((Signal.Partial) event).partialId())
                            .distinct()
                            .count());
            assertTrue(fixture.entries().stream()
                    .anyMatch(entry -> entry.payload().text().contains("\"error\":\"not there\"")));
        }
    }

    /** Law 10: cancelled within a tool: what was opened is closed, and no result comes behind the end. */
    @Test
    void stop_inATool_partialIsClosedAndTheEndIsNext() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.toolCall(CALL);
            run.progress("waits", null);
            RunsFixture.await(never);
        })) {
            CompletionStage<TurnResult> turn = fixture.say("hi");
            fixture.awaitShown(event -> event instanceof Signal.Progress);

            assertTrue(fixture.stop(SESSION));

            assertTrue(assertInstanceOf(TurnResult.Ended.class, result(turn)).canceled());
            assertEquals(java.util.Set.of(), fixture.openPartials());
            List<EntryKind> kinds =
                    fixture.entries().stream().map(StoredEntry::kind).toList();
            assertEquals(
                    List.of(EntryKind.EVENT, EntryKind.RUN_STARTED, EntryKind.EVENT, EntryKind.RUN_FINISHED), kinds);
            assertFalse(fixture.stop(SESSION));
        }
    }

    @Test
    void journal_numberedInTheTreeWithProgressBetween() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            for (int i = 1; i <= 3; i++) {
                run.progress("step " + i, i / 3.0);
                run.journal(Payload.of("{\"step\":" + i + "}"));
            }
        })) {
            TurnResult.Ended ended = assertInstanceOf(TurnResult.Ended.class, result(fixture.say("hi")));

            List<StoredEntry> journal = fixture.entries(StreamKey.run(ended.runId()));
            assertEquals(
                    List.of(1L, 2L, 3L), journal.stream().map(StoredEntry::seq).toList());
            assertEquals("{\"step\":3}", journal.get(2).payload().text());
            assertTrue(journal.stream()
                    .allMatch(
                            e -> e.kind() == EntryKind.JOURNAL && ended.runId().equals(e.runId())));
            List<Signal.Progress> progress = fixture.shown().stream()
                    .filter(event -> event instanceof Signal.Progress)
                    .map(event -> (Signal.Progress) event)
                    .toList();
            assertEquals(3, progress.size());
            assertEquals("step 2", progress.get(1).label());
            assertEquals(1.0, progress.get(2).fraction());
            assertEquals(ended.runId(), progress.get(0).rootRunId());
        }
    }

    @Test
    void plan_storedInTheRunAndItsSession() throws Exception {
        List<String> told = new ArrayList<>();
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.plan(plan(RunPlan.Status.RUNNING));
            run.plan(plan(RunPlan.Status.DONE));
        })) {
            TurnResult.Ended ended = assertInstanceOf(TurnResult.Ended.class, result(fixture.say("hi")));

            Payload plan = fixture.tidings
                    .directory()
                    .session(SESSION)
                    .orElseThrow()
                    .value()
                    .plan();
            String stored = plan == null ? "" : plan.text();
            assertTrue(
                    stored.startsWith("{\"title\":\"Plan\",\"steps\":[{\"id\":\"1\",\"label\":\"first\","
                            + "\"status\":\"done\"}],\"ownerRunId\":\"" + ended.runId() + "\",\"settledAt\":"),
                    stored);
            assertEquals("{\"plan\":" + stored + "}", RunsFixture.details(fixture.run(ended.runId())));
            for (Object event : fixture.shown()) {
                if (event instanceof SessionChanged changed && changed.value().plan() != null) {
                    told.add("session " + settled(changed.value().plan()));
                } else if (event instanceof RunChanged changed
                        && changed.value().details() != null) {
                    told.add("run " + settled(changed.value().details()));
                }
            }
            assertEquals(List.of("session false", "run false", "session true", "run true"), told.subList(0, 4));
        }
    }

    private static RunPlan plan(RunPlan.Status status) {
        return new RunPlan("Plan", List.of(new RunPlan.Step("1", "first", status, null)));
    }

    private static boolean settled(@Nullable Payload plan) {
        return plan != null && plan.text().contains("settledAt");
    }

    /** Law 4: the message in progress is bounded. */
    @Test
    void text_messageTooLarge_runFailsWithTheTextSoFar() throws Exception {
        List<String> codes = new ArrayList<>();
        CountDownLatch thrown = new CountDownLatch(1);
        RunLimits limits = new RunLimits(
                1 << 20,
                8192,
                Duration.ofMinutes(10),
                false,
                Duration.ZERO,
                Duration.ofSeconds(30),
                Duration.ofMillis(1),
                Duration.ofMillis(5),
                Duration.ofSeconds(20));
        try (RunsFixture store = new RunsFixture(run -> {});
                RunsFixture fixture = new RunsFixture(
                        store.tidings,
                        run -> {
                            run.text("x".repeat(limits.maxMessageBytes() - 3));
                            run.endMessage(null);
                            run.text("\u20AC".repeat(1000));
                            run.text("\u20AC".repeat(1000));
                            try {
                                run.text("\u20AC".repeat(1000));
                            } catch (RunFailure e) {
                                codes.add(e.code());
                            }
                            thrown.countDown();
                            run.text("more");
                        },
                        limits)) {
            TurnResult.Failed failed = assertInstanceOf(TurnResult.Failed.class, result(fixture.say("hi")));

            RunsFixture.await(thrown);
            assertEquals("message_too_large", failed.code());
            assertEquals(List.of("message_too_large"), codes);
            assertEquals(
                    List.of(limits.maxMessageBytes() - 3, 2000),
                    fixture.messages("assistant").stream().map(String::length).toList());
            assertEquals(SessionStatus.ERROR, fixture.sessionStatus());
            assertEquals(java.util.Set.of(), fixture.openPartials());
        }
    }
}
