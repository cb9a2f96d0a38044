package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.RunStatus;
import dev.tidings.SessionStatus;
import dev.tidings.StoredEntry;
import dev.tidings.spi.RunFailure;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Law 10: the error of a run is its one terminal event. Law 9: no exception's text is shown. */
class FailureTest {

    @Test
    void run_runFailure_publicTextShownAndStored() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("so far");
            throw new RunFailure("model_unavailable", "The model is away.");
        })) {
            TurnResult.Failed failed = assertInstanceOf(TurnResult.Failed.class, result(fixture.say("hi")));

            assertEquals("model_unavailable", failed.code());
            assertEquals("The model is away.", failed.publicText());
            List<String> words = fixture.words();
            assertEquals(
                    List.of(
                            "partial text so far",
                            "partial usage 0 thinking",
                            "partial done",
                            "assistant: so far",
                            "finished error",
                            "session error",
                            "run failed"),
                    words.subList(words.indexOf("partial text so far"), words.size()));
            StoredEntry end = fixture.entries(EntryKind.RUN_FINISHED).get(0);
            assertEquals(3, end.seq(), "a failed end is numbered");
            assertEquals(
                    "{\"type\":\"error\",\"message\":\"The model is away.\",\"runId\":\"" + failed.runId()
                            + "\",\"code\":\"model_unavailable\"}",
                    end.payload().text());
            assertEquals(
                    "{\"error\":{\"code\":\"model_unavailable\",\"message\":\"The model is away.\"}}",
                    details(fixture).text());
        }
    }

    @Test
    void run_anyException_itsTextIsShownNowhere() throws Exception {
        for (Throwable thrown : List.of(
                new IllegalStateException("secret"),
                new java.io.IOException("secret"),
                new StackOverflowError("secret"))) {
            try (RunsFixture fixture = new RunsFixture(run -> {
                if (thrown instanceof Exception e) {
                    throw e;
                }
                throw (Error) thrown;
            })) {
                TurnResult.Failed failed = assertInstanceOf(TurnResult.Failed.class, result(fixture.say("hi")));

                assertEquals("internal_error", failed.code());
                assertFalse(failed.publicText().contains("secret"));
                for (StoredEntry entry : fixture.entries()) {
                    assertFalse(entry.payload().text().contains("secret"));
                }
                assertFalse(details(fixture).text().contains("secret"));
                assertEquals(SessionStatus.ERROR, fixture.sessionStatus());
                assertTrue(fixture.words().contains("partial done"), "what was opened is closed");
            }
        }
    }

    @Test
    void message_noThreadForTheRunner_endsAsOverloaded() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {})) {
            fixture.quiet();

            TurnResult.Failed failed = assertInstanceOf(TurnResult.Failed.class, result(fixture.say("hi")));

            assertEquals("overloaded", failed.code());
            assertEquals(SessionStatus.ERROR, fixture.sessionStatus());
        }
    }

    private static Payload details(RunsFixture fixture) {
        Payload details = fixture.runs().get(0).details();
        return details == null ? Payload.of("{}") : details;
    }

    @Test
    void message_afterAFailure_runs() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            if (run.prompt().equals("bad")) {
                throw new RunFailure("lone\uD83D", "lone \uD83D");
            }
            run.text("good");
        })) {
            TurnResult.Failed failed = assertInstanceOf(TurnResult.Failed.class, result(fixture.say("bad")));
            assertEquals("lone \uFFFD", failed.publicText());

            assertInstanceOf(TurnResult.Ended.class, result(fixture.say("ok")));

            assertEquals(SessionStatus.IDLE, fixture.sessionStatus());
            assertEquals(Set.of("good"), Set.copyOf(fixture.messages("assistant")));
        }
    }

    /** An error that is no exception ends the run as well, whatever it hit, and the next turn runs. */
    @ParameterizedTest
    @ValueSource(strings = {"first answer", "completed", "runId"})
    void writer_breaksWithAnError_runEndsOnceAndTheNextTurnRuns(String where) throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text(run.prompt() + " answer");
            run.endMessage(null);
            run.text("more of it");
        })) {
            fixture.breakOnce(where);
            result(fixture.say("first"));
            result(fixture.say("second"));
            fixture.awaitRun(fixture.runs().get(1).id(), RunStatus.SUCCEEDED);

            assertEquals(2, fixture.entries(EntryKind.RUN_FINISHED).size());
            assertTrue(fixture.runs().stream().allMatch(run -> run.status().terminal()));
            assertEquals(SessionStatus.IDLE, fixture.sessionStatus());
            assertEquals(java.util.Set.of(), fixture.openPartials());
        }
    }
}
