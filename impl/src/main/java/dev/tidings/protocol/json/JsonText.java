package dev.tidings.protocol.json;

import dev.tidings.Payload;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * JSON in the making, as UTF-8 bytes; what is stored is copied as it is and never read. A member whose value is null is
 * left out.
 *
 * <p>Threads: confined to the one that writes.
 */
public final class JsonText {
    private static final int USUAL_BYTES = 256;

    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;
    private static final int LONGEST_CHARACTER = 6;
    private static final String HEX = "0123456789ABCDEF";

    /** What stands behind the backslash; 0 where there is none. */
    private static final char[] ESCAPES = escapes();

    // Confined, both.
    private byte[] bytes;
    private int size;
    // Confined: whether a comma is due before the next member.
    private boolean comma;

    /** Nothing yet. */
    public JsonText(int expectedBytes) {
        bytes = new byte[expectedBytes];
    }

    /** An object that is open. */
    public static JsonText object() {
        return new JsonText(USUAL_BYTES).open();
    }

    /** The UTF-8 bytes of an object with these members. */
    public static byte[] object(Consumer<JsonText> members) {
        return object(USUAL_BYTES, members);
    }

    /** The same, told how many bytes it will be, about. */
    public static byte[] object(int expectedBytes, Consumer<JsonText> members) {
        JsonText json = new JsonText(expectedBytes).open();
        members.accept(json);
        return json.close().bytes();
    }

    /** A member that is an object. */
    public JsonText object(String name, Consumer<JsonText> members) {
        name(name).open();
        members.accept(this);
        return close();
    }

    /** Opens an object. */
    public JsonText open() {
        write('{');
        comma = false;
        return this;
    }

    /** Closes the innermost object. */
    public JsonText close() {
        write('}');
        comma = true;
        return this;
    }

    /** Begins a member whose value follows. */
    public JsonText name(String name) {
        if (comma) {
            write(',');
        }
        quoted(name);
        write(':');
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

    /** A number with a fraction; one that JSON cannot hold is left out. */
    public JsonText decimal(String name, @Nullable Double value) {
        return value != null && Double.isFinite(value) ? number(name, value) : this;
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

    /** A part of what is JSON already. */
    public JsonText json(String name, byte[] utf8, int offset, int length) {
        return name(name).raw(utf8, offset, length);
    }

    /** JSON as it is. */
    public JsonText raw(String text) {
        return raw(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Likewise. */
    public JsonText raw(Payload value) {
        room(value.size());
        value.copyTo(bytes, size);
        size += value.size();
        return this;
    }

    /** Likewise. */
    public JsonText raw(byte[] utf8) {
        return raw(utf8, 0, utf8.length);
    }

    private JsonText raw(byte[] utf8, int offset, int length) {
        room(length);
        System.arraycopy(utf8, offset, bytes, size, length);
        size += length;
        return this;
    }

    /** What was written so far. */
    public byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    /** The same as text. */
    public String text() {
        return new String(bytes, 0, size, StandardCharsets.UTF_8);
    }

    private void write(char ascii) {
        room(1);
        bytes[size++] = (byte) ascii;
    }

    private void room(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(
                    bytes, Math.max(Math.addExact(size, more), (int) Math.min(MOST_BYTES, 2L * bytes.length)));
        }
    }

    private void quoted(String text) {
        room(text.length() + 2);
        bytes[size++] = '"';
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c < 0x80 && ESCAPES[c] == 0) {
                bytes[size++] = (byte) c;
                continue;
            }
            // One byte for each character that is left, and more for this one.
            room(text.length() - at + LONGEST_CHARACTER);
            if (c < 0x80) {
                escapedAscii(c);
            } else if (Character.isHighSurrogate(c)
                    && at + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(at + 1))) {
                pair(Character.toCodePoint(c, text.charAt(++at)));
            } else if (Character.isSurrogate(c)) {
                // Half of a character has no UTF-8 form but an escaped one. A text that was cut there comes
                // whole again when the peer joins its parts.
                escaped(c);
            } else if (c < 0x800) {
                bytes[size++] = (byte) (0xc0 | c >> 6);
                bytes[size++] = (byte) (0x80 | c & 0x3f);
            } else {
                bytes[size++] = (byte) (0xe0 | c >> 12);
                bytes[size++] = (byte) (0x80 | c >> 6 & 0x3f);
                bytes[size++] = (byte) (0x80 | c & 0x3f);
            }
        }
        write('"');
    }

    private void escapedAscii(char c) {
        if (ESCAPES[c] == 'u') {
            escaped(c);
        } else {
            bytes[size++] = '\\';
            bytes[size++] = (byte) ESCAPES[c];
        }
    }

    private void pair(int character) {
        bytes[size++] = (byte) (0xf0 | character >> 18);
        bytes[size++] = (byte) (0x80 | character >> 12 & 0x3f);
        bytes[size++] = (byte) (0x80 | character >> 6 & 0x3f);
        bytes[size++] = (byte) (0x80 | character & 0x3f);
    }

    private void escaped(char c) {
        bytes[size++] = '\\';
        bytes[size++] = 'u';
        for (int shift = 12; shift >= 0; shift -= 4) {
            bytes[size++] = (byte) HEX.charAt(c >> shift & 0xf);
        }
    }

    private static char[] escapes() {
        char[] escapes = new char[0x80];
        Arrays.fill(escapes, 0, ' ', 'u');
        String written = "\b\t\n\f\r\"\\";
        String told = "btnfr\"\\";
        for (int i = 0; i < written.length(); i++) {
            escapes[written.charAt(i)] = told.charAt(i);
        }
        return escapes;
    }
}
