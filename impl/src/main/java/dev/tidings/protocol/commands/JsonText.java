package dev.tidings.protocol.commands;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.tidings.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON objects to UTF-8 bytes; what is stored is copied as it is and never read. A value that is null is left out.
 *
 * <p>Threads: confined to the one that writes.
 */
final class JsonText {
    private final ByteArrayOutputStream bytes;
    // Confined: whether a comma is due before the next member.
    private boolean comma;

    JsonText(int expectedBytes) {
        bytes = new ByteArrayOutputStream(expectedBytes);
    }

    JsonText open() {
        bytes.write('{');
        comma = false;
        return this;
    }

    JsonText close() {
        bytes.write('}');
        comma = true;
        return this;
    }

    /** Begins a member whose value follows. */
    JsonText name(String name) {
        if (comma) {
            bytes.write(',');
        }
        quoted(name);
        bytes.write(':');
        comma = true;
        return this;
    }

    JsonText text(String name, @Nullable String value) {
        if (value != null) {
            name(name).quoted(value);
        }
        return this;
    }

    JsonText number(String name, long value) {
        return name(name).raw(Long.toString(value));
    }

    JsonText json(String name, @Nullable Payload value) {
        if (value != null) {
            name(name).raw(value);
        }
        return this;
    }

    JsonText raw(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    JsonText raw(Payload value) {
        bytes.writeBytes(value.toUtf8());
        return this;
    }

    JsonText raw(byte[] utf8) {
        bytes.writeBytes(utf8);
        return this;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    private void quoted(String text) {
        bytes.write('"');
        bytes.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(text));
        bytes.write('"');
    }
}
