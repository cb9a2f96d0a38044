package dev.tidings;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * A strict check that bytes are exactly one JSON value (RFC 8259).
 *
 * <p>Stored payloads are spliced into frames without being parsed again, so this is the one place that keeps a malformed
 * payload from breaking a frame. It builds nothing and allocates nothing per value.
 */
final class JsonCheck {

    static final int MAX_DEPTH = 512;

    private final byte[] json;
    // Confined: one check, one thread.
    private int at;

    private JsonCheck(byte[] json) {
        this.json = json;
    }

    static void requireOneValue(byte[] json) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not valid UTF-8");
        }
        JsonCheck check = new JsonCheck(json);
        check.space();
        check.value(0);
        check.space();
        if (check.at != json.length) {
            throw check.malformed();
        }
    }

    private void value(int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("JSON nested deeper than " + MAX_DEPTH + " levels");
        }
        switch (peek()) {
            case '{' -> members(depth);
            case '[' -> elements(depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    private void members(int depth) {
        at++;
        space();
        if (peek() == '}') {
            at++;
            return;
        }
        while (true) {
            space();
            string();
            space();
            expect(':');
            space();
            value(depth + 1);
            space();
            if (next() == '}') {
                return;
            }
            back(',');
        }
    }

    private void elements(int depth) {
        at++;
        space();
        if (peek() == ']') {
            at++;
            return;
        }
        while (true) {
            space();
            value(depth + 1);
            space();
            if (next() == ']') {
                return;
            }
            back(',');
        }
    }

    private void string() {
        expect('"');
        while (true) {
            int c = next();
            if (c == '"') {
                return;
            }
            if (c >= 0 && c < 0x20) {
                throw malformed();
            }
            if (c == '\\') {
                escape();
            }
        }
    }

    private void escape() {
        int c = next();
        if (c != 'u') {
            if ("\"\\/bfnrt".indexOf(c) < 0) {
                throw malformed();
            }
            return;
        }
        int unit = hex4();
        if (Character.isLowSurrogate((char) unit)) {
            throw loneSurrogate();
        }
        if (Character.isHighSurrogate((char) unit)
                && (next() != '\\' || next() != 'u' || !Character.isLowSurrogate((char) hex4()))) {
            throw loneSurrogate();
        }
    }

    private int hex4() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), 16);
            if (digit < 0) {
                throw malformed();
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    private void number() {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (at < json.length && json[at] == '.') {
            at++;
            digits();
        }
        if (at < json.length && (json[at] | 0x20) == 'e') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
    }

    private void digits() {
        int start = at;
        while (at < json.length && json[at] >= '0' && json[at] <= '9') {
            at++;
        }
        if (at == start) {
            throw malformed();
        }
    }

    private void word(String word) {
        for (int i = 0; i < word.length(); i++) {
            expect(word.charAt(i));
        }
    }

    private void space() {
        while (at < json.length && (json[at] == ' ' || json[at] == '\t' || json[at] == '\n' || json[at] == '\r')) {
            at++;
        }
    }

    private int peek() {
        if (at >= json.length) {
            throw malformed();
        }
        return json[at];
    }

    private int next() {
        int c = peek();
        at++;
        return c;
    }

    private void expect(char c) {
        if (next() != c) {
            throw malformed();
        }
    }

    /** The byte just read must be {@code c}. */
    private void back(char c) {
        if (json[at - 1] != c) {
            throw malformed();
        }
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("malformed JSON at byte " + at);
    }

    private IllegalArgumentException loneSurrogate() {
        return new IllegalArgumentException("lone surrogate at byte " + at);
    }
}
