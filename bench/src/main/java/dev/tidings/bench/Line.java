package dev.tidings.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * A line that was printed, read again.
 *
 * <p>Threads: immutable.
 */
record Line(JsonNode members) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Line parse(String json) {
        try {
            return new Line(JSON.readTree(json));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a line of results", e);
        }
    }

    String text(String name) {
        return members.path(name).asText();
    }

    /** The figure of that name; NaN if there is none. */
    double figure(String name) {
        return members.path(name).asDouble(Double.NaN);
    }

    /** Whether it was measured in the same turn as another one. */
    boolean pairs(Line other) {
        return text("run").equals(other.text("run")) && text("round").equals(other.text("round"));
    }
}
