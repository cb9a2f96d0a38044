package dev.tidings.runs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tidings.Approval;
import dev.tidings.Payload;
import dev.tidings.RunUsage;
import dev.tidings.spi.RunPlan;
import dev.tidings.spi.ToolCall;
import dev.tidings.spi.ToolResult;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The JSON of what a run stores. */
final class RunJson {

    private static final JsonFactory JSON = new JsonFactory();

    private RunJson() {}

    private interface Members {
        void write(JsonGenerator json) throws IOException;
    }

    /** {runId}. */
    static Payload started(String runId) {
        return object(json -> json.writeStringField("runId", runId));
    }

    /** {runId, reason: completed | cancelled}, or {type: error, message, runId, code, partialId?}. */
    static Payload finished(String runId, Outcome outcome, @Nullable String openPartialId) {
        return object(json -> {
            if (outcome instanceof Outcome.Failed failed) {
                json.writeStringField("type", "error");
                json.writeStringField("message", failed.publicText());
                json.writeStringField("runId", runId);
                json.writeStringField("code", failed.code());
                if (openPartialId != null) {
                    json.writeStringField("partialId", openPartialId);
                }
            } else {
                json.writeStringField("runId", runId);
                json.writeStringField("reason", outcome instanceof Outcome.Canceled ? "cancelled" : "completed");
            }
        });
    }

    /** {partialId, offset, text}: a piece of a message, which begins at that character of it. */
    static Payload delta(String partialId, long offset, String text) {
        return object(json -> {
            json.writeStringField("partialId", partialId);
            json.writeNumberField("offset", offset);
            json.writeStringField("text", text);
        });
    }

    /** The members that Tidings itself writes into the meta of an answer, behind the runner's own. */
    record Meta(@Nullable RunUsage usage, @Nullable Long durationMs) {}

    /** {type: message, role: assistant, content, interrupted?, meta}. */
    static Payload answer(String content, boolean interrupted, @Nullable Payload given, Meta meta) {
        return object(json -> {
            json.writeStringField("type", "message");
            json.writeStringField("role", "assistant");
            json.writeStringField("content", content);
            if (interrupted) {
                json.writeBooleanField("interrupted", true);
            }
            json.writeFieldName("meta");
            json.writeRawValue(merged(given, members -> {
                        Set<String> names = given == null ? Set.of() : names(given);
                        RunUsage usage = meta.usage();
                        if (usage != null && !names.contains("usage")) {
                            members.writeFieldName("usage");
                            write(members, usage);
                        }
                        Long durationMs = meta.durationMs();
                        if (durationMs != null && !names.contains("durationMs")) {
                            members.writeNumberField("durationMs", durationMs);
                        }
                    })
                    .text());
        });
    }

    /** {type: message, role: user, content}: what a parent tells its child. */
    static Payload prompt(String content) {
        return object(json -> {
            json.writeStringField("type", "message");
            json.writeStringField("role", "user");
            json.writeStringField("content", content);
        });
    }

    /** {type: tool_call, id, name, input}. */
    static Payload toolCall(ToolCall call) {
        return object(json -> {
            json.writeStringField("type", "tool_call");
            json.writeStringField("id", call.id());
            json.writeStringField("name", call.name());
            raw(json, "input", call.input());
        });
    }

    /** {type: tool_result, toolCallId, name, output?, error?, meta?}. */
    static Payload toolResult(ToolResult result) {
        return object(json -> {
            json.writeStringField("type", "tool_result");
            json.writeStringField("toolCallId", result.toolCallId());
            json.writeStringField("name", result.name());
            raw(json, "output", result.output());
            if (result.error() != null) {
                json.writeStringField("error", result.error());
            }
            raw(json, "meta", result.meta());
        });
    }

    /** {type: approval_requested, approvalId, toolCallId, name, input, expiresAt}. */
    static Payload approvalRequested(Approval approval, Payload input) {
        return object(json -> {
            approval(json, "approval_requested", approval);
            raw(json, "input", input);
            json.writeNumberField("expiresAt", approval.expiresAt());
        });
    }

    /** {type: approval_granted | approval_denied | approval_expired, approvalId, toolCallId, name, actor, reason?}. */
    static Payload approvalDecided(Approval approval, Approval.Status decision, @Nullable String reason) {
        return object(json -> {
            approval(json, "approval_" + decision.code(), approval);
            json.writeStringField("actor", decision == Approval.Status.EXPIRED ? "system" : "user");
            if (reason != null) {
                json.writeStringField("reason", reason);
            }
        });
    }

    private static void approval(JsonGenerator json, String type, Approval approval) throws IOException {
        json.writeStringField("type", type);
        json.writeStringField("approvalId", approval.id());
        json.writeStringField("toolCallId", approval.toolCallId());
        json.writeStringField("name", approval.name());
    }

