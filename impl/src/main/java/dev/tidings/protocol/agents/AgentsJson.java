package dev.tidings.protocol.agents;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.tidings.AgentActivity;
import dev.tidings.AgentInfo;
import dev.tidings.Collaborator;
import dev.tidings.Payload;
import dev.tidings.Role;
import dev.tidings.RunActivity;
import dev.tidings.RunInfo;
import dev.tidings.RunUsage;
import dev.tidings.SessionInfo;
import dev.tidings.StoredEntry;
import dev.tidings.protocol.json.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON shapes of the protocol (A7), each as the UTF-8 bytes of one object, and as members for a larger one.
 *
 * <p>A member without a value is absent. Members come in the order that clients know from recordings. What a backend
 * stored as JSON is spliced in byte for byte, so numbers of any size survive.
 *
 * <p>Threads: pure; any number at once.
 */
final class AgentsJson {
    private static final int ROOM = 256;

    /** The members of a run's details, in wire order; others are not shown. */
    private static final List<String> DETAILS_BEFORE_DEPTH = List.of("continuedFromRunId");

    private static final List<String> DETAILS_BEFORE_STATUS = List.of("stepLabel", "planStepId", "sourceText");
    private static final List<String> DETAILS_BEHIND_STATUS = List.of("wait", "plan", "error", "unmetObligations");

    // What was stored is shown: a payload may hold longer numbers and texts than a parser takes from strangers.
    private static final StreamReadConstraints STORED = StreamReadConstraints.builder()
            .maxNumberLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .build();

    static final JsonFactory JSON =
            new JsonFactoryBuilder().streamReadConstraints(STORED).build();

    private AgentsJson() {}

    /** A SessionEvent. The entry has a number. */
    static byte[] sessionEvent(StoredEntry entry) {
        return JsonText.object(entry.payload().size() + ROOM, json -> write(json, entry));
    }

    /** A SessionInfo. */
    static byte[] session(SessionInfo session) {
        return JsonText.object(json -> write(json, session));
    }

    /** An AgentInfo as somebody in that role sees it. */
    static byte[] agent(AgentInfo agent, @Nullable Role accessRole) {
        return JsonText.object(agent.definition().size() + ROOM, json -> write(json, agent, accessRole));
    }

    /** An AgentActivity. */
    static byte[] activity(AgentActivity activity) {
        return JsonText.object(json -> write(json, activity));
    }

    /** A RunInfo. */
    static byte[] run(RunInfo run) {
        return JsonText.object(json -> write(json, run));
    }

    /** An AgentRunUsage. */
    static byte[] usage(RunUsage usage) {
        return JsonText.object(json -> write(json, usage));
    }

    /** An AgentRunActivity. */
    static byte[] runActivity(RunActivity activity) {
        return JsonText.object(json -> write(json, activity));
    }

    /** A collaborator, as {@code ListAgentCollaborators} shows one. */
    static byte[] collaborator(Collaborator collaborator) {
        return JsonText.object(json -> write(json, collaborator));
    }

    /** An invitation, as {@code ListAgentInvites} shows one. */
    static byte[] invite(Collaborator collaborator) {
        return JsonText.object(json -> {
            json.text("agentId", collaborator.agentId());
            write(json, collaborator);
        });
    }

    /** An entry of a run's journal. */
    static byte[] journalEntry(StoredEntry entry) {
        return JsonText.object(entry.payload().size() + ROOM, json -> {
            json.text("runId", entry.runId());
            json.number("seq", entry.seq());
            json.json("entry", entry.payload());
            json.number("createdAt", entry.createdAt());
        });
    }

    static void write(JsonText json, StoredEntry entry) {
        json.text("id", entry.id());
        json.text("sessionId", entry.stream().id());
        json.number("seq", entry.seq());
        json.json("event", entry.payload());
        json.number("createdAt", entry.createdAt());
    }

    static void write(JsonText json, SessionInfo session) {
        json.text("id", session.id());
        json.text("account", session.account());
        json.text("agentId", session.agentId());
        json.text("title", session.title());
        json.text("status", session.status().code());
        json.json("startedByTrigger", session.startedByTrigger());
        json.text("parentSessionId", session.parentSessionId());
        json.text("runId", session.runId());
        json.json("plan", session.plan());
        if (session.childSessionCount() > 0) {
            json.number("childSessionCount", session.childSessionCount());
        }
        json.json("modelOverride", session.modelOverride());
        json.text("description", session.description());
        json.number("createdAt", session.createdAt());
        json.number("updatedAt", session.updatedAt());
    }

