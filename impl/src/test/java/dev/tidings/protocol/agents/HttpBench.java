package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidings.SignerRole;
import dev.tidings.access.Access;
import dev.tidings.envelope.Capability;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.Checked;
import dev.tidings.envelope.DagCbor;
import dev.tidings.envelope.EnvelopeFixtures;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import dev.tidings.envelope.EnvelopeLimits;
import dev.tidings.event.AccountHint;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.HttpLimits;
import dev.tidings.runs.TestDeadlines;
import dev.tidings.spi.Directory.AgentQuery;
import dev.tidings.spi.SessionTools;
import dev.tidings.testkit.InMemoryTidings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The whole HTTP API over ports in memory, with signed messages, a clock to set and hand-made turns. */
final class HttpBench {
    static final long START = 1_800_000_000_000L;
    static final AgentsHttpLimits LIMITS = AgentsHttpLimits.DEFAULT;

    final InMemoryTidings tidings;
    final LossyTransactions transactions;
    final FakeRuns runs;
    final List<Object> committed = new ArrayList<>();
    final AgentsHttp http;
    // Volatile: set by the test, read by workers.
    volatile SessionTools tools = (session, account, verb, input) -> input;
    // Volatile: likewise.
    volatile Executor toolThreads = Runnable::run;
    // Confined: the test's thread sets it between calls.
    private long now = START;
    // Confined: the test's thread. Makes each signed message another one.
    private long signed;

    HttpBench() {
        this(LIMITS, Runnable::run, List.of());
    }

    HttpBench(AgentsHttpLimits limits, Executor workers, List<ActionHandler> added) {
        this(new InMemoryTidings(), limits, workers, added);
    }

    /** Another node, or the same one after a restart: all that it shares is the database. */
    HttpBench otherNode() {
        return otherNode(LIMITS, List.of());
    }

    HttpBench otherNode(AgentsHttpLimits limits, List<ActionHandler> added) {
        HttpBench other = new HttpBench(tidings, limits, Runnable::run, added);
        other.now = now;
        other.signed = signed + 1_000_000;
        return other;
    }

    private HttpBench(InMemoryTidings tidings, AgentsHttpLimits limits, Executor workers, List<ActionHandler> added) {
        this.tidings = tidings;
        transactions = new LossyTransactions(tidings.transactions());
        runs = new FakeRuns(tidings, transactions);
        AgentsHttpPorts ports = new AgentsHttpPorts(
                true,
                tidings.directory(),
                tidings.directoryWriter(),
                tidings.grants(),
                tidings.grantsWriter(),
                tidings.log(),
                tidings.writer(),
                transactions,
                tidings.receipts(),
                new Access(tidings.grants()),
                runs,
                Optional.of((session, account, verb, input) -> tools.invoke(session, account, verb, input)),
                tidings::fire);
        tidings.listen(event -> {
            synchronized (committed) {
                committed.add(event);
            }
        });
        http = new AgentsHttp(
                ports,
                new AgentsHttp.EnvelopeChecks(
                        EnvelopeLimits.DEFAULT, tidings.signers()::authorized, Optional.of(this::store)),
                limits,
                added,
                workers,
                tool -> toolThreads.execute(tool),
                TestDeadlines.shared(),
                exchanges(limits, workers),
                () -> Instant.ofEpochMilli(now));
    }

