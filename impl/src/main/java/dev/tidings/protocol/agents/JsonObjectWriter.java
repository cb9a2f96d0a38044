package dev.tidings.protocol.agents;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.tidings.Payload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON object to UTF-8 bytes. A member whose value is null is left out; a payload's bytes are copied as they
 * are and never read.
 *
 * <p>Threads: confined to the one that writes the object.
 */
final class JsonObjectWriter {

    // What was stored is shown: a payload may hold longer numbers and texts than a parser takes from strangers.
    private static final StreamReadConstraints STORED = StreamReadConstraints.builder()
            .maxNumberLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .build();

    static final JsonFactory JSON =
            new JsonFactoryBuilder().streamReadConstraints(STORED).build();

    private static final int USUAL_BYTES = 512;

    private final ByteArrayOutputStream bytes;
    private final JsonGenerator json;

    private JsonObjectWriter(int expectedBytes) throws IOException {
        bytes = new ByteArrayOutputStream(expectedBytes);
        json = JSON.createGenerator(bytes);
    }

    /** Something that writes members; it may not throw anything of its own. */
    @FunctionalInterface
    interface Members {
        void writeTo(JsonObjectWriter object) throws IOException;
    }

    /** The UTF-8 bytes of an object with these members. */
    static byte[] object(Members members) {
        return object(USUAL_BYTES, members);
    }

    /** The same, told how many bytes it will be, about. */
    static byte[] object(int expectedBytes, Members members) {
        try {
            JsonObjectWriter writer = new JsonObjectWriter(expectedBytes);
            writer.json.writeStartObject();
            members.writeTo(writer);
            writer.json.writeEndObject();
            writer.json.close();
            return writer.bytes.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
    }

    void text(String name, @Nullable String value) throws IOException {
        if (value == null) {
            return;
        }
        json.writeFieldName(name);
        if (halfCharacter(value)) {
            // Half of a character has no UTF-8 form but an escaped one. A text that was cut there comes whole again
            // when
            // the peer joins its parts.
            json.writeString(value);
        } else {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            json.writeUTF8String(utf8, 0, utf8.length);
        }
    }

    private static boolean halfCharacter(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (Character.isSurrogate(text.charAt(at))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(at))) {
                    return true;
                }
                at++;
            }
        }
        return false;
    }

    void number(String name, long value) throws IOException {
        json.writeNumberField(name, value);
    }

    void number(String name, @Nullable Long value) throws IOException {
        if (value != null) {
            json.writeNumberField(name, value.longValue());
        }
    }

    /** A number with a fraction; one that JSON cannot hold is left out. */
    void decimal(String name, @Nullable Double value) throws IOException {
        if (value != null && Double.isFinite(value)) {
            json.writeNumberField(name, value.doubleValue());
        }
    }

    void flag(String name, boolean value) throws IOException {
        json.writeBooleanField(name, value);
    }

    /** A member that is an object. */
    void object(String name, Members members) throws IOException {
        json.writeObjectFieldStart(name);
        members.writeTo(this);
        json.writeEndObject();
    }

    void raw(String name, @Nullable Payload value) throws IOException {
        if (value != null) {
            byte[] utf8 = value.toUtf8();
            raw(name, utf8, 0, utf8.length);
        }
    }

    /** A member whose value is already JSON. */
    void raw(String name, byte[] utf8, int offset, int length) throws IOException {
        json.writeFieldName(name);
        // An empty raw value makes the generator write what stands before a value; the value then goes behind it.
        json.writeRawValue("");
        json.flush();
        bytes.write(utf8, offset, length);
    }
}
