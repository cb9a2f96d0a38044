package dev.tidings.protocol.agents;

import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.UnknownStreamException;
import dev.tidings.Versioned;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.CborValue.ListValue;
import dev.tidings.envelope.CborValue.MapValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.runs.Deadlines;
import dev.tidings.runs.TurnResult;
import dev.tidings.runs.UserMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The actions on the turns of a session. */
final class TurnActions {
    private static final int TITLE_LENGTH = 80;

    private TurnActions() {}

    /**
     * {@code MessageSession {sessionId, content: [{type: 'text', text}], clientMessageId?} → {sessionId,
     * assistantEventId}}: a writer's. Answers when the turn has ended; without an event id when it waits behind another,
     * or when it takes longer than the API waits.
     */
    record Message(AgentsHttpPorts ports, Executor workers, Duration timeout, Deadlines deadlines, InstantSource clock)
            implements ActionHandler {
        @Override
        public String name() {
            return "MessageSession";
        }

        @Override
        public Optional<String> clientKey(ActionCall call) {
            Optional<String> id = call.fields().clientId("clientMessageId");
            // A client counts its messages per session.
            return id.map(text -> call.fields().text("sessionId") + '/' + text);
        }

        @Override
        public boolean ownTransactions() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            ActionFields fields = call.fields();
            String sessionId = fields.text("sessionId");
            String text = text(fields.list("content"));
            Optional<String> clientMessageId = fields.clientId("clientMessageId");
            call.writableSession(sessionId);
            UserMessage message = new UserMessage(
                    sessionId, text, event(call.account(), call.signer(), text, clientMessageId), title(text));
            CompletableFuture<TurnResult> turn = new CompletableFuture<>();
            asked(message, call).whenComplete((result, failure) -> {
                if (failure == null) {
                    turn.complete(result);
                } else {
                    turn.completeExceptionally(failure);
                }
            });
            return deadlines
                    .complete(turn, new TurnResult.Queued(""), timeout)
                    .thenCompose(result -> answered(sessionId, result));
        }

        /** A turn that was stopped may have been so by the deletion of its session, and what it stored went with that. */
        private CompletionStage<ActionReply> answered(String sessionId, TurnResult result) {
            boolean stopped = result instanceof TurnResult.Ended ended && ended.canceled();
            return stopped
                    ? CompletableFuture.supplyAsync(
                            () -> {
                                requireSession(sessionId);
                                return reply(sessionId, result);
                            },
                            workers)
                    : CompletableFuture.completedFuture(reply(sessionId, result));
        }

        private void requireSession(String sessionId) {
            if (ports.directory().session(sessionId).isEmpty()) {
                throw ActionRefusal.sessionNotFound();
            }
        }

        /** The receipt names the run and commits with it and with the message. */
        private CompletionStage<TurnResult> asked(UserMessage message, ActionCall call) {
            try {
                return ports.runs().message(message, call::begin);
            } catch (UnknownStreamException deletedMeanwhile) {
                throw ActionRefusal.sessionNotFound();
            }
        }

        /** Told by the run that the receipt names, on another node or after a restart. */
        @Override
        public Optional<ActionReply> outcome(ActionCall call, Begun begun) {
            String sessionId = call.fields().text("sessionId");
            RunInfo run = ports.directory()
                    .run(begun.reference())
                    .map(Versioned::value)
                    .orElse(null);
            if (run == null) {
                requireSession(sessionId);
            }
            boolean overdue = clock.millis() - begun.at() > timeout.toMillis();
            if (run == null || overdue && !run.status().terminal()) {
                return Optional.of(reply(sessionId, ""));
            }
            return switch (run.status()) {
                case SUCCEEDED, CANCELED -> Optional.of(reply(sessionId, RunOutcome.lastMessage(ports.log(), run)));
                case FAILED -> throw RunOutcome.failure(run);
                case WAITING -> Optional.of(reply(sessionId, ""));
                case QUEUED -> isNext(sessionId, run.id()) ? Optional.empty() : Optional.of(reply(sessionId, ""));
                case CLAIMED, RUNNING -> Optional.empty();
            };
        }

