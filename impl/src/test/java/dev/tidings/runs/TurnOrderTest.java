package dev.tidings.runs;

import static dev.tidings.runs.RunsFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.RunActivity;
import dev.tidings.RunStatus;
import dev.tidings.RunUsage;
import dev.tidings.StoredEntry;
import dev.tidings.event.Signal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Protocols A6: the order within a turn. */
class TurnOrderTest {

    @Test
    void message_textTurn_shownAndStoredInOrder() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("Hel");
            run.text("lo");
            run.usage(new RunUsage(11, 7, 0, 0, 18));
        })) {
            TurnResult.Ended ended = assertInstanceOf(TurnResult.Ended.class, result(fixture.say("hi")));

            assertEquals(
                    List.of(
                            "user: hi",
                            "run queued",
                            "run_started",
                            "session streaming",
                            "run running",
                            "partial usage 0 starting",
                            "partial responding",
                            "partial text Hel",
                            "partial text lo",
                            "partial usage 18 thinking",
                            "partial done",
                            "assistant: Hello",
                            "finished completed",
                            "run succeeded",
                            "session idle"),
                    fixture.words());
            StoredEntry answer = fixture.entries(EntryKind.EVENT).get(1);
            assertEquals(ended.assistantEventId(), answer.id());
            assertEquals(ended.runId(), answer.runId());
            assertEquals(2, answer.seq());
            assertEquals(new RunUsage(11, 7, 0, 0, 18), fixture.runs().get(0).usage());
        }
    }

    /** What was used while nothing was said is shown with the phase, as what ends a message is. */
    @Test
    void usage_withoutText_shownWithThePhase() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.usage(new RunUsage(11, 7, 0, 0, 18));
            run.text("Hello");
        })) {
            result(fixture.say("hi"));
            List<String> words = fixture.words();
            int starting = words.indexOf("partial usage 0 starting");
            assertEquals(
                    List.of("partial usage 18 thinking", "partial responding"),
                    words.subList(starting + 1, starting + 3));
        }
    }

    @Test
    void endMessage_twoMessages_eachStoredWithAPartialOfItsOwn() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("one");
            run.usage(new RunUsage(10, 1, 0, 0, 11));
            run.endMessage(Payload.of("{\"model\":\"m\",\"n\":1.10}"));
            run.activity(RunActivity.of(RunActivity.Phase.TOOL));
            run.text("two");
            run.usage(new RunUsage(30, 2, 0, 0, 32));
            run.endMessage(null);
        })) {
            result(fixture.say("hi"));

            assertEquals(List.of("one", "two"), fixture.messages("assistant"));
            List<String> words = fixture.words();
            assertEquals(
                    List.of(
                            "partial text one",
                            "partial usage 11 thinking",
                            "partial done",
                            "assistant: one",
                            "partial tool",
                            "partial responding",
                            "partial text two",
                            "partial usage 32 thinking",
                            "partial done",
                            "assistant: two",
                            "finished completed",
                            "run succeeded",
                            "session idle"),
                    words.subList(words.indexOf("partial text one"), words.size()));
            List<StoredEntry> events = fixture.entries(EntryKind.EVENT);
            String first = events.get(1).payload().text();
            assertTrue(first.contains("\"meta\":{\"model\":\"m\",\"n\":1.10,\"usage\":{\"input\":10,"), first);
            String second = events.get(2).payload().text();
            assertTrue(second.contains("\"total\":21}"), "the usage of a message is its own: " + second);
            assertNotEquals(events.get(1).id(), events.get(2).id());
        }
    }

    /** Law 12: what was shown of a message adds up to what is stored; both have one id. */
    @Test
    void text_cutAnywhere_deltasAddUpToTheStoredMessage() throws Exception {
        String smile = "\uD83D\uDE00";
        try (RunsFixture fixture = new RunsFixture(run -> {
            run.text("a" + smile.charAt(0));
            run.text("" + smile.charAt(1));
            run.text("");
            run.text("\u0000\uDE00b");
            run.endMessage(null);
            run.text("c\uD83D");
        })) {
            result(fixture.say("hi"));

            Map<String, String> byPartial = fixture.shown().stream()
                    .filter(event -> event instanceof Signal.Partial partial && partial.textDelta() != null)
                    .map(event -> (Signal.Partial) event)
                    .collect(Collectors.toMap(Signal.Partial::partialId, Signal.Partial::textDelta, String::concat));
            Map<String, String> stored = fixture.entries(EntryKind.EVENT).stream()
                    .skip(1)
                    .collect(Collectors.toMap(
                            StoredEntry::id,
                            entry -> entry.payload()
                                    .textMembers(java.util.Set.of("content"))
                                    .get("content")));
            assertEquals(stored, byPartial);
            assertEquals(List.of("a" + smile + "\u0000\uFFFDb", "c\uFFFD"), fixture.messages("assistant"));
        }
    }

    @Test
    void message_silentRunner_noMessageStored() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> run.endMessage(null))) {
            TurnResult.Ended ended = assertInstanceOf(TurnResult.Ended.class, result(fixture.say("hi")));

            assertEquals("", ended.assistantEventId());
            assertEquals(List.of(), fixture.messages("assistant"));
            assertEquals(RunStatus.SUCCEEDED, fixture.runs().get(0).status());
            assertTrue(fixture.words().contains("partial done"), "what was opened is closed");
        }
    }

    @Test
    void endMessage_metaNotAnObject_refusedInTheRunner() throws Exception {
        try (RunsFixture fixture = new RunsFixture(run -> {
            try {
                run.endMessage(Payload.of("[1]"));
            } catch (IllegalArgumentException e) {
                run.text("refused");
            }
        })) {
            result(fixture.say("hi"));

            assertEquals(List.of("refused"), fixture.messages("assistant"));
        }
    }

    @Test
    void context_runnerLooks_knowsRunSessionAgentAndPrompt() throws Exception {
        try (RunsFixture fixture =
                new RunsFixture(run -> run.text(run.run().status().code() + " "
                        + run.session().status().code() + " " + run.agent().id() + " " + run.prompt()))) {
            result(fixture.say("hi"));

            assertEquals(List.of("running streaming a hi"), fixture.messages("assistant"));
        }
    }

    @Test
    void message_unknownSession_throwsAndStoresNothing() {
        try (RunsFixture fixture = new RunsFixture(run -> {})) {
            UserMessage message = new UserMessage("nobody", "hi", Payload.of("{}"), "hi");

            org.junit.jupiter.api.Assertions.assertThrows(
                    dev.tidings.UnknownStreamException.class, () -> fixture.engine.message(message));
            assertEquals(List.of(), fixture.words());
        }
    }
}
