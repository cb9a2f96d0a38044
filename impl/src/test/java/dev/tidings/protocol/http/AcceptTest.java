package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptTest {
    private static boolean asksForEvents(String accept) {
        return Accept.of(accept).prefers("text/event-stream", "application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/event-stream",
                "Text/Event-Stream; charset=utf-8",
                "text/event-stream, */*;q=0.1",
                "text/event-stream, */*",
                "application/json, text/event-stream",
                "application/json;q=0.5, text/event-stream;q=0.8",
                "text/event-stream;q=0.001",
                "text/*",
                "application/json;q=0, */*"
            })
    void prefers_whatIsNamedOrLikedMore_isTrue(String accept) {
        assertEquals(true, asksForEvents(accept));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "application/json",
                "text/event-stream;q=0",
                "text/event-stream; Q=0.000, */*",
                "text/event-stream;charset=utf-8;q=0.0",
                "application/json, text/event-stream;q=0.9",
                "text/event-stream;q=x",
                "text/event-stream;q=-1",
                "text/event-streams",
                "x-text/event-stream",
                "text/event-stream;q=0, text/*",
                ",;,"
            })
    void prefers_whatIsNotWantedOrLikedLess_isFalse(String accept) {
        assertEquals(false, asksForEvents(accept));
    }
}
