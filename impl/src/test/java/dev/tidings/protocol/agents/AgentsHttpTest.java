package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.HttpBench.content;
import static dev.tidings.protocol.agents.HttpBench.decoded;
import static dev.tidings.protocol.agents.HttpBench.map;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.IncomingBody;
import dev.tidings.runs.TurnResult;
import dev.tidings.spi.NodeHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AgentsHttpTest {
    private static final Signer OWNER = Signer.number(1);

    private final HttpBench bench = new HttpBench();

    @Test
    void message_notCanonical_refused() {
        HttpBench.Answer answer = decoded(bench.http.message(new byte[] {(byte) 0xbf, (byte) 0xff}));
        answer.refuses(400, "not_canonical", "Invalid CBOR request");
        decoded(bench.http.message(new byte[0])).refuses(400, "not_canonical", "Invalid CBOR request");
    }

    @Test
    void message_envelopeFails_refusedWithTheStatusOfItsCheck() {
        decoded(bench.http.message(new byte[] {1})).refuses(401, "invalid_envelope", "Invalid envelope");
        byte[] forged = bench.body(OWNER, "ListAgents");
        forged[forged.length - 1] ^= 1;
        assertTrue(
                List.of(400, 401).contains(decoded(bench.http.message(forged)).status()));

        byte[] old = bench.body(OWNER, "ListAgents");
        bench.pass(Duration.ofMinutes(6));
        HttpBench.Answer late = decoded(bench.http.message(old));
        late.refuses(401, "clock_window", "Action timestamp is outside allowed window");
        assertEquals(bench.now(), late.number("serverTime"));
    }

    @Test
    void message_signerOfAnother_needsAnAuthorisation() {
        Signer delegate = Signer.number(2);
        byte[] body = EnvelopeFixtures.signed(
                delegate,
                OWNER.principal(),
                EnvelopeFixtures.action("ListAgents", bench.now(), java.util.Map.of()),
                java.util.Map.of());
        decoded(bench.http.message(body)).refuses(401, "signer_not_authorized", "Signer is not authorized for account");
        bench.tidings.authorize(OWNER.id(), delegate.id());
        assertEquals(200, decoded(bench.http.message(body)).status());
    }

    @Test
    void message_unknownAction_refused() {
        bench.call(OWNER, "Subscribe", "key", "x").refuses(400, "unknown_action", "Unknown action");
    }

    @Test
    void refuseUnread_contentTypeAndLength_checkedBeforeTheBody() {
        for (String type : new String[] {null, "", "application/json", "application/cbor-seq", "text/plain"}) {
            decoded(bench.http.refuseUnread(type, 5).orElseThrow())
                    .refuses(415, "unsupported_media_type", "The content type must be application/cbor");
        }
        for (String type : List.of("application/cbor", "Application/CBOR; charset=x", " application/cbor ;")) {
            assertEquals(Optional.empty(), bench.http.refuseUnread(type, 1 << 20));
        }
        decoded(bench.http.refuseUnread("application/cbor", (1 << 20) + 1).orElseThrow())
                .refuses(413, "message_too_large", "The message is too large");
        assertEquals(Optional.empty(), bench.http.refuseUnread("application/cbor", -1));
    }

    @Test
    void message_atTheLimit_handledOneMoreRefused() {
        byte[] shell = bench.body(OWNER, "CreateAgent", "definition", map("name", "A"), "pad", "");
        int room = (1 << 20) - shell.length - 4;
        byte[] largest = bench.body(OWNER, "CreateAgent", "definition", map("name", "A"), "pad", "x".repeat(room));
        assertEquals(1 << 20, largest.length);
        assertEquals(200, decoded(bench.http.message(largest)).status());
        byte[] larger = bench.body(OWNER, "CreateAgent", "definition", map("name", "A"), "pad", "x".repeat(room + 1));
        decoded(bench.http.message(larger)).refuses(413, "message_too_large", "The message is too large");
        assertEquals(0, bench.http.exchanges().bodies().taken());
    }

    /** Law 4: lists of agents carry definitions whole, so one has a bound. */
    @Test
    void createAgent_hugeDefinition_isRefused() {
        byte[] huge = bench.body(OWNER, "CreateAgent", "definition", map("name", "A", "pad", "x".repeat(64 << 10)));
        decoded(bench.http.message(huge)).refuses(400, "invalid_field", "definition has more than 65536 bytes as JSON");
    }

    @Test
    void incoming_inPieces_sameAsWhole() {
        byte[] body = bench.body(OWNER, "CreateAgent", "definition", map("name", "A", "pad", "x".repeat(30_000)));
        IncomingBody message = bench.http.incoming();
        for (int at = 0; at < body.length; at += 7000) {
            byte[] piece = java.util.Arrays.copyOfRange(body, at, Math.min(body.length, at + 7000));
            assertEquals(Optional.empty(), message.add(piece, piece.length));
        }
        assertTrue(bench.http.exchanges().bodies().taken() >= body.length);
        assertEquals(200, decoded(message.end()).status());
        assertEquals(0, bench.http.exchanges().bodies().taken());
    }

    /** Law 4: what all bodies hold together is bounded. */
    @Test
    void incoming_tooMuchInAll_refusedAndReleased() {
        AgentsHttpLimits tight = HttpBench.limits(1 << 20, Duration.ofMinutes(1));
        HttpBench narrow = new HttpBench(tight, Runnable::run, List.of());
        IncomingBody first = narrow.http.incoming();
        first.add(new byte[800_000], 800_000);
        IncomingBody second = narrow.http.incoming();
        decoded(second.add(new byte[800_000], 800_000).orElseThrow())
                .refuses(503, "busy", "The server has too much to do");
        first.abandon();
        assertEquals(0, narrow.http.exchanges().bodies().taken());
        assertEquals(Optional.empty(), second.add(new byte[800_000], 800_000));
    }

    @Test
    void message_workersRefuse_busy() {
        HttpBench full = new HttpBench(
                HttpBench.LIMITS,
                work -> {
                    throw new RejectedExecutionException();
                },
                List.of());
        full.call(OWNER, "ListAgents").refuses(503, "busy", "The server has too much to do");
        assertEquals(0, full.http.exchanges().bodies().taken());
        assertEquals(503, full.http.health().toCompletableFuture().join().status());
        assertEquals(
                NodeHealth.State.UNAVAILABLE,
                full.http.state().toCompletableFuture().join());
    }

    /** Law 4: a pool that cannot start a thread says so with an error; nothing is held for it, and health comes back. */
    @Test
    void message_noThread_busyAndNothingHeld() {
        boolean[] none = {true};
        HttpBench full = new HttpBench(
                HttpBench.LIMITS,
                work -> {
                    if (none[0]) {
                        throw new InternalError("secret");
                    }
                    work.run();
                },
                List.of());
        full.call(OWNER, "ListAgents").refuses(503, "busy", "The server has too much to do");
        assertEquals(0, full.http.exchanges().bodies().taken());
        assertEquals(
                NodeHealth.State.UNAVAILABLE,
                full.http.state().toCompletableFuture().join());
        none[0] = false;
        assertEquals(
                NodeHealth.State.READY, full.http.state().toCompletableFuture().join());
        assertEquals(
                200, decoded(full.http.message(full.body(OWNER, "ListAgents"))).status());
    }

    /** Likewise behind the verification. */
    @Test
    void message_noThreadBehindTheVerification_busyAndNothingHeld() {
        List<Runnable> handed = new ArrayList<>();
        boolean[] none = {false};
        HttpBench filling = new HttpBench(
                HttpBench.LIMITS,
                work -> {
                    if (none[0]) {
                        throw new InternalError("secret");
                    }
                    handed.add(work);
                },
                List.of());
        CompletionStage<HttpAnswer> answer = filling.http.message(filling.body(OWNER, "ListAgents"));
        none[0] = true;
        handed.remove(0).run();
        assertEquals(503, decoded(answer).status());
        assertEquals(0, filling.http.exchanges().bodies().taken());
    }

    /** Law 11: the same signature gets the first answer, never a second effect. */
    @Test
    void message_sameSignatureAgain_firstAnswerNoSecondEffect() {
        byte[] body = bench.body(OWNER, "CreateAgent", "definition", map("name", "A"));
        HttpAnswer first = bench.http.message(body).toCompletableFuture().join();
        bench.pass(Duration.ofMinutes(4));
        HttpAnswer again = bench.http.message(body).toCompletableFuture().join();

        assertArrayEquals(first.body(), again.body());
        assertEquals(1, bench.agentsOf(OWNER));
        assertEquals(List.of("agent-created " + OWNER.id()), bench.hints());
    }

    /** Law 11, while the first is still under way. */
    @Test
    void message_sameSignatureDuringTheTurn_oneTurnTwoAnswers() {
        String session = bench.session(OWNER, bench.agent(OWNER));
        CompletableFuture<TurnResult> turn = new CompletableFuture<>();
        bench.runs.turn = m -> turn;
        byte[] body = bench.body(OWNER, "MessageSession", "sessionId", session, "content", content("hi"));

        CompletionStage<HttpAnswer> first = bench.http.message(body);
        CompletionStage<HttpAnswer> again = bench.http.message(body);
        turn.complete(new TurnResult.Ended("run-1", "event-7", false));

        assertEquals("event-7", decoded(first).text("assistantEventId"));
        assertEquals("event-7", decoded(again).text("assistantEventId"));
        assertEquals(1, bench.runs.messages.size());
    }

    /** Law 11, by eight at once. */
    @Test
    void message_sameSignatureByManyAtOnce_oneEffect() throws Exception {
        int many = 8;
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            byte[] body = bench.body(OWNER, "CreateAgent", "definition", map("name", "A"));
            CyclicBarrier together = new CyclicBarrier(many);
            List<Future<HttpBench.Answer>> answers = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                answers.add(threads.submit(() -> {
                    together.await(10, TimeUnit.SECONDS);
                    return decoded(bench.http.message(body));
                }));
            }
            HttpBench.Answer first = answers.get(0).get(10, TimeUnit.SECONDS);
            for (Future<HttpBench.Answer> answer : answers) {
                assertEquals(first, answer.get(10, TimeUnit.SECONDS));
            }
            assertEquals(1, bench.agentsOf(OWNER));
        } finally {
            threads.shutdownNow();
        }
    }

    /** Law 6 beats law 11 where nothing is done: what is read again is checked again. */
    @Test
    void message_readAgainAfterRemoval_notFound() {
        Signer reader = Signer.number(2);
        String agent = bench.agent(OWNER);
        String session = bench.session(OWNER, agent);
        bench.invite(OWNER, agent, reader, "reader");
        bench.accept(reader, agent);
        byte[] body = bench.body(reader, "GetSession", "sessionId", session);
        assertEquals(200, decoded(bench.http.message(body)).status());

        bench.done(OWNER, "RemoveAgentCollaborator", "agentId", agent, "accountId", reader.id());

        decoded(bench.http.message(body)).refuses(404, "session_not_found", "Session not found");
    }

    @Test
    void message_sameClientId_firstAnswerOrConflict() {
        Object[] action = {"definition", map("name", "A"), "clientRequestId", "r1"};
        String first = bench.done(OWNER, "CreateAgent", action).text("agentId");
        assertEquals(first, bench.done(OWNER, "CreateAgent", action).text("agentId"));
        bench.call(OWNER, "CreateAgent", "definition", map("name", "B"), "clientRequestId", "r1")
                .refuses(409, "client_id_reused", "The client id was used for another action");

        Signer other = Signer.number(2);
        assertFalse(first.equals(bench.done(other, "CreateAgent", action).text("agentId")));
        String one = bench.done(OWNER, "CreateSession", "agentId", first, "clientRequestId", "r1")
                .text("sessionId");
        assertEquals(
                one,
                bench.done(OWNER, "CreateSession", "agentId", first, "clientRequestId", "r1")
                        .text("sessionId"));
        assertEquals(1, bench.agentsOf(OWNER));
    }

    @Test
    void message_sameClientMessageId_oneTurnASession() {
        String agent = bench.agent(OWNER);
        String one = bench.session(OWNER, agent);
        String two = bench.session(OWNER, agent);
        for (String session : List.of(one, one, two)) {
            bench.done(
                    OWNER,
                    "MessageSession",
                    "sessionId",
                    session,
                    "content",
                    content("hi"),
                    "clientMessageId",
                    "client-1");
        }
        assertEquals(
                List.of(one, two),
                bench.runs.messages.stream().map(m -> m.sessionId()).toList());
    }

    @Test
    void message_clientIdAfterARefusal_mayTryAgain() {
        String agent = bench.agent(OWNER);
        Signer writer = Signer.number(2);
        Object[] action = {"agentId", agent, "clientRequestId", "r1"};
        assertEquals(404, bench.call(writer, "CreateSession", action).status());
        bench.invite(OWNER, agent, writer, "writer");
        bench.accept(writer, agent);
        bench.done(writer, "CreateSession", action);
    }

    private record Replacing(String name) implements ActionHandler {
        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            if (call.action().text("fail").isPresent()) {
                throw new IllegalStateException("secret");
            }
            return ActionReply.of("who", CborValue.text(call.account())).now();
        }
    }

    @Test
    void handlers_backendsOfTheSameName_replaceBuiltInOnes() {
        HttpBench own = new HttpBench(
                HttpBench.LIMITS, Runnable::run, List.of(new Replacing("CreateAgent"), new Replacing("Mine")));
        assertEquals(OWNER.id(), own.done(OWNER, "CreateAgent").text("who"));
        assertEquals(OWNER.id(), own.done(OWNER, "Mine").text("who"));
        own.call(OWNER, "Mine", "fail", "yes").refuses(500, "internal_error", "The server could not handle the action");
    }

    private record Breaking(Error error) implements ActionHandler {
        @Override
        public String name() {
            return "Break";
        }

        @Override
        public Optional<String> clientKey(ActionCall call) {
            return call.fields().clientId("id");
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            throw error;
        }
    }

    /** Law 9, law 4: an error of the JVM is answered too, and what it held is free again. */
    @Test
    void handlers_errorOfTheJvm_answered500AndPlacesFree() {
        for (Error error : List.of(new OutOfMemoryError("secret"), new StackOverflowError("secret"))) {
            HttpBench broken = new HttpBench(HttpBench.LIMITS, Runnable::run, List.of(new Breaking(error)));
            for (int i = 0; i < 3; i++) {
                broken.call(OWNER, "Break", "id", "x")
                        .refuses(500, "internal_error", "The server could not handle the action");
            }
            assertEquals(0, broken.http.exchanges().bodies().taken());
            assertEquals(0, broken.http.actionsInProgress());
        }
    }

    /** Law 5: a storm of messages takes no more places than there are for verifying. */
    @Test
    void message_manyAtOnce_verifiedByAFewOthersWait() {
        List<Runnable> handed = new ArrayList<>();
        HttpBench slow = new HttpBench(HttpBench.LIMITS, handed::add, List.of());
        List<CompletionStage<HttpAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(slow.http.message(slow.body(OWNER, "ListAgents")));
        }
        assertEquals(HttpBench.LIMITS.maxVerifications(), handed.size());
        while (!handed.isEmpty()) {
            handed.remove(0).run();
        }
        answers.forEach(answer -> assertEquals(200, decoded(answer).status()));
        assertEquals(0, slow.http.exchanges().bodies().taken());
    }

    /** Law 4: whoever waits for a place is answered when the workers take no more. */
    @Test
    void message_workersRefuseLater_allThatWaitAreBusy() {
        List<Runnable> handed = new ArrayList<>();
        boolean[] full = {false};
        HttpBench filling = new HttpBench(
                HttpBench.LIMITS,
                work -> {
                    if (full[0]) {
                        throw new RejectedExecutionException();
                    }
                    handed.add(work);
                },
                List.of());
        List<CompletionStage<HttpAnswer>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(filling.http.message(filling.body(OWNER, "ListAgents")));
        }
        full[0] = true;
        List.copyOf(handed).forEach(Runnable::run);
        answers.forEach(answer -> assertEquals(503, decoded(answer).status()));
        assertEquals(0, filling.http.exchanges().bodies().taken());
    }

    @Test
    void handlers_twoOfOneName_refusedAtStart() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new HttpBench(
                        HttpBench.LIMITS, Runnable::run, List.of(new Replacing("Mine"), new Replacing("Mine"))));
    }

    /** A stop: nobody new is sent here while the sockets are let go. */
    @Test
    void health_draining_unavailable() {
        bench.http.drain();
        HttpAnswer answer = bench.http.health().toCompletableFuture().join();
        assertEquals(503, answer.status());
        assertTrue(new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8).contains("draining"));
        assertEquals(
                NodeHealth.State.DRAINING,
                bench.http.state().toCompletableFuture().join());
    }

    @Test
    void health_logAnswers_ok() {
        assertEquals(
                NodeHealth.State.READY, bench.http.state().toCompletableFuture().join());
        HttpAnswer answer = bench.http.health().toCompletableFuture().join();
        assertEquals(200, answer.status());
        assertEquals("application/json", answer.contentType());
        assertEquals(
                "{\"status\":\"ok\",\"epoch\":\"" + bench.tidings.log().epoch() + "\",\"time\":" + bench.now() + "}",
                new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8));
    }
}
