package dev.tidings.protocol.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.tidings.Payload;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    private static String written(String text) {
        return new JsonText(1).open().text("t", text).close().text();
    }

    /** Every character alone, and behind others, as another writer has it. */
    @Test
    void text_everyCharacter_isAsOthersWriteIt() {
        IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(c -> c < 0x3000 || c % 61 == 0)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .forEach(c -> {
                    String text = Character.toString(c) + "abc" + Character.toString(c);
                    String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(text));
                    assertEquals("{\"t\":\"" + quoted + "\"}", written(text), () -> "character " + c);
                });
    }

    /** A text that was cut in a character comes whole again when the peer joins its parts. */
    @Test
    void text_halfACharacter_isEscaped() {
        assertEquals("{\"t\":\"a\\uD83D\"}", written("a\uD83D"));
        assertEquals("{\"t\":\"\\uDE00b\"}", written("\uDE00b"));
        assertEquals("{\"t\":\"\\uDE00\\uD83D\"}", written("\uDE00\uD83D"));
    }

    @Test
    void members_ofAllKinds_areWrittenInTheirOrder() {
        byte[] part = {'x', '1', 'x'};
        String json = new JsonText(1)
                .open()
                .text("none", null)
                .number("n", 1L)
                .number("none", (Long) null)
                .decimal("d", 0.5)
                .decimal("none", Double.NaN)
                .flag("f", true)
                .object("o", inner -> inner.json("p", Payload.of("[1, 2]")))
                .json("part", part, 1, 1)
                .close()
                .text();
        assertEquals("{\"n\":1,\"d\":0.5,\"f\":true,\"o\":{\"p\":[1, 2]},\"part\":1}", json);
    }
}
