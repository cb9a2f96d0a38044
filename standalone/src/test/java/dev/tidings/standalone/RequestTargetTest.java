package dev.tidings.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/agents/ws",
                "/agents/ws?x=%00",
                "/a/../b",
                "/a%20b",
                "/%c3%a9",
                "/a/%2e%2e/b",
                "http://x/agents/ws",
                "*",
                "/a%2F"
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
                "/%2e%2e/",
                "/%zz",
                "/%",
                "/%4",
                "/%c0%af",
                "/\u0001",
                "/%7f",
                "/é",
                "/a/..\\.."
            })
    void isSane_whatDoesNot_isNot(String target) {
        assertFalse(RequestTarget.isSane(target));
    }
}
