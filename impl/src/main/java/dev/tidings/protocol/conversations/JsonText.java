package dev.tidings.protocol.conversations;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.tidings.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object in the making. A member without a value is left out; what was stored is spliced in as it is.
 *
 * <p>Threads: confined to the one that writes it.
 */
final class JsonText {
    // What was stored is shown: a payload may hold longer numbers and texts than a parser takes from strangers.
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final StringBuilder text = new StringBuilder(256).append('{');

    JsonText text(String name, @Nullable String value) {
        if (value != null) {
            name(name).append('"');
            JsonStringEncoder.getInstance().quoteAsString(value, text);
            text.append('"');
        }
        return this;
    }

    JsonText number(String name, @Nullable Number value) {
        if (value != null) {
            name(name).append(value);
        }
        return this;
    }

    JsonText flag(String name, boolean value) {
        name(name).append(value);
        return this;
    }

    /** A member whose value is JSON already. */
    JsonText json(String name, @Nullable String value) {
        if (value != null) {
            name(name).append(value);
        }
        return this;
    }

    JsonText json(String name, @Nullable Payload value) {
        return json(name, value == null ? null : value.text());
    }

    String close() {
        return text.append('}').toString();
    }

    private StringBuilder name(String name) {
        if (text.length() > 1) {
            text.append(',');
        }
        text.append('"');
        JsonStringEncoder.getInstance().quoteAsString(name, text);
        return text.append("\":");
    }

    /** The members of an object, each value as it is written; none if the payload is not an object. */
    static Map<String, String> members(Payload payload) {
        byte[] utf8 = payload.toUtf8();
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(utf8)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return members;
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
}
