package dev.tidings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                "false",
                "0",
                "-0",
                "18446744073709551615",
                "-1.5e+300",
                "1E-7",
                "\"\"",
                "\"\\u0000\"",
                "\"\\ud83d\\ude00\"",
                "\"é\u2028😀\"",
                " { \"a\" : [ 1 , { \"b\" : \"\\\\\\\"\\/\\b\\f\\n\\r\\t\" } ] } ",
                "{\"/\":{\"bytes\":\"AAEC\"}}"
            })
    void of_oneValue_keepsTheText(String json) {
        assertEquals(json, Payload.of(json).text());
        assertArrayEquals(
                json.getBytes(StandardCharsets.UTF_8), Payload.of(json).toUtf8());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "{}{}",
                "[1,]",
                "[,1]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "01",
                "1.",
                ".5",
                "+1",
                "1e",
                "1e+",
                "- 1",
                "NaN",
                "Infinity",
                "tru",
                "nul",
                "truex",
                "\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\ud800\"",
                "\"\\ud800x\"",
                "\"\\ud800\\u0041\"",
                "\"\\udc00\"",
                "\"\u0001\"",
                "\"\n\"",
                "'a'",
                "[1 2]",
                "{\"a\":1 \"b\":2}",
                "\uFEFF{}",
                "[1}",
                "{\"a\":1]"
            })
    void of_notOneValue_throws(String json) {
        assertThrows(IllegalArgumentException.class, () -> Payload.of(json));
    }

    @Test
    void ofUtf8_malformedUtf8_throws() {
        assertThrows(IllegalArgumentException.class, () -> Payload.ofUtf8(new byte[] {'"', (byte) 0xC3, '"'}));
        assertThrows(
                IllegalArgumentException.class,
                () -> Payload.ofUtf8(new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'}));
    }

    @Test
    void of_loneSurrogate_throws() {
        assertThrows(IllegalArgumentException.class, () -> Payload.of('"' + String.valueOf((char) 0xD800) + '"'));
    }

    @Test
    void of_deepNesting_bounded() {
        assertEquals(1024, Payload.of("[".repeat(512) + "]".repeat(512)).size());
        assertThrows(IllegalArgumentException.class, () -> Payload.of("[".repeat(100_000)));
    }

    @Test
    void ofUtf8_callerChangesItsArray_payloadKeepsItsOwn() {
        byte[] mine = {'1'};
        Payload payload = Payload.ofUtf8(mine);
        mine[0] = '2';
        payload.toUtf8()[0] = '3';
        assertEquals("1", payload.text());
    }

    @Test
    void toString_neverShowsContent() {
        assertEquals("Payload[8 bytes]", Payload.of("\"secret\"").toString());
    }
}
