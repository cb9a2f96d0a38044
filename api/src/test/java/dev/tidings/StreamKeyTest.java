package dev.tidings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamKeyTest {

    @Test
    void parse_eachKind_roundTrips() {
        for (String text : new String[] {"account/z6Mk", "agents/a", "sessions/ s\n", "runs/r"}) {
            assertEquals(text, StreamKey.parse(text).orElseThrow().text());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "agents", "agents/", "agents/a/b", "/a", "Agents/a", "foo/bar", " agents/a"})
    void parse_anythingElse_empty(String text) {
        assertEquals(Optional.empty(), StreamKey.parse(text));
    }
}
