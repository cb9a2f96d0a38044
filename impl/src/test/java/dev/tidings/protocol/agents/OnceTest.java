package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.HttpBench.content;
import static dev.tidings.protocol.agents.HttpBench.decoded;
import static dev.tidings.protocol.agents.HttpBench.map;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunStatus;
import dev.tidings.StreamKey;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.runs.TurnResult;
import dev.tidings.spi.Directory.RunQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Law 11: an action has one effect and one answer, wherever and whenever it comes again. */
class OnceTest {
    private static final Signer OWNER = Signer.number(1);
    private static final Signer OTHER = Signer.number(2);
    private static final Object[] CREATE = {"definition", map("name", "A"), "clientRequestId", "r1"};

    private final HttpBench bench = new HttpBench();

    private Object[] say(String session, String clientId) {
        return new Object[] {"sessionId", session, "content", content("hi"), "clientMessageId", clientId};
    }

    private String session() {
        return bench.session(OWNER, bench.agent(OWNER));
    }

    private int runsOf(String session) {
        return bench.tidings
                .directory()
                .runs(new RunQuery(null, session, null, null, 200))
                .size();
    }

    @Test
    void sameSignature_onAnotherNodeAndAfterARestart_firstAnswer() {
        byte[] body = bench.body(OWNER, "CreateAgent", "definition", map("name", "A"));
        HttpBench.Answer first = decoded(bench.http.message(body));
        assertEquals(200, first.status());
        for (int i = 0; i < 3; i++) {
            assertEquals(first, decoded(bench.otherNode().http.message(body)));
        }
        assertEquals(1, bench.agentsOf(OWNER));
    }

    @Test
    void sameClientId_onAnotherNode_firstAnswerOrConflict() {
        HttpBench.Answer first = bench.done(OWNER, "CreateAgent", CREATE);
        HttpBench other = bench.otherNode();
        other.pass(Duration.ofHours(23));
        assertEquals(first, other.done(OWNER, "CreateAgent", CREATE));
        other.call(OWNER, "CreateAgent", "definition", map("name", "B"), "clientRequestId", "r1")
                .refuses(409, "client_id_reused", "The client id was used for another action");
        assertEquals(1, bench.agentsOf(OWNER));
        other.pass(Duration.ofHours(2));
        assertNotEquals(first, other.done(OWNER, "CreateAgent", CREATE));
    }

    /** The commit happened and threw: the receipt says so, and the answer is the first one. */
    @Test
    void commitThrewAfterItHappened_answeredFromTheReceiptAndNeverTwice() {
        bench.transactions.loseAnswers.set(1);
        HttpBench.Answer first = bench.done(OWNER, "CreateAgent", CREATE);
        assertEquals(first, bench.done(OWNER, "CreateAgent", CREATE));
        assertEquals(first, bench.otherNode().done(OWNER, "CreateAgent", CREATE));
        assertEquals(1, bench.agentsOf(OWNER));
    }

    @Test
    void commitDidNotHappen_failsAndMayBeDoneAgain() {
        byte[] body = bench.body(OWNER, "CreateAgent", CREATE);
        bench.transactions.fail.set(1);
        decoded(bench.http.message(body)).refuses(500, "internal_error", "The server could not handle the action");
        assertEquals(0, bench.agentsOf(OWNER));
        assertEquals(200, decoded(bench.http.message(body)).status());
        bench.done(OWNER, "CreateAgent", CREATE);
        assertEquals(1, bench.agentsOf(OWNER));
    }

