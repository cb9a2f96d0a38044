package dev.tidings.protocol.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.tidings.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * JSON in the making, as UTF-8 bytes; what is stored is copied as it is and never read. A member whose value is null is
 * left out.
 *
 * <p>Threads: confined to the one that writes.
 */
public final class JsonText {
    private static final int USUAL_BYTES = 256;

    private final ByteArrayOutputStream bytes;
    // Confined: whether a comma is due before the next member.
    private boolean comma;

    /** Nothing yet. */
    public JsonText(int expectedBytes) {
        bytes = new ByteArrayOutputStream(expectedBytes);
    }

    /** An object that is open. */
    public static JsonText object() {
        return new JsonText(USUAL_BYTES).open();
    }

    /** Opens an object. */
    public JsonText open() {
        bytes.write('{');
        comma = false;
        return this;
    }

    /** Closes the innermost object. */
    public JsonText close() {
        bytes.write('}');
        comma = true;
        return this;
    }

    /** Begins a member whose value follows. */
    public JsonText name(String name) {
        if (comma) {
            bytes.write(',');
        }
        quoted(name);
        bytes.write(':');
        comma = true;
        return this;
    }

    /** A member that is text. */
    public JsonText text(String name, @Nullable String value) {
        if (value != null) {
            name(name).quoted(value);
        }
        return this;
    }

    /** A member that is a whole number. */
    public JsonText number(String name, long value) {
        return name(name).raw(Long.toString(value));
    }

    /** A member that is a number. */
    public JsonText number(String name, @Nullable Number value) {
        return value == null ? this : name(name).raw(value.toString());
    }

    /** A member that is true or false. */
    public JsonText flag(String name, boolean value) {
        return name(name).raw(Boolean.toString(value));
    }

    /** A member whose value is JSON already. */
    public JsonText json(String name, @Nullable String value) {
        return value == null ? this : name(name).raw(value);
    }

    /** Likewise. */
    public JsonText json(String name, @Nullable Payload value) {
        if (value != null) {
            name(name).raw(value);
        }
        return this;
    }

    /** JSON as it is. */
    public JsonText raw(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Likewise. */
    public JsonText raw(Payload value) {
        bytes.writeBytes(value.toUtf8());
        return this;
    }

    /** Likewise. */
    public JsonText raw(byte[] utf8) {
        bytes.writeBytes(utf8);
        return this;
    }

    /** What was written so far. */
    public byte[] bytes() {
        return bytes.toByteArray();
    }

    /** The same as text. */
    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private void quoted(String text) {
        bytes.write('"');
        bytes.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(text));
        bytes.write('"');
    }
}