    private static HttpExchanges exchanges(AgentsHttpLimits limits, Executor workers) {
        return new HttpExchanges(
                new HttpLimits(
                        limits.maxPendingBytes(),
                        limits.maxAnswerBytes(),
                        4,
                        4,
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1)),
                workers,
                workers,
                TestDeadlines.shared());
    }

    /** Small limits for what all messages and answers hold together. */
    static AgentsHttpLimits limits(int transcriptBytes, Duration messageTimeout) {
        return new AgentsHttpLimits(
                1 << 20,
                1 << 20,
                1 << 20,
                transcriptBytes,
                64 << 10,
                500,
                2,
                32,
                messageTimeout,
                ReceiptLimits.DEFAULT);
    }

    private boolean store(Capability capability) {
        return tidings.transactions()
                .requiresNew(() -> tidings.signerWriter()
                        .authorize(
                                capability.issuer().text(),
                                capability.delegate().text(),
                                SignerRole.AGENT,
                                capability.issuedAtMillis(),
                                now));
    }

    void pass(Duration time) {
        now += time.toMillis();
    }

    long now() {
        return now;
    }

    /** The body of an action, signed by whoever it is for. */
    byte[] body(Signer signer, String action, Object... members) {
        return EnvelopeFixtures.signed(
                signer,
                signer.principal(),
                EnvelopeFixtures.action(action, now, members(members)),
                Map.of("nonce", CborValue.integer(signed++)));
    }

    static Map<String, CborValue> members(Object... pairs) {
        Map<String, CborValue> members = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            members.put((String) pairs[i], value(pairs[i + 1]));
        }
        return members;
    }

    static CborValue value(Object plain) {
        if (plain instanceof CborValue value) {
            return value;
        }
        if (plain instanceof String text) {
            return CborValue.text(text);
        }
        if (plain instanceof Boolean flag) {
            return CborValue.bool(flag);
        }
        return CborValue.integer(((Number) plain).longValue());
    }

    static MapValue map(Object... pairs) {
        return CborValue.map(members(pairs));
    }

    static ListValue content(String... texts) {
        return CborValue.list(Arrays.stream(texts)
                .map(text -> map("type", "text", "text", text))
                .toList());
    }

    /** An answer, decoded; it is canonical. */
    record Answer(int status, MapValue members) {
        String text(String name) {
            return members.text(name).orElseThrow(() -> new AssertionError(name + " of " + members));
        }

        long number(String name) {
            return members.integer(name).orElseThrow();
        }

        MapValue map(String name) {
            return (MapValue) members.member(name).orElseThrow();
        }

        List<MapValue> maps(String name) {
            List<MapValue> maps = new ArrayList<>();
            ((ListValue) members.member(name).orElseThrow()).items().forEach(item -> maps.add((MapValue) item));
            return maps;
        }

        boolean has(String name) {
            return members.member(name).isPresent();
        }

        /** This is a refusal with that status, code and message. */
        void refuses(int expectedStatus, String code, String message) {
            assertEquals(
                    List.of(expectedStatus, "Error", code, message),
                    List.of(status, text("_"), text("code"), text("message")));
        }
    }

    static Answer decoded(CompletionStage<HttpAnswer> stage) {
        try {
            return decoded(stage.toCompletableFuture().get(10, TimeUnit.SECONDS));
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    static Answer decoded(HttpAnswer answer) {
        assertEquals("application/cbor", answer.contentType());
        Checked<CborValue> body = DagCbor.decode(answer.body(), new EnvelopeLimits(512, Duration.ZERO));
        CborValue value = assertInstanceOf(Checked.Accepted.class, body).value() instanceof CborValue v ? v : null;
        return new Answer(answer.status(), assertInstanceOf(MapValue.class, value));
    }

    Answer call(Signer signer, String action, Object... members) {
        return decoded(http.message(body(signer, action, members)));
    }

    /** The same, when it must be done. */
    Answer done(Signer signer, String action, Object... members) {
        Answer answer = call(signer, action, members);
        assertEquals(200, answer.status(), () -> answer.members().toString());
        assertEquals(action + "Response", answer.text("_"));
        return answer;
    }

    String agent(Signer owner) {
        return done(owner, "CreateAgent", "definition", map("name", "Agent", "systemPrompt", "You are a test."))
                .text("agentId");
    }

    String session(Signer writer, String agentId) {
        return done(writer, "CreateSession", "agentId", agentId).text("sessionId");
    }

    void invite(Signer owner, String agentId, Signer invitee, String role) {
        done(owner, "InviteAgentCollaborator", "agentId", agentId, "accountId", invitee.id(), "role", role);
    }

    void accept(Signer invitee, String agentId) {
        done(invitee, "AcceptAgentInvite", "agentId", agentId);
    }

    void publicRead(Signer owner, String agentId) {
        done(owner, "SetAgentPublicRead", "agentId", agentId, "publicRead", true);
    }

    /** The agents that an account owns or was accepted for. */
    int agentsOf(Signer account) {
        return tidings.directory()
                .agents(new AgentQuery(account.id(), null, null, 200))
                .size();
    }

    /** The hints that were committed, as reason and recipient, since the last time. */
    List<String> hints() {
        List<String> hints = new ArrayList<>();
        synchronized (committed) {
            for (Object event : committed) {
                if (event instanceof AccountHint hint) {
                    hints.add(hint.reason() + " "
                            + (hint.accounts().isEmpty()
                                    ? "members"
                                    : hint.accounts().iterator().next()));
                }
            }
            committed.clear();
        }
        return hints;
    }
}
