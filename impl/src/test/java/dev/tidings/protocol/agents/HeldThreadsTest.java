package dev.tidings.protocol.agents;

import static dev.tidings.protocol.agents.HttpBench.decoded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.protocol.http.HttpAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Law 5: actions that take long hold no thread that others need. There is one worker. */
class HeldThreadsTest {
    private static final Signer OWNER = Signer.number(1);
    private static final int TOOLS = 2;

    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private final ExecutorService tools = Executors.newCachedThreadPool();
    private final HttpBench bench = new HttpBench(limits(Duration.ofMinutes(1)), worker, List.of());
    private final String agent = bench.agent(OWNER);
    private final String session = bench.session(OWNER, agent);

    HeldThreadsTest() {
        bench.toolThreads = tools;
    }

    private static AgentsHttpLimits limits(Duration timeout) {
        return new AgentsHttpLimits(
                1 << 20, 1 << 20, 1 << 20, 1 << 20, 64 << 10, 500, 2, TOOLS, timeout, ReceiptLimits.DEFAULT);
    }

    @AfterEach
    void stop() {
        worker.shutdownNow();
        tools.shutdownNow();
    }

    private CompletableFuture<HttpAnswer> send(String action, Object... members) {
        return bench.http.message(bench.body(OWNER, action, members)).toCompletableFuture();
    }

    private static HttpBench.Answer answer(CompletableFuture<HttpAnswer> sent) throws Exception {
        sent.get(20, TimeUnit.SECONDS);
        return decoded(sent);
    }

    private static boolean flag(HttpBench.Answer answer, String name) {
        return CborValue.bool(true).equals(answer.members().member(name).orElseThrow());
    }

    private void othersAreAnswered() throws Exception {
        assertEquals(200, answer(send("GetSession", "sessionId", session)).status());
    }

    @Test
    void cancels_endIsNotStoredYet_othersAreAnswered() throws Exception {
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        bench.runs.heldCancel = end;
        String run = bench.runs.active(session);
        List<CompletableFuture<HttpAnswer>> waiting = List.of(
                send("CancelRun", "runId", run),
                send("StopSession", "sessionId", session),
                send("DeleteSession", "sessionId", bench.session(OWNER, agent)),
                send("DeleteAgent", "agentId", agentWithARun()));
        othersAreAnswered();
        assertFalse(waiting.get(0).isDone());
        assertFalse(waiting.get(1).isDone());
        assertFalse(waiting.get(3).isDone());

        bench.runs.end(run, dev.tidings.RunStatus.CANCELED);
        bench.runs.heldCancel = null;
        end.complete(true);

        assertTrue(flag(answer(waiting.get(0)), "canceled"));
        assertTrue(flag(answer(waiting.get(1)), "stopped"));
        assertEquals(200, answer(waiting.get(2)).status());
        assertEquals(200, answer(waiting.get(3)).status());
    }

    private String agentWithARun() {
        String other = bench.agent(OWNER);
        bench.runs.active(bench.session(OWNER, other));
        return other;
    }

    /** The end was not stored in time: the same message again is told of the end. */
    @Test
    void cancel_tookTooLong_againIsToldOfTheEnd() throws Exception {
        bench.runs.heldCancel = CompletableFuture.failedFuture(new IllegalStateException("secret"));
        String run = bench.runs.active(session);
        byte[] body = bench.body(OWNER, "CancelRun", "runId", run);
        CompletableFuture<HttpAnswer> first = bench.http.message(body).toCompletableFuture();
        othersAreAnswered();
        bench.runs.heldCancel = null;

        answer(first);
        assertTrue(flag(answer(bench.http.message(body).toCompletableFuture()), "canceled"));
    }

    @Test
    void tools_takeLong_othersAreAnsweredAndOneTooManyIsRefused() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        bench.tools = (s, account, verb, input) -> {
            try {
                assertTrue(go.await(20, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return input;
        };
        CompletableFuture<HttpAnswer> first = invoke();
        othersAreAnswered();
        CompletableFuture<HttpAnswer> second = invoke();
        othersAreAnswered();
        HttpBench.Answer refused = answer(invoke());
        assertEquals(503, refused.status());
        assertEquals("too_many_tools", refused.text("code"));
        assertEquals(2, events(), "the refused one left nothing");

        go.countDown();

        assertEquals("x", answer(first).text("output"));
        assertEquals("x", answer(second).text("output"));
        assertEquals("x", answer(invoke()).text("output"), "there is room again");
        assertEquals(6, events());
    }

    /** Tools that never return cost their place, and nobody waits for them for ever. */
    @Test
    void tool_takesLongerThanAnActionMay_isToldAsAnError() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        CountDownLatch never = new CountDownLatch(1);
        try {
            HttpBench quick = new HttpBench(limits(Duration.ofSeconds(1)), one, List.of());
            quick.toolThreads = tools;
            quick.tools = (s, account, verb, input) -> {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return input;
            };
            String own = quick.session(OWNER, quick.agent(OWNER));
            CompletableFuture<HttpAnswer> slow = quick.http
                    .message(quick.body(OWNER, "InvokeSessionTool", "sessionId", own, "verb", "call", "input", "x"))
                    .toCompletableFuture();
            assertEquals("The tool took too long", answer(slow).text("error"));
        } finally {
            never.countDown();
            one.shutdownNow();
        }
    }

    private CompletableFuture<HttpAnswer> invoke() {
        return send("InvokeSessionTool", "sessionId", session, "verb", "call", "input", "x");
    }

    private int events() throws Exception {
        return answer(send("GetSession", "sessionId", session)).maps("events").size();
    }
}
