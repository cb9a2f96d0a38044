package dev.tidings.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.Approval;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.spi.ChildRun;
import dev.tidings.spi.RunCancelledException;
import dev.tidings.spi.RunContext;
import dev.tidings.spi.RunFailure;
import dev.tidings.spi.RunPlan;
import dev.tidings.spi.StartedChild;
import dev.tidings.spi.ToolCall;
import dev.tidings.spi.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoAgentTest {

    /** A run that only remembers. Confined: one test. */
    private static final class Remembering implements RunContext {
        private final String prompt;
        private final int cancelAfterPauses;
        final List<String> deltas = new ArrayList<>();
        final List<Duration> pauses = new ArrayList<>();
        final List<String> messages = new ArrayList<>();
        final List<String> did = new ArrayList<>();
        private Approval.Status decision = Approval.Status.GRANTED;

        Remembering(String prompt, int cancelAfterPauses) {
            this.prompt = prompt;
            this.cancelAfterPauses = cancelAfterPauses;
        }

        @Override
        public RunInfo run() {
            return new RunInfo(
                    "r",
                    "owner",
                    "r",
                    RunInfo.Lineage.ROOT,
                    "agent",
                    "a",
                    "s",
                    "user",
                    "t",
                    RunStatus.RUNNING,
                    null,
                    null,
                    1,
                    1L,
                    null,
                    1);
        }

        @Override
        public SessionInfo session() {
            throw new UnsupportedOperationException();
        }

        @Override
        public AgentInfo agent() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String prompt() {
            return prompt;
        }

        @Override
        public void text(String delta) {
            checkCancelled();
            deltas.add(delta);
        }

        @Override
        public void activity(RunActivity activity) {
            checkCancelled();
        }

        @Override
        public void usage(RunUsage usage) {
            checkCancelled();
        }

        @Override
        public void endMessage(@Nullable Payload meta) {
            checkCancelled();
            messages.add(String.join("", deltas));
        }

        @Override
        public void toolCall(ToolCall call) {
            did.add("call " + call.name() + " " + call.input().text());
        }

        @Override
        public void toolProgress(ToolCall call, @Nullable String detail, @Nullable String outputTail) {
            did.add(detail + ": " + outputTail);
        }

        @Override
        public void toolResult(ToolResult result) {
            did.add("result " + (result.output() == null ? "" : result.output().text()));
        }

        @Override
        public Approval.Status approval(String toolCallId, String name, Payload input) {
            did.add("may " + name + "?");
            return decision;
        }

        @Override
        public void progress(String label, @Nullable Double fraction) {
            did.add(label + " " + fraction);
        }

        @Override
        public void journal(Payload entry) {
            did.add(entry.text());
        }

        @Override
        public void plan(RunPlan plan) {
            did.add(plan.steps().stream()
                    .map(step -> step.status().code())
                    .toList()
                    .toString());
        }

        @Override
        public StartedChild child(ChildRun child) {
            did.add("child " + child.title() + ": " + child.prompt());
            return new StartedChild() {
                @Override
                public String runId() {
                    return "r2";
                }

                @Override
                public String sessionId() {
                    return "s2";
                }

                @Override
                public Outcome await() {
                    return new Outcome(RunStatus.SUCCEEDED, "yes \"sir\"", null, null);
                }
            };
        }

        @Override
        public boolean cancelled() {
            return pauses.size() >= cancelAfterPauses;
        }

        @Override
        public void checkCancelled() {
            if (cancelled()) {
                throw new RunCancelledException();
            }
        }

        @Override
        public void pause(Duration time) {
            pauses.add(time);
        }
    }

    private static Remembering answer(String prompt) {
        Remembering run = new Remembering(prompt, Integer.MAX_VALUE);
        new DemoAgent().run(run);
        return run;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "hello, world: a somewhat longer sentence",
                "  spaces and\nlines \u0000 stay ",
                "\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00",
                "/unknown command",
                "/tools x",
                "/streams 1 1",
                "not a /fail"
            })
    void text_any_echoedInAboutEightDeltas(String prompt) {
        Remembering run = answer(prompt);

        assertEquals(List.of(prompt), run.messages);
        assertTrue(run.deltas.size() <= 9, () -> "deltas " + run.deltas.size());
        assertTrue(run.deltas.size() >= Math.min(5, prompt.codePointCount(0, prompt.length())));
        for (String delta : run.deltas) {
            assertTrue(!Character.isHighSurrogate(delta.charAt(delta.length() - 1)), "cut within a character");
        }
    }

    @Test
    void text_empty_answered() {
        assertEquals(List.of("You said nothing."), answer("").messages);
    }

    @Test
    void stream_sizesAndPauses_asAsked() {
        Remembering run = answer("/stream 3 5 40");

        assertEquals(List.of("aaaaa", "bbbbb", "ccccc"), run.deltas);
        assertEquals(List.of(Duration.ofMillis(40), Duration.ofMillis(40)), run.pauses);
        assertEquals(List.of("aaaaabbbbbccccc"), run.messages);
    }

    @Test
    void stream_withoutMillis_doesNotPause() {
        Remembering run = answer("/stream 1000 2");

        assertEquals(1000, run.deltas.size());
        assertEquals(List.of(), run.pauses);
    }

    @Test
    void stream_cancelled_stopsAtOnce() {
        Remembering run = new Remembering("/stream 100 1 10", 3);

        assertThrows(RunCancelledException.class, () -> new DemoAgent().run(run));
        assertEquals(3, run.deltas.size());
    }

    @Test
    void slow_pausesThenEchoes() {
        Remembering run = answer("/slow 250");

        assertEquals(List.of(Duration.ofMillis(250)), run.pauses);
        assertEquals(List.of("/slow 250"), run.messages);
    }

    @Test
    void slow_cancelled_saysNothing() {
        Remembering run = new Remembering("/slow 250", 1);

        assertThrows(RunCancelledException.class, () -> new DemoAgent().run(run));
        assertEquals(List.of(), run.deltas);
    }

    @Test
    void fail_always_publicFailure() {
        RunFailure failure = assertThrows(RunFailure.class, () -> answer("/fail"));

        assertEquals("demo_failure", failure.code());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16 * 1024, 16 * 1024 + 1, 100_000, 8 * 1024 * 1024})
    void big_anySize_oneMessageOfThatSize(int bytes) {
        Remembering run = answer("/big " + bytes);

        assertEquals(1, run.messages.size());
        assertEquals(bytes, run.messages.get(0).length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/stream",
                "/stream 1",
                "/stream 0 1",
                "/stream 1 2 3 4",
                "/stream 1 65537",
                "/stream -1 1",
                "/stream 99999999999 1",
                "/stream 1 1 60001",
                "/stream \u0661 1",
                "/slow",
                "/slow soon",
                "/fail now",
                "/big 0",
                "/big 8388609",
                "/big 1e3",
                "/tool",
                "/child  ",
                "/journal 0",
                "/plan 101"
            })
    void command_wrongArguments_toldHowToUseIt(String prompt) {
        Remembering run = answer(prompt);

        assertEquals(1, run.messages.size());
        assertTrue(run.messages.get(0).startsWith("Use it like this: /"), run.messages.get(0));
        assertEquals(List.of(), run.pauses);
    }

    @Test
    void stream_tooMuchInAll_told() {
        assertEquals(List.of("N times SIZE is at most 8388608."), answer("/stream 100000 65536").messages);
    }

    @Test
    void tool_granted_reportsAndRuns() {
        Remembering run = answer("/tool rm \"x\"");

        assertEquals("may rm \"x\"?", run.did.get(0));
        assertEquals("call rm \"x\" {\"name\":\"rm \\\"x\\\"\"}", run.did.get(1));
        assertEquals("rm \"x\", step 1 0.25", run.did.get(2));
        assertEquals("step 2: step 1 of 4\nstep 2 of 4\n", run.did.get(5));
        assertTrue(run.did.get(10).startsWith("result {\"steps\":4,"));
        assertEquals(List.of("rm \"x\" has run."), run.messages);
    }

    @Test
    void tool_denied_doesNotRun() {
        Remembering run = new Remembering("/tool rm", Integer.MAX_VALUE);
        run.decision = Approval.Status.DENIED;
        new DemoAgent().run(run);

        assertEquals(List.of("may rm?"), run.did);
        assertEquals(List.of("rm did not run: denied."), run.messages);
    }

    @Test
    void child_anyText_handedOnAndPassedOn() {
        Remembering run = answer("/child /slow 1");

        assertEquals("call delegate {\"title\":\"/slow 1\",\"brief\":\"/slow 1\"}", run.did.get(0));
        assertEquals("child /slow 1: /slow 1", run.did.get(1));
        assertEquals(
                "result {\"status\":\"succeeded\",\"runId\":\"r2\",\"sessionId\":\"s2\","
                        + "\"output\":{\"text\":\"yes \\\"sir\\\"\"}}",
                run.did.get(2));
        assertEquals(List.of("The child said: yes \"sir\""), run.messages);
    }

    @Test
    void journal_entries_withProgress() {
        Remembering run = answer("/journal 2");

        assertEquals(
                List.of(
                        "entry 1 of 2 0.5",
                        "{\"kind\":\"note\",\"n\":1,\"of\":2}",
                        "entry 2 of 2 1.0",
                        "{\"kind\":\"note\",\"n\":2,\"of\":2}"),
                run.did);
    }

    @Test
    void plan_steps_workedOff() {
        assertEquals(List.of("[running, pending]", "[done, running]", "[done, done]"), answer("/plan 2").did);
    }
}
