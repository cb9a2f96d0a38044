package dev.tidings.protocol.agents;

import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.spi.Directory.RunQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The actions on runs. */
final class RunActions {
    private static final int MAX_PAGE = 200;

    private RunActions() {}

    /** {@code ListRuns {rootRunId|sessionId|agentId, status?, limit?} → {runs}}: a reader's, by (createdAt, id). */
    record ListOf(AgentsHttpPorts ports) implements ActionHandler {
        @Override
        public String name() {
            return "ListRuns";
        }

        @Override
        public boolean readsOnly() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            List<CborValue> runs = new ArrayList<>();
            for (RunInfo run : ports.directory().runs(query(call))) {
                runs.add(DagCbor.fromJson(AgentsJson.run(run)));
            }
            return ActionReply.of("runs", CborValue.list(runs)).now();
        }

        private RunQuery query(ActionCall call) {
            ActionFields fields = call.fields();
            Optional<String> rootRunId = fields.optionalText("rootRunId");
            Optional<String> sessionId = fields.optionalText("sessionId");
            Optional<String> agentId = fields.optionalText("agentId");
            if (Stream.of(rootRunId, sessionId, agentId)
                            .filter(Optional::isPresent)
                            .count()
                    != 1) {
                throw ActionRefusal.field("exactly one of rootRunId, sessionId and agentId is required");
            }
            RunStatus status = fields.optionalText("status").map(ListOf::status).orElse(null);
            int limit = (int) fields.optionalInteger("limit", 1, MAX_PAGE).orElse(MAX_PAGE);
            if (sessionId.isPresent()) {
                call.readableSession(sessionId.get());
            } else if (agentId.isPresent()) {
                call.readableAgent(agentId.get());
            }
            return new RunQuery(
                    rootRunId.map(id -> readableTree(call, id)).orElse(null),
                    sessionId.orElse(null),
                    agentId.orElse(null),
                    status,
                    limit);
        }

        /** The root of the tree of a run that the account may read; a run without an agent is nobody's to read. */
        private String readableTree(ActionCall call, String runId) {
            if (!ActionCall.mayExist(runId)) {
                throw ActionRefusal.runNotFound();
            }
            RunInfo run = ports.directory()
                    .run(runId)
                    .orElseThrow(ActionRefusal::runNotFound)
                    .value();
            @Nullable String agentId = run.agentId();
            if (agentId == null || ports.access().role(agentId, call.account()).isEmpty()) {
                throw ActionRefusal.runNotFound();
            }
            return run.rootRunId();
        }

        private static RunStatus status(String word) {
            for (RunStatus status : RunStatus.values()) {
                if (status.code().equals(word)) {
                    return status;
                }
            }
            throw ActionRefusal.field("status must be the status of a run");
        }
    }
}