    /** {reason: event, wakeAt, label}: a run that waits for an approval. */
    static Payload waitForApproval(Approval approval) {
        return object(json -> {
            json.writeStringField("reason", "event");
            json.writeNumberField("wakeAt", approval.expiresAt());
            json.writeStringField("label", "Approval of " + approval.name());
        });
    }

    /** {reason: children, pendingChildren}. */
    static Payload waitForChildren(int pending) {
        return object(json -> {
            json.writeStringField("reason", "children");
            json.writeNumberField("pendingChildren", pending);
        });
    }

    /** {title?, steps, ownerRunId, settledAt?}. */
    static Payload plan(RunPlan plan, String runId, long now) {
        return object(json -> {
            if (plan.title() != null) {
                json.writeStringField("title", plan.title());
            }
            json.writeArrayFieldStart("steps");
            for (RunPlan.Step step : plan.steps()) {
                json.writeStartObject();
                json.writeStringField("id", step.id());
                json.writeStringField("label", step.label());
                json.writeStringField("status", step.status().code());
                if (step.resolvedBy() != null) {
                    json.writeStringField("resolvedBy", step.resolvedBy());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeStringField("ownerRunId", runId);
            if (plan.settled()) {
                json.writeNumberField("settledAt", now);
            }
        });
    }

    private static void raw(JsonGenerator json, String name, @Nullable Payload value) throws IOException {
        if (value != null) {
            json.writeFieldName(name);
            json.writeRawValue(value.text());
        }
    }

    /** The details of a run, with its error. */
    static Payload withError(@Nullable Payload details, Outcome.Failed failed) {
        if (details != null && names(details).contains("error")) {
            return details;
        }
        return merged(details, json -> {
            json.writeObjectFieldStart("error");
            json.writeStringField("code", failed.code());
            json.writeStringField("message", failed.publicText());
            json.writeEndObject();
        });
    }

    /**
     * The details of a run with one member in place of what it was; null takes it away. The bytes of the others are kept.
     *
     * @return null if nothing is left
     */
    static @Nullable Payload with(@Nullable Payload details, String name, @Nullable Payload value) {
        Map<String, String> members = details == null ? new LinkedHashMap<>() : members(details);
        if (value == null) {
            members.remove(name);
        } else {
            members.put(name, value.text());
        }
        if (members.isEmpty()) {
            return null;
        }
        return object(json -> {
            for (Map.Entry<String, String> member : members.entrySet()) {
                json.writeFieldName(member.getKey());
                json.writeRawValue(member.getValue());
            }
        });
    }

    /** The members of an object as they are written. */
    private static Map<String, String> members(Payload object) {
        byte[] utf8 = object.toUtf8();
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(utf8)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not a JSON object");
            }
            JsonToken token = json.nextToken();
            while (token == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                int from = (int) json.currentTokenLocation().getByteOffset();
                json.skipChildren();
                token = json.nextToken();
                // Up to the next name or the end: the value, and perhaps a comma and space.
                int to = (int) json.currentTokenLocation().getByteOffset();
                String value = new String(utf8, from, to - from, StandardCharsets.UTF_8).strip();
                members.put(
                        name,
                        token == JsonToken.FIELD_NAME
                                ? value.substring(0, value.length() - 1).strip()
                                : value);
            }
            return members;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names of an object's members. */
    static Set<String> names(Payload object) {
        Set<String> names = new LinkedHashSet<>();
        try (JsonParser json = JSON.createParser(object.toUtf8())) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not a JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                names.add(json.currentName());
                json.nextToken();
                json.skipChildren();
            }
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(JsonGenerator json, RunUsage usage) throws IOException {
        json.writeStartObject();
        json.writeNumberField("input", usage.input());
        json.writeNumberField("output", usage.output());
        json.writeNumberField("cacheRead", usage.cacheRead());
        json.writeNumberField("cacheWrite", usage.cacheWrite());
        json.writeNumberField("total", usage.total());
        json.writeEndObject();
    }

    /** The object as it was given, with members added: its bytes are kept, so that no number loses a digit. */
    private static Payload merged(@Nullable Payload object, Members added) {
        String more = object(added).text();
        if (object == null) {
            return Payload.of(more);
        }
        String given = object.text();
        String inside =
                given.substring(given.indexOf('{') + 1, given.lastIndexOf('}')).strip();
        String moreInside = more.substring(1, more.length() - 1);
        String comma = inside.isEmpty() || moreInside.isEmpty() ? "" : ",";
        return Payload.of("{" + inside + comma + moreInside + "}");
    }

    private static Payload object(Members members) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Payload.of(text.toString());
    }
}
