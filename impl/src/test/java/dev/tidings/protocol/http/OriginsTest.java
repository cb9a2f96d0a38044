package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocols B: absent, the request's own host, or one that is listed. */
class OriginsTest {

    @ParameterizedTest
    @CsvSource({
        "http://localhost:3051, localhost:3051, true",
        "http://LOCALHOST:3051, localhost:3051, true",
        "https://desk.example, desk.example, true",
        "https://desk.example, desk.example:443, true",
        "https://desk.example:443, desk.example, true",
        "http://desk.example, Desk.Example:80, true",
        "https://[::1]:8080, [::1]:8080, true",
        "https://desk.example, desk.example:80, false",
        "https://desk.example:8443, desk.example, false",
        "https://desk.example.evil, desk.example, false",
        "https://evil.example/desk.example, desk.example, false",
        "https://desk.example@evil.example, evil.example, false",
        "https://evil.example, desk.example, false",
        "null, null, false",
        "null, desk.example, false",
        "file://, '', false",
        "chrome-extension://abc, abc, false",
        "'', '', false",
        "desk.example, desk.example, false"
    })
    void isOwn_originAndHost_areCompared(String origin, String host, boolean own) {
        assertEquals(own, Origins.isOwn(origin, host));
    }

    @Test
    void admits_listed_besidesItsOwn() {
        Origins origins = new Origins(List.of("https://Other.example", "null"));
        assertTrue(origins.admits("https://other.EXAMPLE", "desk.example"));
        assertTrue(origins.admits("null", "desk.example"));
        assertTrue(origins.admits("https://desk.example", "desk.example"));
        assertFalse(origins.admits("http://other.example", "desk.example"));
        assertFalse(origins.admits("https://other.example.evil", "desk.example"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:3051",
                "localhost.",
                "a.localhost:1",
                "127.0.0.1",
                "127.1.2.3:80",
                "[::1]:9"
            })
    void isLoopback_namesOfThisMachine_are(String host) {
        assertTrue(Origins.isLoopback(host));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "localhost.evil.example",
                "evillocalhost",
                "127.0.0.1.evil.example",
                "127.evil.example",
                "10.0.0.1",
                "[::2]",
                "0.0.0.0",
                "localhost:",
                "localhost@evil.example"
            })
    void isLoopback_others_areNot(String host) {
        assertFalse(Origins.isLoopback(host));
    }
}