    /** Four threads on each of two nodes. */
    @Test
    void sameClientId_byManyNodesAtOnce_oneEffect() throws Exception {
        int many = 8;
        List<HttpBench> nodes = List.of(bench, bench.otherNode());
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            for (int round = 0; round < 20; round++) {
                String clientId = "round-" + round;
                CyclicBarrier together = new CyclicBarrier(many);
                List<Future<HttpBench.Answer>> answers = new ArrayList<>();
                for (int i = 0; i < many; i++) {
                    HttpBench node = nodes.get(i % 2);
                    byte[] body = node.body(
                            OWNER, "CreateAgent", "definition", map("name", "A"), "clientRequestId", clientId);
                    answers.add(threads.submit(() -> {
                        together.await(10, TimeUnit.SECONDS);
                        return decoded(node.http.message(body));
                    }));
                }
                HttpBench.Answer first = answers.get(0).get(20, TimeUnit.SECONDS);
                assertEquals(200, first.status());
                for (Future<HttpBench.Answer> answer : answers) {
                    assertEquals(first, answer.get(20, TimeUnit.SECONDS));
                }
                assertEquals(round + 1, bench.agentsOf(OWNER));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void message_commitThrewAfterItHappened_storedOnceAndAnsweredWhenTheTurnEnds() {
        String session = session();
        bench.transactions.loseAnswers.set(1);
        CompletionStage<HttpAnswer> first = bench.http.message(bench.body(OWNER, "MessageSession", say(session, "m1")));
        CompletionStage<HttpAnswer> again = bench.http.message(bench.body(OWNER, "MessageSession", say(session, "m1")));
        CompletionStage<HttpAnswer> elsewhere =
                bench.otherNode().http.message(bench.body(OWNER, "MessageSession", say(session, "m1")));
        assertFalse(first.toCompletableFuture().isDone());
        assertFalse(elsewhere.toCompletableFuture().isDone());
        String run = bench.tidings.directory().activeRun(session).orElseThrow().id();

        answer(session, run, run + "-1");
        bench.runs.end(run, RunStatus.SUCCEEDED);

        for (CompletionStage<HttpAnswer> answer : List.of(first, again, elsewhere)) {
            assertEquals(run + "-1", decoded(answer).text("assistantEventId"));
        }
        assertEquals(1, runsOf(session));
    }

    private void answer(String session, String run, String eventId) {
        bench.tidings.transactions().run(() -> {
            for (String[] event : new String[][] {
                {eventId, "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"x\"}"},
                {eventId + "-tool", "{\"type\":\"tool_result\",\"name\":\"x\"}"}
            }) {
                bench.tidings
                        .writer()
                        .append(
                                StreamKey.session(session),
                                new NewEntry(event[0], EntryKind.EVENT, true, Payload.of(event[1]), run, 1));
            }
        });
    }

    /** The first is under way on another node: its answer is this one's. */
    @Test
    void message_firstUnderWayElsewhere_getsItsAnswer() {
        String session = session();
        CompletableFuture<TurnResult> turn = new CompletableFuture<>();
        bench.runs.turn = m -> turn;
        CompletionStage<HttpAnswer> first = bench.http.message(bench.body(OWNER, "MessageSession", say(session, "m1")));
        HttpBench node = bench.otherNode();
        CompletionStage<HttpAnswer> other = node.http.message(node.body(OWNER, "MessageSession", say(session, "m1")));
        node.call(OWNER, "MessageSession", "sessionId", session, "content", content("no"), "clientMessageId", "m1")
                .refuses(409, "client_id_reused", "The client id was used for another action");
        assertFalse(other.toCompletableFuture().isDone());

        turn.complete(new TurnResult.Ended("run", "event-7", false));

        assertEquals("event-7", decoded(first).text("assistantEventId"));
        assertEquals(decoded(first), decoded(other));
        assertEquals(List.of(), node.runs.messages);
        assertEquals(1, runsOf(session));
    }

    /** The node ended during the turn; the next start ended the run. */
    @Test
    void message_cutByARestart_answersWithWhatBecameOfTheRun() {
        String session = session();
        bench.runs.turn = m -> new CompletableFuture<>();
        bench.http.message(bench.body(OWNER, "MessageSession", say(session, "m1")));
        String run = bench.tidings.directory().activeRun(session).orElseThrow().id();
        bench.tidings
                .transactions()
                .run(() -> bench.tidings
                        .directoryWriter()
                        .changeRun(
                                run,
                                r -> r.withStatus(RunStatus.FAILED, 2)
                                        .withDetails(
                                                Payload.of(
                                                        "{\"error\":{\"code\":\"interrupted_by_restart\",\"message\":\"Cut\"}}"),
                                                null)));
        HttpBench next = bench.otherNode();
        next.call(OWNER, "MessageSession", say(session, "m1")).refuses(502, "interrupted_by_restart", "Cut");
        next.call(OWNER, "MessageSession", say(session, "m1")).refuses(502, "interrupted_by_restart", "Cut");
        assertEquals(1, runsOf(session));
    }

    @Test
    void message_failedTurn_sameRefusalAgain() {
        String session = session();
        bench.runs.turn =
                m -> CompletableFuture.completedFuture(new TurnResult.Failed("r", "model_unavailable", "No model"));
        bench.call(OWNER, "MessageSession", say(session, "m1")).refuses(502, "model_unavailable", "No model");
        bench.otherNode()
                .call(OWNER, "MessageSession", say(session, "m1"))
                .refuses(502, "model_unavailable", "No model");
        assertEquals(1, runsOf(session));
    }

    /** A signature that was refused is refused for as long as it is let in, whatever was granted since. */
    @Test
    void refusal_sameSignatureAfterAGrant_staysRefusedElsewhereToo() {
        String agent = bench.agent(OWNER);
        bench.invite(OWNER, agent, OTHER, "reader");
        bench.accept(OTHER, agent);
        byte[] body = bench.body(OTHER, "CreateSession", "agentId", agent, "clientRequestId", "r1");
        decoded(bench.http.message(body)).refuses(403, "write_access_required", "Write access is required");
        bench.invite(OWNER, agent, OTHER, "writer");

        decoded(bench.http.message(body)).refuses(403, "write_access_required", "Write access is required");
        decoded(bench.otherNode().http.message(body)).refuses(403, "write_access_required", "Write access is required");

        // The client's id was left free.
        bench.done(OTHER, "CreateSession", "agentId", agent, "clientRequestId", "r1");
    }

    private static final class Late implements ActionHandler {
        final CompletableFuture<ActionReply> reply = new CompletableFuture<>();
        final AtomicInteger done = new AtomicInteger();
        private final boolean own;

        Late(boolean own) {
            this.own = own;
        }

        @Override
        public String name() {
            return "Late";
        }

        @Override
        public boolean ownTransactions() {
            return own;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            done.incrementAndGet();
            return reply;
        }
    }

    @Test
    void backendsHandler_answersLater_othersWaitForItEverywhere() {
        Late late = new Late(false);
        HttpBench node = new HttpBench(HttpBench.LIMITS, Runnable::run, List.of(late));
        byte[] body = node.body(OWNER, "Late");
        CompletionStage<HttpAnswer> first = node.http.message(body);
        CompletionStage<HttpAnswer> again = node.http.message(body);
        CompletionStage<HttpAnswer> other =
                node.otherNode(HttpBench.LIMITS, List.of(late)).http.message(body);
        late.reply.complete(ActionReply.of("n", CborValue.integer(7)));
        for (CompletionStage<HttpAnswer> answer : List.of(first, again, other)) {
            assertEquals(7, decoded(answer).number("n"));
        }
        assertEquals(1, late.done.get());
    }

    /** Whoever says nothing of transactions is remembered from its answer on. */
    @Test
    void backendsHandler_ownTransactionsWithoutAWord_rememberedWhenAnswered() {
        Late late = new Late(true);
        late.reply.complete(ActionReply.of("n", CborValue.integer(7)));
        HttpBench node = new HttpBench(HttpBench.LIMITS, Runnable::run, List.of(late));
        byte[] body = node.body(OWNER, "Late");
        HttpBench.Answer first = decoded(node.http.message(body));
        assertEquals(
                first,
                decoded(node.otherNode(HttpBench.LIMITS, List.of(late)).http.message(body)));
        assertEquals(1, late.done.get());
    }

    /** An action that nobody can tell the outcome of is not done again. */
    @Test
    void pending_longerThanAnActionMayTake_alreadyHandled() {
        Late late = new Late(false);
        HttpBench node = new HttpBench(HttpBench.LIMITS, Runnable::run, List.of(late));
        byte[] body = node.body(OWNER, "Late");
        node.http.message(body);
        HttpBench next = node.otherNode(HttpBench.limits(1 << 20, Duration.ofSeconds(1)), List.of(late));
        next.pass(Duration.ofSeconds(7));
        decoded(next.http.message(body)).refuses(409, "already_handled", "The action was already handled");
        assertEquals(1, late.done.get());
    }

    @Test
    void answer_tooLargeToKeep_onlyTheFactRemains() {
        AgentsHttpLimits tight = new AgentsHttpLimits(
                1 << 20,
                1 << 20,
                1 << 20,
                1 << 20,
                64 << 10,
                500,
                2,
                32,
                Duration.ofMinutes(1),
                new ReceiptLimits(10, 0, Duration.ofHours(1)));
        HttpBench node = new HttpBench(tight, Runnable::run, List.of());
        byte[] body = node.body(OWNER, "CreateAgent", CREATE);
        assertEquals(200, decoded(node.http.message(body)).status());
        decoded(node.http.message(body)).refuses(409, "already_handled", "The action was already handled");
        assertEquals(1, node.agentsOf(OWNER));
    }

    /** Law 4. */
    @Test
    void actionsInProgress_tooMany_busyAndFreeAgain() {
        Late late = new Late(true);
        AgentsHttpLimits tight = new AgentsHttpLimits(
                1 << 20,
                1 << 20,
                1 << 20,
                1 << 20,
                64 << 10,
                500,
                2,
                32,
                Duration.ofMinutes(1),
                new ReceiptLimits(2, 1 << 20, Duration.ofHours(1)));
        HttpBench node = new HttpBench(tight, Runnable::run, List.of(late));
        node.http.message(node.body(OWNER, "Late"));
        node.http.message(node.body(OWNER, "Late"));
        node.call(OWNER, "Late").refuses(503, "busy", "The server has too much to do");
        late.reply.complete(ActionReply.of("n", CborValue.integer(7)));
        assertEquals(0, node.http.actionsInProgress());
        assertEquals(200, node.call(OWNER, "Late").status());
    }

    @Test
    void expireReceipts_expiredOnes_areDeleted() {
        bench.done(OWNER, "CreateAgent", "definition", map("name", "A"));
        bench.pass(Duration.ofMinutes(11));
        bench.http.expireReceipts();
        int left = bench.tidings
                .transactions()
                .required(() -> bench.tidings.receipts().expire(Long.MAX_VALUE, 100));
        assertEquals(0, left);
    }
}
