package dev.tidings.standalone.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.AgentInfo;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.spi.RunCancelledException;
import dev.tidings.spi.RunContext;
import dev.tidings.spi.RunFailure;
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

        Remembering(String prompt, int cancelAfterPauses) {
            this.prompt = prompt;
            this.cancelAfterPauses = cancelAfterPauses;
        }

        @Override
        public RunInfo run() {
            throw new UnsupportedOperationException();
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
                "/tool x",
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
                "/big 1e3"
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
}
