package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.StreamKey;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.EnvelopeFixtures.Signer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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

    @Test
    void getRun_readable_isShown() {
        HttpBench.Answer answer = bench.done(OWNER, "GetRun", "runId", "child");
        assertEquals(Optional.of("root"), answer.map("run").text("rootRunId"));
        for (String missing : List.of("none", "orphan", "a\0", "a/b")) {
            bench.call(OWNER, "GetRun", "runId", missing).refuses(404, "run_not_found", "Run not found");
        }
        bench.call(STRANGER, "GetRun", "runId", "root").refuses(404, "run_not_found", "Run not found");
    }

    @Test
    void cancelRun_live_isCancelledOnce() {
        byte[] body = bench.body(OWNER, "CancelRun", "runId", "root");
        HttpBench.Answer first = HttpBench.decoded(bench.http.message(body));
        assertEquals(Optional.of(CborValue.bool(true)), first.members().member("canceled"));
        assertEquals(first, HttpBench.decoded(bench.otherNode().http.message(body)));
        HttpBench.Answer again = bench.done(OWNER, "CancelRun", "runId", "root");
        assertEquals(Optional.of(CborValue.bool(false)), again.members().member("canceled"));
        assertEquals(List.of("root"), bench.runs.cancelled);
        bench.call(OWNER, "CancelRun", "runId", "orphan").refuses(404, "run_not_found", "Run not found");
    }

    private void journal(String runId, String json) {
        bench.tidings
                .transactions()
                .run(() -> bench.tidings
                        .writer()
                        .append(
                                StreamKey.run("root"),
                                new NewEntry(json, EntryKind.JOURNAL, true, Payload.of(json), runId, 7)));
    }

    @Test
    void getRunJournal_ofOneRun_itsEntriesByNumber() {
        journal("root", "{\"a\":1}");
        journal("child", "{\"b\":1}");
        journal("root", "{\"a\":2}");
        journal("child", "{\"b\":2}");

        HttpBench.Answer answer = bench.done(OWNER, "GetRunJournal", "runId", "child");

        assertEquals(
                List.of(OptionalLong.of(1), OptionalLong.of(2)),
                answer.maps("entries").stream().map(e -> e.integer("seq")).toList());
        assertEquals(
                List.of(Optional.of("child"), Optional.of("child")),
                answer.maps("entries").stream().map(e -> e.text("runId")).toList());
        HttpBench.Answer rest = bench.done(OWNER, "GetRunJournal", "runId", "child", "afterSeq", 1);
        assertEquals(
                OptionalLong.of(2),
                rest.maps("entries").get(0).map("entry").orElseThrow().integer("b"));
        assertEquals(1, rest.maps("entries").size());
        bench.call(OWNER, "GetRunJournal", "runId", "child", "afterSeq", -1)
                .refuses(400, "invalid_field", "afterSeq must be a non-negative integer");
        bench.call(STRANGER, "GetRunJournal", "runId", "child").refuses(404, "run_not_found", "Run not found");
    }
}
