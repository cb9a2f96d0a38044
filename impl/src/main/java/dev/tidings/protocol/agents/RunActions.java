package dev.tidings.protocol.agents;

import dev.tidings.RunInfo;
import dev.tidings.RunStatus;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.spi.Directory.RunQuery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The actions on runs. */
final class RunActions {
    private static final int MAX_PAGE = 200;

    private RunActions() {}

    /** {@code GetRun {runId} → {run}}: a reader's. */
    record Read(AgentsHttpPorts ports) implements ActionHandler {
        @Override
        public String name() {
            return "GetRun";
        }

        @Override
        public boolean readsOnly() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            RunInfo run = call.readableRun(call.fields().text("runId"));
            return ActionReply.of("run", DagCbor.fromJson(AgentsJson.run(run))).now();
        }
    }

    /**
     * {@code CancelRun {runId} → {runId, canceled}}: a writer's; with it all runs below it. False if its end was decided
     * before. A receipt names the run, and a run is cancelled once, so that it may be asked for again.
     */
    record Cancel(AgentsHttpPorts ports) implements ActionHandler {
        @Override
        public String name() {
            return "CancelRun";
        }

        @Override
        public boolean ownTransactions() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String runId = call.fields().text("runId");
            ports.transactions().run(() -> {
                call.writableRun(runId);
                call.begin(runId);
            });
            return ports.runs().cancel(runId).thenApply(canceled -> reply(runId, canceled));
        }

        @Override
        public Optional<ActionReply> outcome(ActionCall call, Begun begun) {
            return cancelledAgain(ports, begun.reference()).map(canceled -> reply(begun.reference(), canceled));
        }

        private static ActionReply reply(String runId, boolean canceled) {
            return ActionReply.of("runId", CborValue.text(runId), "canceled", CborValue.bool(canceled));
        }
    }

    /** Whether a run was cancelled, now or by whoever asked for it before; empty while it has not ended. */
    static Optional<Boolean> cancelledAgain(AgentsHttpPorts ports, String runId) {
        CompletableFuture<Boolean> cancelled = ports.runs().cancel(runId).toCompletableFuture();
        if (!cancelled.isDone()) {
            return Optional.empty();
        }
        return Optional.of(cancelled.join()
                || ports.directory()
                        .run(runId)
                        .filter(run -> run.value().status() == RunStatus.CANCELED)
                        .isPresent());
    }

    /**
     * {@code GetRunJournal {runId, afterSeq?} → {runId, entries, truncated?}}: a reader's. The entries of the run itself, by
     * number, above {@code afterSeq}; {@code truncated} is true when there are more than one answer holds.
     */
    record Journal(AgentsHttpPorts ports, Reading reading) implements ActionHandler {
        private static final int READ_ENTRIES = 500;
        private static final int READ_BYTES = 1 << 20;

        @Override
        public String name() {
            return "GetRunJournal";
        }

        @Override
        public boolean readsOnly() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String runId = call.fields().text("runId");
            long afterSeq = call.fields().optionalCount("afterSeq").orElse(0);
            RunInfo run = call.readableRun(runId);
            try (Reading.Items entries = reading.items()) {
                boolean whole = read(run, afterSeq, entries);
                Map<String, CborValue> members = new HashMap<>();
                members.put("runId", CborValue.text(runId));
                members.put("entries", entries.list());
                if (!whole) {
                    members.put("truncated", CborValue.bool(true));
                }
                return new ActionReply(members).now();
            }
        }

        /** False if there are more. */
        private boolean read(RunInfo run, long afterSeq, Reading.Items into) {
            StreamKey tree = StreamKey.run(run.rootRunId());
            long seq = afterSeq;
            while (true) {
                List<StoredEntry> page = ports.log().readRun(tree, run.id(), seq, READ_ENTRIES, READ_BYTES);
                if (page.isEmpty()) {
                    return true;
                }
                for (StoredEntry entry : page) {
                    if (!into.add(AgentsJson.journalEntry(entry))) {
                        return false;
                    }
                }
                seq = page.get(page.size() - 1).seq();
            }
        }
    }

    /** {@code ListRuns {rootRunId|sessionId|agentId, status?, limit?} → {runs}}: a reader's, by (createdAt, id); of
     * a run that is no root the tree that it belongs to. */
    record ListOf(AgentsHttpPorts ports, Reading reading) implements ActionHandler {
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
            try (Reading.Items runs = reading.items()) {
                for (RunInfo run : ports.directory().runs(query(call))) {
                    if (!runs.add(AgentsJson.run(run))) {
                        break;
                    }
                }
                return ActionReply.of("runs", runs.list()).now();
            }
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
                    rootRunId.map(id -> call.readableRun(id).rootRunId()).orElse(null),
                    sessionId.orElse(null),
                    agentId.orElse(null),
                    status,
                    limit);
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
