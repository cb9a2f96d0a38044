package dev.tidings.protocol.agents;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.RunInfo;
import dev.tidings.SessionInfo;
import dev.tidings.StreamKey;
import dev.tidings.Versioned;
import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.runs.Deadlines;
import dev.tidings.spi.RunFailure;
import dev.tidings.spi.SessionTools;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The action of a person's own use of a tool.
 *
 * <p>Three steps: the call is stored with the receipt, the tool works without a transaction and on a thread of its own, the
 * result is stored with the answer. A tool that takes longer than an action may take goes on, and what it gives is lost. A node that ends in between leaves a call without a result, which whoever asks again gets when the time that an
 * action may take is over; the tool is not called a second time.
 */
final class ToolActions {
    private static final List<String> VERBS = List.of("read", "write", "call");
    private static final String FAILED = "The tool failed";
    private static final String CUT = "The tool was interrupted";
    private static final String TOO_LONG = "The tool took too long";
    private static final int TRIES = 3;

    private ToolActions() {}

    /**
     * {@code InvokeSessionTool {sessionId, verb, input} → {sessionId, resultEventId, output?, error?}}: a writer's, while no
     * run of the session works. A tool's error is a result, not a refusal.
     */
    record Invoke(AgentsHttpPorts ports, Around around) implements ActionHandler {

        /**
         * What it works in.
         *
         * @param places where tools work
         * @param workers where results are stored
         * @param timeout how long an action may take
         * @param deadlines keep it
         */
        record Around(
                ToolPlaces places, Executor workers, Duration timeout, Deadlines deadlines, InstantSource clock) {}

        /** What a tool gave: one of the two. */
        private record Result(
                @Nullable Payload output, @Nullable String error) {}

        @Override
        public String name() {
            return "InvokeSessionTool";
        }

        @Override
        public boolean ownTransactions() {
            return true;
        }

        @Override
        public CompletionStage<ActionReply> handle(ActionCall call) {
            String sessionId = call.fields().text("sessionId");
            String verb = verb(call);
            CborValue input = call.fields().any("input");
            SessionInfo seen = call.writableSession(sessionId);
            SessionTools tools = ports.tools()
                    .orElseThrow(() ->
                            new ActionRefusal(ActionCode.NO_SESSION_TOOLS, "This server has no tools for sessions"));
            String toolCallId = "user-" + UUID.randomUUID();
            Payload asked = Payload.ofUtf8(DagCbor.toJson(input));
            // Before anything is stored: a refusal leaves nothing.
            if (!around.places().take()) {
                throw new ActionRefusal(ActionCode.TOO_MANY_TOOLS, "Too many tools are in use");
            }
            SessionInfo session;
            boolean stored = false;
            try {
                session = ports.transactions().required(() -> {
                    SessionInfo now = idle(call, sessionId);
                    append(sessionId, toolCallId + "-call", called(toolCallId, verb, input));
                    call.begin(toolCallId);
                    return now;
                });
                stored = true;
            } finally {
                if (!stored) {
                    around.places().free();
                }
            }
            return used(() -> use(tools, session, call.account(), verb, asked))
                    .thenApplyAsync(result -> store(call, seen.id(), toolCallId, verb, result), around.workers());
        }

        private CompletableFuture<Result> used(Supplier<Result> tool) {
            CompletableFuture<Result> result = new CompletableFuture<>();
            try {
                around.places().use(() -> result.complete(tool.get()));
            } catch (RuntimeException | Error noThread) {
                result.complete(new Result(null, FAILED));
            }
            return around.deadlines().complete(result, new Result(null, TOO_LONG), around.timeout());
        }

        private static String verb(ActionCall call) {
            String verb = call.fields().text("verb");
            if (!VERBS.contains(verb)) {
                throw ActionRefusal.field("verb must be read, write or call");
            }
            return verb;
        }

        /** The session, locked, so that no run begins meanwhile. */
        private SessionInfo idle(ActionCall call, String sessionId) {
            SessionInfo session = ports.directoryWriter()
                    .changeSession(sessionId, s -> s)
                    .map(Versioned::value)
                    .orElseThrow(ActionRefusal::sessionNotFound);
            call.writableSession(sessionId);
            Optional<RunInfo> live = ports.directory().activeRun(sessionId);
            if (live.isPresent()) {
                throw new ActionRefusal(ActionCode.RUN_ACTIVE, "A run of this session is active");
            }
            return session;
        }

        private static Result use(SessionTools tools, SessionInfo session, String account, String verb, Payload input) {
            try {
                return new Result(tools.invoke(session, account, verb, input), null);
            } catch (RunFailure failure) {
                return new Result(null, failure.publicText());
            } catch (RuntimeException | Error failure) {
                return new Result(null, FAILED);
            }
        }

        /** Tries again at once: what the tool did is done, and must not be lost for a moment's trouble. */
        private ActionReply store(ActionCall call, String sessionId, String toolCallId, String verb, Result result) {
            for (int i = 1; ; i++) {
                try {
                    return ports.transactions().required(() -> storeOnce(call, sessionId, toolCallId, verb, result));
                } catch (RuntimeException failure) {
                    if (i == TRIES) {
                        throw failure;
                    }
                }
            }
        }

        private ActionReply storeOnce(
                ActionCall call, String sessionId, String toolCallId, String verb, Result result) {
            String eventId = toolCallId + "-result";
            Map<String, CborValue> reply = new LinkedHashMap<>();
            reply.put("sessionId", CborValue.text(sessionId));
            reply.put("resultEventId", CborValue.text(eventId));
            Map<String, CborValue> event = event("tool_result");
            event.put("toolCallId", CborValue.text(toolCallId));
            event.put("name", CborValue.text(verb));
            Payload output = result.output();
            String error = result.error();
            if (output != null) {
                CborValue value = DagCbor.fromJson(output.toUtf8());
                event.put("output", value);
                reply.put("output", value);
            } else if (error != null) {
                event.put("error", CborValue.text(error));
                reply.put("error", CborValue.text(error));
            }
            event.put("actor", CborValue.text("user"));
            append(sessionId, eventId, event);
            ActionReply answer = new ActionReply(reply);
            call.finish(answer);
            return answer;
        }

        private static Map<String, CborValue> called(String toolCallId, String verb, CborValue input) {
            Map<String, CborValue> event = event("tool_call");
            event.put("id", CborValue.text(toolCallId));
            event.put("name", CborValue.text(verb));
            event.put("input", input);
            event.put("actor", CborValue.text("user"));
            return event;
        }

        private static Map<String, CborValue> event(String type) {
            Map<String, CborValue> event = new LinkedHashMap<>();
            event.put("type", CborValue.text(type));
            return event;
        }

        private void append(String sessionId, String eventId, Map<String, CborValue> event) {
            ports.writer()
                    .append(
                            StreamKey.session(sessionId),
                            new NewEntry(
                                    eventId,
                                    EntryKind.EVENT,
                                    true,
                                    Payload.ofUtf8(DagCbor.toJson(CborValue.map(event))),
                                    null,
                                    around.clock().millis()));
        }

        /** While the first may still be at work, nothing is known; then the call was cut. */
        @Override
        public Optional<ActionReply> outcome(ActionCall call, Begun begun) {
            if (around.clock().millis() - begun.at() <= around.timeout().toMillis()) {
                return Optional.empty();
            }
            return Optional.of(
                    store(call, call.fields().text("sessionId"), begun.reference(), verb(call), new Result(null, CUT)));
        }
    }
}
