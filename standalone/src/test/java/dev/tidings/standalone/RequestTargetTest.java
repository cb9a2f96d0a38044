package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/agents/ws", "/agents/ws?x=%00", "/a%20b", "/%c3%a9", "http://x/agents/ws", "http://x", "*"
            })
    void isSane_whatDecodes_is(String target) {
        assertTrue(RequestTarget.isSane(target));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../",
                "/%00",
                "/a/../../b",
                "/a/../b",
                "/a/.",
                "/a/%2e%2e/b",
                "/%2e%2e/",
                "/%zz",
                "/%",
                "/%4",
                "/%c0%af",
                "/\u0001",
                "/%7f",
                "/é",
                "/a/..\\..",
                "/a\\b",
                "/a%5cb",
                "/a%2F",
                "http://x/../y"
            })
    void isSane_whatDoesNot_isNot(String target) {
        assertFalse(RequestTarget.isSane(target));
    }
}
