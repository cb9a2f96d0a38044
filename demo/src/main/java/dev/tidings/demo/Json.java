package dev.tidings.demo;

import dev.tidings.Payload;

/** Makes small JSON values. */
final class Json {

    private Json() {}

    /** A JSON text. */
    static String text(String value) {
        StringBuilder json = new StringBuilder(value.length() + 16).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    /**
     * An object of names and values, which alternate.
     *
     * @param members names, and JSON values as they are written
     */
    static Payload object(String... members) {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < members.length; i += 2) {
            json.append(i == 0 ? "" : ",").append(text(members[i])).append(':').append(members[i + 1]);
        }
        return Payload.of(json.append('}').toString());
    }
}
