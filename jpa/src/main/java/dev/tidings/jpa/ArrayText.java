package dev.tidings.jpa;

/**
 * Many values as one argument: the text of a PostgreSQL array, which providers and drivers take as any other text.
 *
 * <p>Confined: one thread.
 */
final class ArrayText {

    private final StringBuilder text = new StringBuilder("{");

    ArrayText add(long number) {
        separate().append(number);
        return this;
    }

    ArrayText add(String value) {
        separate().append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c);
        }
        text.append('"');
        return this;
    }

    private StringBuilder separate() {
        return text.length() > 1 ? text.append(',') : text;
    }

    @Override
    public String toString() {
        return text + "}";
    }
}
