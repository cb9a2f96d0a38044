package dev.tidings;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds members of a JSON object without building anything else. It relies on {@link JsonCheck} having passed.
 */
final class JsonMembers {

    private final byte[] json;
    // Confined: one search, one thread.
    private int at;

    private JsonMembers(byte[] json) {
        this.json = json;
    }

    static Map<String, String> texts(byte[] json, Set<String> names) {
        JsonMembers search = new JsonMembers(json);
        search.space();
        Map<String, String> found = new HashMap<>();
        if (json[search.at] == '{') {
            search.object(names, found, (name, from, to) -> found.remove(name));
        }
        return found;
    }

    /** @param names null for all */
    static Map<String, byte[]> values(byte[] json, @Nullable Set<String> names) {
        JsonMembers search = new JsonMembers(json);
        search.space();
        Map<String, byte[]> found = new LinkedHashMap<>();
        if (json[search.at] == '{') {
            search.object(names, null, (name, from, to) -> found.put(name, Arrays.copyOfRange(json, from, to)));
        }
        return found;
    }

    /** What is done with a member whose value stands between two places. */
    private interface Found {
        void at(String name, int from, int to);
    }

    private void object(@Nullable Set<String> names, @Nullable Map<String, String> texts, Found others) {
        at++;
        space();
        while (json[at] != '}') {
            String name = string();
            space();
            at++;
            space();
            if (names != null && !names.contains(name)) {
                skipValue();
            } else if (texts != null && json[at] == '"') {
                texts.put(name, string());
            } else {
                // The last of several equal names counts, as in every JSON parser in use.
                int from = at;
                skipValue();
                others.at(name, from, at);
            }
            space();
            if (json[at] == ',') {
                at++;
                space();
            }
        }
    }

    private String string() {
        int start = ++at;
        boolean escaped = false;
        while (json[at] != '"') {
            escaped |= json[at] == '\\';
            at += json[at] == '\\' ? 2 : 1;
        }
        int end = at++;
        return escaped ? unescaped(start, end) : new String(json, start, end - start, StandardCharsets.UTF_8);
    }

    private String unescaped(int start, int end) {
        StringBuilder text = new StringBuilder();
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        for (int i = start; i < end; i++) {
            if (json[i] != '\\') {
                plain.write(json[i]);
                continue;
            }
            text.append(plain.toString(StandardCharsets.UTF_8));
            plain.reset();
            char c = (char) json[++i];
            if (c == 'u') {
                text.append((char) Integer.parseInt(new String(json, i + 1, 4, StandardCharsets.US_ASCII), 16));
                i += 4;
            } else {
                int control = "bfnrt".indexOf(c);
                text.append(control < 0 ? c : "\b\f\n\r\t".charAt(control));
            }
        }
        return text.append(plain.toString(StandardCharsets.UTF_8)).toString();
    }

    /** Goes behind a value: behind its text, its brackets, or up to what ends a word or number. */
    private void skipValue() {
        int depth = 0;
        do {
            switch (json[at]) {
                case '"' -> string();
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    depth--;
                    at++;
                }
                case ',', ':', ' ', '\t', '\n', '\r' -> at++;
                default -> word();
            }
        } while (depth > 0);
    }

    private void word() {
        while (at < json.length && ",:]} \t\n\r".indexOf(json[at]) < 0) {
            at++;
        }
    }

    private void space() {
        while (at < json.length && (json[at] == ' ' || json[at] == '\t' || json[at] == '\n' || json[at] == '\r')) {
            at++;
        }
    }
}
