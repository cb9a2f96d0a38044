package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RunningTextsTest {
    private int cut;
    private final RunningTexts texts = new RunningTexts(10_000, () -> cut++);

    @Test
    void add_pieces_haveOffsetsAndMakeTheText() {
        assertEquals(new RunningTexts.Piece(0, "he"), texts.add("s", "p", "he"));
        assertEquals(new RunningTexts.Piece(2, "llo"), texts.add("s", "p", "llo"));
        assertEquals(new RunningTexts.Piece(0, "x"), texts.add("s", "q", "x"));
        assertEquals(
                List.of(new RunningTexts.SoFar("p", "hello", 5), new RunningTexts.SoFar("q", "x", 1)), texts.of("s"));
        texts.end("s", "p");
        assertEquals(List.of(new RunningTexts.SoFar("q", "x", 1)), texts.of("s"));
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
        assertEquals(List.of(new RunningTexts.SoFar("p", "a\uD83D\uDE00b", 4)), texts.of("s"));
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
        assertEquals(List.of(new RunningTexts.SoFar("q", "fresh", 5)), texts.of("s"));
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
            assertTrue(texts.bytes() <= 10_000 + 300, () -> "bytes " + texts.bytes());
        }
        assertEquals(List.of(), texts.of("s0"));
    }

    /** Law 4: of more texts than are kept, the oldest go; every piece keeps its offset, and that is counted. */
    @Test
    void add_moreTextsThanASessionMayHave_oldestGoAndOffsetsGoOn() {
        RunningTexts roomy = new RunningTexts(10_000_000, () -> cut++);
        for (int i = 0; i < 100; i++) {
            roomy.add("s", "p" + i, "abc");
        }
        assertEquals(36, cut);
        assertEquals(64, roomy.of("s").size());
        assertEquals("p36", roomy.of("s").get(0).partialId());
        for (int i = 0; i < 100; i++) {
            assertEquals(new RunningTexts.Piece(3, "d"), roomy.add("s", "p" + i, "d"), "p" + i);
        }
        assertEquals(64, roomy.of("s").size());
        assertEquals(new RunningTexts.SoFar("p36", "abcd", 4), roomy.of("s").get(0));
    }

    /**
     * A partial that was forgotten and goes on begins beyond all that was ever shown of it: whoever knows more of its text
     * than is known here would otherwise miss what comes.
     */
    @Test
    void add_partialWasForgotten_goesOnBeyondWhatWasShown() {
        RunningTexts roomy = new RunningTexts(10_000_000, () -> cut++);
        roomy.add("s", "first", "x".repeat(500));
        for (int i = 0; i < 1_100; i++) {
            roomy.add("s", "p" + i, "abc");
        }
        RunningTexts.Piece next = roomy.add("s", "first", "goes on");
        assertTrue(next.offset() >= 500, next.toString());
        assertEquals(next.offset() + 7, roomy.add("s", "first", "!").offset());
        RunningTexts.SoFar soFar = roomy.of("s").get(63);
        assertEquals(new RunningTexts.SoFar("first", "goes on!", next.offset() + 8), soFar);
        roomy.forget("s");
        assertEquals(0, roomy.bytes());
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
