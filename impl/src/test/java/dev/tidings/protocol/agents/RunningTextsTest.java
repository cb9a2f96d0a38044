package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunningTextsTest {
    private final RunningTexts texts = new RunningTexts(10_000);

    @Test
    void add_pieces_haveOffsetsAndMakeTheText() {
        assertEquals(new RunningTexts.Piece(0, "he"), texts.add("s", "p", "he"));
        assertEquals(new RunningTexts.Piece(2, "llo"), texts.add("s", "p", "llo"));
        assertEquals(new RunningTexts.Piece(0, "x"), texts.add("s", "q", "x"));
        assertEquals(List.of(new RunningTexts.SoFar("p", "hello"), new RunningTexts.SoFar("q", "x")), texts.of("s"));
        texts.end("s", "p");
        assertEquals(List.of(new RunningTexts.SoFar("q", "x")), texts.of("s"));
        texts.end("s", "q");
        assertEquals(List.of(), texts.of("s"));
        assertEquals(0, texts.bytes());
    }

    /** Half a character is no text that CBOR can hold. */
    @Test
    void add_characterCutInTwo_waitsForItsOtherHalf() {
        assertEquals(new RunningTexts.Piece(0, "a"), texts.add("s", "p", "a\uD83D"));
        assertEquals(new RunningTexts.Piece(1, "\uD83D\uDE00b"), texts.add("s", "p", "\uDE00b"));
        assertEquals(new RunningTexts.Piece(4, ""), texts.add("s", "p", "\uD83D"));
        assertEquals(List.of(new RunningTexts.SoFar("p", "a\uD83D\uDE00b")), texts.of("s"));
    }

    /** Law 4: beyond the bound there is no text so far, but the offsets go on. */
    @Test
    void add_beyondTheBound_keepsOffsetsAlone() {
        texts.add("s", "p", "x".repeat(3_000));
        assertEquals(new RunningTexts.Piece(3_000, "y".repeat(2_000)), texts.add("s", "p", "y".repeat(2_000)));
        assertEquals(List.of(), texts.of("s"));
        assertEquals(new RunningTexts.Piece(5_000, "z"), texts.add("s", "p", "z"));
        assertEquals(List.of(), texts.of("s"), "a text without its beginning is none");
        texts.end("s", "p");
        texts.add("s", "q", "fresh");
        assertEquals(List.of(new RunningTexts.SoFar("q", "fresh")), texts.of("s"));
    }

    /** Of a text that had to go, what follows is known as its middle, not taken for its beginning. */
    @Test
    void add_roomIsMadeForAnother_offsetsGoOn() {
        texts.add("s", "p", "x".repeat(4_000));
        texts.add("t", "q", "x".repeat(600));
        texts.add("u", "r", "x");
        texts.add("v", "w", "x");
        assertEquals(List.of(), texts.of("s"));
        assertEquals(new RunningTexts.Piece(4_000, "z"), texts.add("s", "p", "z"));
        assertEquals(List.of(), texts.of("s"), "a text without its beginning is none");
        assertEquals(1, texts.of("t").size());
    }

    @Test
    void add_manySessionsThatNeverEnd_staysBounded() {
        for (int i = 0; i < 1_000; i++) {
            texts.add("s" + i, "p", "text");
            texts.add("s", "p" + i, "text");
            assertTrue(texts.bytes() <= 10_000 + 64 * 300, () -> "bytes " + texts.bytes());
        }
        assertEquals(List.of(), texts.of("s0"));
    }

    @Test
    void forget_session_freesIt() {
        texts.add("s", "p", "text");
        texts.forget("s");
        texts.forget("s");
        assertEquals(List.of(), texts.of("s"));
        assertEquals(0, texts.bytes());
    }
}