        private boolean isNext(String sessionId, String runId) {
            return ports.directory()
                    .activeRun(sessionId)
                    .filter(run -> run.id().equals(runId))
                    .isPresent();
        }

        private static ActionReply reply(String sessionId, TurnResult result) {
            if (result instanceof TurnResult.Failed failed) {
                throw new ActionRefusal(502, failed.code(), failed.publicText());
            }
            return reply(sessionId, result instanceof TurnResult.Ended ended ? ended.assistantEventId() : "");
        }

        private static ActionReply reply(String sessionId, String eventId) {
            return ActionReply.of("sessionId", CborValue.text(sessionId), "assistantEventId", CborValue.text(eventId));
        }

        /** The parts of a message, one a line. */
        private static String text(ListValue content) {
            StringJoiner text = new StringJoiner("\n");
            int index = 0;
            for (CborValue part : content.items()) {
                text.add(part(part, "content[" + index++ + "]"));
            }
            if (text.length() == 0) {
                throw ActionRefusal.field("content must hold text");
            }
            return text.toString();
        }

        private static String part(CborValue part, String where) {
            if (!(part instanceof MapValue map)) {
                throw ActionRefusal.field(where + " must be a map");
            }
            if (!map.text("type").equals(Optional.of("text"))) {
                throw ActionRefusal.field(where + ".type must be text");
            }
            return map.text("text").orElseThrow(() -> ActionRefusal.field(where + ".text must be text"));
        }

        private static Payload event(String account, String signer, String text, Optional<String> clientMessageId) {
            Map<String, CborValue> event = new LinkedHashMap<>();
            event.put("type", CborValue.text("message"));
            event.put("role", CborValue.text("user"));
            event.put("content", CborValue.text(text));
            event.put("rawMarkdown", CborValue.text(text));
            clientMessageId.ifPresent(id -> event.put("clientMessageId", CborValue.text(id)));
            Map<String, CborValue> meta = new LinkedHashMap<>();
            meta.put("accountId", CborValue.text(account));
            meta.put("signerId", CborValue.text(signer));
            event.put("meta", CborValue.map(meta));
            return Payload.ofUtf8(DagCbor.toJson(CborValue.map(event)));
        }

        /** The beginning of the first line that says something. */
        private static String title(String text) {
            String line = text.lines()
                    .map(candidate -> candidate.replace('\0', ' ').strip())
                    .filter(candidate -> !candidate.isEmpty())
                    .findFirst()
                    .orElse("Message");
            if (line.length() <= TITLE_LENGTH) {
                return line;
            }
            boolean splitsPair = Character.isHighSurrogate(line.charAt(TITLE_LENGTH - 1));
            return line.substring(0, splitsPair ? TITLE_LENGTH - 1 : TITLE_LENGTH);
        }
    }

    /** {@code StopSession {sessionId} → {sessionId, stopped}}: a writer's; false when nothing was running. */
    record Stop(AgentsHttpPorts ports) implements ActionHandler {
        @Override
        public String name() {
            return "StopSession";
        }

        @Override
        public boolean ownTransactions() {
            return true;
        }

        /** Which run it is about is decided once: a later one is not stopped by the same message. */
        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String sessionId = call.fields().text("sessionId");
            String runId = ports.transactions().required(() -> {
                call.writableSession(sessionId);
                String live =
                        ports.directory().activeRun(sessionId).map(RunInfo::id).orElse("");
                call.begin(live);
                return live;
            });
            return runId.isEmpty()
                    ? reply(sessionId, false).now()
                    : ports.runs().cancel(runId).thenApply(stopped -> reply(sessionId, stopped));
        }

        @Override
        public Optional<ActionReply> outcome(ActionCall call, Begun begun) {
            Optional<Boolean> stopped = begun.reference().isEmpty()
                    ? Optional.of(false)
                    : RunActions.cancelledAgain(ports, begun.reference());
            return stopped.map(is -> reply(call.fields().text("sessionId"), is));
        }

        private static ActionReply reply(String sessionId, boolean stopped) {
            return ActionReply.of("sessionId", CborValue.text(sessionId), "stopped", CborValue.bool(stopped));
        }
    }
}
