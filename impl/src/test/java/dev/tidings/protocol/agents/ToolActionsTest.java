package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.HttpBench.decoded;
import static dev.tidings.protocol.agents.HttpBench.map;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tidings.Payload;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.spi.RunFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@code InvokeSessionTool}: a call, then a result, both by the user; once. */
class ToolActionsTest {
    private static final Signer OWNER = Signer.number(1);

    private final HttpBench bench = new HttpBench();
    private final String session = bench.session(OWNER, bench.agent(OWNER));
    private final AtomicInteger uses = new AtomicInteger();

    private HttpBench.Answer invoke(String verb, Object input) {
        return bench.call(OWNER, "InvokeSessionTool", "sessionId", session, "verb", verb, "input", input);
    }

    private List<MapValue> events() {
        return bench.done(OWNER, "GetSession", "sessionId", session).maps("events");
    }

    @Test
    void invoke_toolAnswers_storesCallThenResult() {
        bench.tools = (s, account, verb, input) -> {
            assertEquals(1, events().size());
            return Payload.of("{\"by\":\"" + account + "\",\"verb\":\"" + verb + "\",\"got\":" + input.text() + "}");
        };

        HttpBench.Answer answer = invoke("write", map("address", "a", "big", 1L << 60));

        MapValue output = answer.map("output");
        assertEquals(Optional.of(OWNER.id()), output.text("by"));
        assertFalse(answer.has("error"));
        List<MapValue> events = events();
        assertEquals(2, events.size());
        MapValue call = events.get(0).map("event").orElseThrow();
        MapValue result = events.get(1).map("event").orElseThrow();
        assertEquals(
                List.of("tool_call", "write", "user"),
                List.of(
                        call.text("type").orElseThrow(),
                        call.text("name").orElseThrow(),
                        call.text("actor").orElseThrow()));
        assertEquals(
                List.of("tool_result", "write", "user"),
                List.of(
                        result.text("type").orElseThrow(),
                        result.text("name").orElseThrow(),
                        result.text("actor").orElseThrow()));
        assertEquals(call.text("id"), result.text("toolCallId"));
        assertEquals(Optional.of(output), result.map("output"));
        assertEquals(events.get(1).text("id"), Optional.of(answer.text("resultEventId")));
    }

    @Test
    void invoke_toolFails_errorIsAResult() {
        bench.tools = (s, account, verb, input) -> {
            throw new RunFailure("missing", "Memory file not found: x");
        };
        HttpBench.Answer answer = invoke("read", "x");
        assertEquals(200, answer.status());
        assertEquals("Memory file not found: x", answer.text("error"));
        assertFalse(answer.has("output"));
        assertEquals(
                Optional.of("Memory file not found: x"),
                events().get(1).map("event").orElseThrow().text("error"));
    }

    /** Law 9: nothing of an exception is told, and it is a result all the same. */
    @Test
    void invoke_toolBreaks_saysOnlyThatItFailed() {
        for (Throwable broken : List.of(new IllegalStateException("select secret"), new StackOverflowError("secret"))) {
            bench.tools = (s, account, verb, input) -> {
                if (broken instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) broken;
            };
            assertEquals("The tool failed", invoke("call", CborValue.NULL).text("error"));
        }
    }

    @Test
    void invoke_duringARun_conflictAndNothingStored() {
        String run = bench.runs.active(session);
        invoke("read", "x").refuses(409, "run_active", "A run of this session is active");
        assertEquals(List.of(), events());
        bench.runs.cancel(run);
        assertEquals(200, invoke("read", "x").status());
    }

    @Test
    void invoke_wrongFields_namesThem() {
        invoke("delete", "x").refuses(400, "invalid_field", "verb must be read, write or call");
        bench.call(OWNER, "InvokeSessionTool", "sessionId", session, "verb", "read")
                .refuses(400, "invalid_field", "input is required");
    }

    /** Law 11: however often it comes, on whichever node, the tool works once. */
    @Test
    void invoke_sameSignature_toolWorksOnce() {
        bench.tools = (s, account, verb, input) -> {
            uses.incrementAndGet();
            return input;
        };
        byte[] body = bench.body(OWNER, "InvokeSessionTool", "sessionId", session, "verb", "write", "input", "x");
        HttpBench.Answer first = decoded(bench.http.message(body));
        assertEquals(first, decoded(bench.http.message(body)));
        assertEquals(first, decoded(bench.otherNode().http.message(body)));
        assertEquals(1, uses.get());
        assertEquals(2, events().size());
    }

    /** The answer to the commit of the result is lost, and its receipt is found. */
    @Test
    void invoke_commitOfTheResultLost_firstAnswerIsFound() {
        bench.tools = (s, account, verb, input) -> {
            uses.incrementAndGet();
            bench.transactions.loseAnswers.set(1);
            return input;
        };
        byte[] body = bench.body(OWNER, "InvokeSessionTool", "sessionId", session, "verb", "write", "input", "x");
        assertEquals(200, decoded(bench.http.message(body)).status());
        assertEquals(2, events().size());
        assertEquals(1, uses.get());
    }

    /** A node that ends while the tool works: whoever asks again later gets a result, and the tool is left alone. */
    @Test
    void invoke_cutByTheNodesEnd_endsAsInterruptedWithoutASecondUse() {
        byte[] body = bench.body(OWNER, "InvokeSessionTool", "sessionId", session, "verb", "write", "input", "x");
        HttpBench next = bench.otherNode(HttpBench.limits(1 << 20, Duration.ofSeconds(1)), List.of());
        next.tools = (s, account, verb, input) -> {
            throw new AssertionError("a second use");
        };
        List<HttpBench.Answer> told = new ArrayList<>();
        bench.tools = (s, account, verb, input) -> {
            uses.incrementAndGet();
            next.pass(Duration.ofSeconds(2));
            told.add(decoded(next.http.message(body)));
            return input;
        };

        HttpBench.Answer late = decoded(bench.http.message(body));

        assertEquals("The tool was interrupted", told.get(0).text("error"));
        // The first was not dead after all: it gives the answer that is on record, and stores nothing more.
        assertEquals(told.get(0), late);
        assertEquals(2, events().size());
        assertEquals(1, uses.get());
    }
}
