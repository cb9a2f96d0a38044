package dev.tidings.envelope;

import dev.tidings.envelope.Checked.Accepted;
import dev.tidings.envelope.Checked.Refused;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a client sent as text: a JSON array of numbers from 0 to 255.
 *
 * <p>Read by hand: it is one rule, and a JSON library would make an object of every number.
 */
final class ByteValuesText {
    private static final int END = -1;
    private static final int FAULT = -2;

    private final String text;

    // Confined: one reader reads one text on one thread.
    private int at;

    private ByteValuesText(String text) {
        this.text = text;
    }

    static Checked<byte[]> read(String text) {
        byte[] bytes = new ByteValuesText(text).bytesOrNull();
        return bytes == null ? new Refused<>(Refusal.of(RefusalCode.NOT_BYTE_VALUES)) : new Accepted<>(bytes);
    }

    private byte @Nullable [] bytesOrNull() {
        if (peek() != '[') {
            return null;
        }
        at++;
        // Each value takes at least a digit and a comma.
        byte[] bytes = new byte[text.length() / 2];
        int count = 0;
        if (peek() == ']') {
            at++;
        } else {
            int separator;
            do {
                int value = number();
                separator = peek();
                at++;
                if (value == FAULT || (separator != ',' && separator != ']')) {
                    return null;
                }
                bytes[count++] = (byte) value;
            } while (separator == ',');
        }
        return peek() == END ? Arrays.copyOf(bytes, count) : null;
    }

    /** The next character that is no white space, not taken. */
    private int peek() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : END;
    }

    private int number() {
        int first = peek();
        int start = at;
        int value = 0;
        while (at < text.length() && at - start < 4 && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            value = value * 10 + text.charAt(at) - '0';
            at++;
        }
        int digits = at - start;
        boolean wellFormed = digits == 1 || (digits > 1 && first != '0');
        return wellFormed && value <= 255 ? value : FAULT;
    }
}
