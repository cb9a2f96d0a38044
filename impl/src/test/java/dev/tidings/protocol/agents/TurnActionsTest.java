package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.HttpBench.content;
import static dev.tidings.protocol.agents.HttpBench.decoded;
import static dev.tidings.protocol.agents.HttpBench.map;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StreamKey;
import dev.tidings.UnknownStreamException;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.runs.TurnResult;
import dev.tidings.runs.UserMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TurnActionsTest {
    private static final Signer OWNER = Signer.number(1);
    private static final Signer DELEGATE = Signer.number(2);

    private final HttpBench bench = new HttpBench();
    private final String session = bench.session(OWNER, bench.agent(OWNER));

    private HttpBench.Answer message(Object content) {
        return bench.call(OWNER, "MessageSession", "sessionId", session, "content", content);
    }

    @Test
    void message_turnEnds_answersWithItsLastEvent() {
        HttpBench.Answer answer = bench.done(
                OWNER,
                "MessageSession",
                "sessionId",
                session,
                "content",
                content("CMD:SAY"),
                "clientMessageId",
                "client-1");

        assertEquals(session, answer.text("sessionId"));
        assertEquals("event-1", answer.text("assistantEventId"));
        UserMessage message = bench.runs.messages.get(0);
        assertEquals("CMD:SAY", message.prompt());
        assertEquals("CMD:SAY", message.title());
        assertEquals(
                "{\"type\":\"message\",\"role\":\"user\",\"content\":\"CMD:SAY\",\"rawMarkdown\":\"CMD:SAY\","
                        + "\"clientMessageId\":\"client-1\",\"meta\":{\"accountId\":\"" + OWNER.id()
                        + "\",\"signerId\":\"" + OWNER.id() + "\"}}",
                message.event().text());
    }

    @Test
    void message_byADelegate_namesBoth() {
        bench.tidings.authorize(OWNER.id(), DELEGATE.id());
        byte[] body = EnvelopeFixtures.signed(
                DELEGATE,
                OWNER.principal(),
                EnvelopeFixtures.action(
                        "MessageSession",
                        bench.now(),
                        HttpBench.members("sessionId", session, "content", content("hi"))),
                Map.of());

        assertEquals(200, decoded(bench.http.message(body)).status());

        String event = bench.runs.messages.get(0).event().text();
        assertEquals(
                event,
                event.replaceFirst(
                        "\"meta\":.*",
                        "\"meta\":{\"accountId\":\"" + OWNER.id() + "\",\"signerId\":\"" + DELEGATE.id() + "\"}}"));
    }

    @Test
    void message_severalParts_oneALine() {
        message(content("first", "", "third"));
        assertEquals("first\n\nthird", bench.runs.messages.get(0).prompt());
    }

    @Test
    void message_anyText_survives() {
        String text = "NUL \0, quotes \" \\, line\nend, \ud83d\ude00, " + "x".repeat(100_000);
        message(content(text));
        UserMessage message = bench.runs.messages.get(0);
        assertEquals(text, message.prompt());
        assertEquals("NUL  , quotes \" \\, line", message.title());
        CborValue.MapValue event = (CborValue.MapValue)
                dev.tidings.envelope.DagCbor.fromJson(message.event().toUtf8());
        assertEquals(text, event.text("content").orElseThrow());
    }

    @Test
    void message_wrongContent_namesThePart() {
        message("text").refuses(400, "invalid_field", "content must be a list");
        message(CborValue.list(List.of())).refuses(400, "invalid_field", "content must hold text");
        message(content("")).refuses(400, "invalid_field", "content must hold text");
        message(CborValue.list(List.of(CborValue.text("x")))).refuses(400, "invalid_field", "content[0] must be a map");
        message(CborValue.list(List.of(map("type", "image"))))
                .refuses(400, "invalid_field", "content[0].type must be text");
        message(CborValue.list(List.of(map("type", "text", "text", "x"), map("type", "text", "text", 1))))
                .refuses(400, "invalid_field", "content[1].text must be text");
        assertEquals(List.of(), bench.runs.messages);
    }

    @Test
    void message_behindALiveRun_answersWithoutAnEvent() {
        bench.runs.turn = m -> CompletableFuture.completedFuture(new TurnResult.Queued("run-2"));
        assertEquals("", message(content("hi")).text("assistantEventId"));
    }

    @Test
    void message_turnFails_answersWithThePublicText() {
        bench.runs.turn =
                m -> CompletableFuture.completedFuture(new TurnResult.Failed("run-2", "model_unavailable", "No model"));
        message(content("hi")).refuses(502, "model_unavailable", "No model");
    }

    @Test
    void message_turnGoesOn_answersWhenItEnds() {
        CompletableFuture<TurnResult> turn = new CompletableFuture<>();
        bench.runs.turn = m -> turn;

        CompletableFuture<HttpAnswer> answer = bench.http
                .message(bench.body(OWNER, "MessageSession", "sessionId", session, "content", content("hi")))
                .toCompletableFuture();

        // The only worker is this thread, which is free again.
        assertFalse(answer.isDone());
        turn.complete(new TurnResult.Ended("run-1", "event-9", true));
        assertEquals("event-9", decoded(answer).text("assistantEventId"));
    }

    @Test
    void message_turnLongerThanTheApiWaits_answersWithoutAnEvent() {
        AgentsHttpLimits quick = HttpBench.limits(1 << 20, Duration.ofSeconds(1));
        HttpBench impatient = new HttpBench(quick, Runnable::run, List.of());
        String id = impatient.session(OWNER, impatient.agent(OWNER));
        impatient.runs.turn = m -> new CompletableFuture<>();

        assertEquals(
                "",
                impatient
                        .done(OWNER, "MessageSession", "sessionId", id, "content", content("hi"))
                        .text("assistantEventId"));
    }

    @Test
    void message_sessionDeletedMeanwhile_notFound() {
        bench.runs.turn = m -> {
            throw new UnknownStreamException(StreamKey.session(session));
        };
        message(content("hi")).refuses(404, "session_not_found", "Session not found");
    }

    /** The deletion stopped the turn: what it stored is gone, and nobody is told of it as if it were there. */
    @Test
    void message_sessionDeletedDuringTheTurn_notFoundForWhoAsksAgainToo() {
        CompletableFuture<TurnResult> turn = new CompletableFuture<>();
        bench.runs.turn = m -> turn;
        byte[] body = bench.body(OWNER, "MessageSession", "sessionId", session, "content", content("hi"));
        CompletableFuture<HttpAnswer> answer = bench.http.message(body).toCompletableFuture();
        bench.tidings.transactions().run(() -> bench.tidings.directoryWriter().deleteSession(session));
        turn.complete(new TurnResult.Ended("run-1", "event-9", true));
        decoded(answer).refuses(404, "session_not_found", "Session not found");
        decoded(bench.http.message(body)).refuses(404, "session_not_found", "Session not found");
    }

    /** Law 9: nothing of an exception reaches a peer. */
    @Test
    void message_portBroken_tellsNothing() {
        bench.transactions.fail.set(1);
        message(content("hi")).refuses(500, "internal_error", "The server could not handle the action");
    }

    private boolean stopped(HttpBench.Answer answer) {
        return ((CborValue.BoolValue) answer.members().member("stopped").orElseThrow()).value();
    }

    @Test
    void stop_saysWhetherSomethingRan() {
        assertFalse(stopped(bench.done(OWNER, "StopSession", "sessionId", session)));
        String run = bench.runs.active(session);
        HttpBench.Answer answer = bench.done(OWNER, "StopSession", "sessionId", session);
        assertTrue(stopped(answer));
        assertEquals(session, answer.text("sessionId"));
        assertEquals(List.of(run), bench.runs.cancelled);
    }

    /** Law 11: a stop that comes again does not stop the run after the one that it was for. */
    @Test
    void stop_sameSignatureDuringALaterRun_leavesItAlone() {
        byte[] body = bench.body(OWNER, "StopSession", "sessionId", session);
        String first = bench.runs.active(session);
        assertTrue(stopped(decoded(bench.http.message(body))));
        bench.runs.active(session);
        assertTrue(stopped(decoded(bench.otherNode().http.message(body))));
        assertEquals(List.of(first), bench.runs.cancelled);
    }
}
