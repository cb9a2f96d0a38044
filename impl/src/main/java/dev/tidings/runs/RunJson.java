package dev.tidings.runs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tidings.Payload;
import dev.tidings.RunUsage;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
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

    /** The members that Tidings itself writes into the meta of an answer, behind the runner's own. */
    record Meta(@Nullable RunUsage usage, long durationMs) {}

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
                        if (!names.contains("durationMs")) {
                            members.writeNumberField("durationMs", meta.durationMs());
                        }
                    })
                    .text());
        });
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