    static void write(JsonText json, AgentInfo agent, @Nullable Role accessRole) {
        json.text("id", agent.id());
        json.text("account", agent.account());
        json.json("definition", agent.definition());
        json.text("stateDir", agent.stateDir() == null ? "" : agent.stateDir());
        json.text("status", agent.status().code());
        json.number("createdAt", agent.createdAt());
        json.number("updatedAt", agent.updatedAt());
        json.text("accessRole", accessRole == null ? null : accessRole.code());
        json.flag("publicRead", agent.publicRead());
    }

    static void write(JsonText json, AgentActivity activity) {
        json.number("at", activity.at());
        json.text("kind", activity.kind());
        json.number("messageAt", activity.messageAt());
        json.text("messageFrom", activity.messageFrom());
        json.text("sessionId", activity.sessionId());
        json.flag("busy", activity.busy());
    }

    static void write(JsonText json, RunInfo run) {
        Details details = Details.of(run.details());
        RunInfo.Lineage lineage = run.lineage();
        json.text("id", run.id());
        json.text("account", run.account());
        json.text("rootRunId", run.rootRunId());
        json.text("parentRunId", lineage.parentRunId());
        json.text("parentToolCallId", lineage.parentToolCallId());
        details.write(json, DETAILS_BEFORE_DEPTH);
        json.number("depth", lineage.depth());
        json.text("kind", run.kind());
        json.text("agentId", run.agentId());
        json.text("sessionId", run.sessionId());
        json.text("origin", run.origin());
        json.text("title", run.title());
        details.write(json, DETAILS_BEFORE_STATUS);
        if (lineage.childRunCount() > 0) {
            json.number("childRunCount", lineage.childRunCount());
        }
        json.text("status", run.status().code());
        details.write(json, DETAILS_BEHIND_STATUS);
        RunUsage usage = run.usage();
        if (usage != null) {
            json.object("usage", members -> write(members, usage));
        }
        json.number("createdAt", run.createdAt());
        json.number("startedAt", run.startedAt());
        json.number("finishedAt", run.finishedAt());
        json.number("updatedAt", run.updatedAt());
    }

    static void write(JsonText json, RunUsage usage) {
        json.number("input", usage.input());
        json.number("output", usage.output());
        json.number("cacheRead", usage.cacheRead());
        json.number("cacheWrite", usage.cacheWrite());
        json.number("total", usage.total());
    }

    static void write(JsonText json, RunActivity activity) {
        json.text("phase", activity.phase().code());
        json.text("toolName", activity.toolName());
        json.text("toolCallId", activity.toolCallId());
        json.text("detail", activity.detail());
        json.text("outputTail", activity.outputTail());
    }

    static void write(JsonText json, Collaborator collaborator) {
        json.text("accountId", collaborator.accountId());
        json.text("role", collaborator.role().code());
        json.text("status", collaborator.status().code());
        json.number("createdAt", collaborator.createdAt());
        json.number("updatedAt", collaborator.updatedAt());
    }

    /** Where each member's value lies in the bytes of a run's details. */
    private record Details(byte[] utf8, Map<String, Span> spans) {
        private static final Details NONE = new Details(new byte[0], Map.of());

        private record Span(int from, int to) {}

        static Details of(@Nullable Payload payload) {
            if (payload == null) {
                return NONE;
            }
            byte[] utf8 = payload.toUtf8();
            Map<String, Span> spans = new HashMap<>();
            try (JsonParser parser = JSON.createParser(utf8)) {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    return NONE;
                }
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    JsonToken value = parser.nextToken();
                    int from = (int) parser.currentTokenLocation().getByteOffset();
                    parser.finishToken();
                    parser.skipChildren();
                    int to = (int) parser.currentLocation().getByteOffset();
                    if (value != JsonToken.VALUE_NULL) {
                        spans.put(name, new Span(from, to));
                    }
                }
            } catch (IOException impossible) {
                throw new UncheckedIOException("a payload is JSON", impossible);
            }
            return new Details(utf8, spans);
        }

        void write(JsonText json, List<String> names) {
            for (String name : names) {
                Span span = spans.get(name);
                if (span != null) {
                    json.json(name, utf8, span.from(), span.to() - span.from());
                }
            }
        }
    }
}
