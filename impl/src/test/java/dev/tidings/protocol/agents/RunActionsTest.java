package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RunActionsTest {
    private static final Signer OWNER = Signer.number(1);
    private static final Signer STRANGER = Signer.number(2);

    private final HttpBench bench = new HttpBench();
    private final String agent = bench.agent(OWNER);
    private final String session = bench.session(OWNER, agent);

    @BeforeEach
    void createRuns() {
        create("root", "root", agent, RunStatus.RUNNING);
        create("child", "root", agent, RunStatus.QUEUED);
        create("orphan", "orphan", null, RunStatus.RUNNING);
    }

    private void create(String id, String rootRunId, @Nullable String agentId, RunStatus status) {
        RunInfo.Lineage lineage =
                id.equals(rootRunId) ? RunInfo.Lineage.ROOT : new RunInfo.Lineage(rootRunId, null, 1, 0);
        bench.pass(java.time.Duration.ofMillis(1));
        bench.tidings
                .transactions()
                .run(() -> bench.tidings
                        .directoryWriter()
                        .create(new RunInfo(
                                id,
                                OWNER.id(),
                                rootRunId,
                                lineage,
                                "agent",
                                agentId,
                                agentId == null ? null : session,
                                "user",
                                "A title",
                                status,
                                null,
                                null,
                                bench.now(),
                                null,
                                null,
                                bench.now())));
    }

    private List<String> runs(Object... members) {
        return bench.done(OWNER, "ListRuns", members).maps("runs").stream()
                .map(run -> run.text("id").orElseThrow())
                .toList();
    }

    @Test
    void listRuns_byTreeSessionOrAgent_inOrder() {
        assertEquals(List.of("root", "child"), runs("rootRunId", "root"));
        assertEquals(List.of("root", "child"), runs("rootRunId", "child"));
        assertEquals(List.of("root", "child"), runs("sessionId", session));
        assertEquals(List.of("root", "child"), runs("agentId", agent));
        assertEquals(List.of("root"), runs("agentId", agent, "limit", 1));
        assertEquals(List.of("child"), runs("agentId", agent, "status", "queued"));
    }

    @Test
    void listRuns_notExactlyOneKey_refused() {
        String message = "exactly one of rootRunId, sessionId and agentId is required";
        bench.call(OWNER, "ListRuns").refuses(400, "invalid_field", message);
        bench.call(OWNER, "ListRuns", "sessionId", session, "agentId", agent).refuses(400, "invalid_field", message);
        bench.call(OWNER, "ListRuns", "agentId", agent, "status", "QUEUED")
                .refuses(400, "invalid_field", "status must be the status of a run");
    }

    @Test
    void listRuns_strangerOrMissing_sameAnswer() {
        bench.call(STRANGER, "ListRuns", "rootRunId", "root").refuses(404, "run_not_found", "Run not found");
        bench.call(OWNER, "ListRuns", "rootRunId", "none").refuses(404, "run_not_found", "Run not found");
        bench.call(OWNER, "ListRuns", "rootRunId", "orphan").refuses(404, "run_not_found", "Run not found");
        bench.call(STRANGER, "ListRuns", "sessionId", session).refuses(404, "session_not_found", "Session not found");
        bench.call(STRANGER, "ListRuns", "agentId", agent).refuses(404, "agent_not_found", "Agent not found");
    }
}
