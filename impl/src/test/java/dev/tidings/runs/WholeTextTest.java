package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WholeTextTest {

    @Test
    void repaired_loneSurrogates_replaced() {
        assertEquals("a\uFFFD", WholeText.repaired("a\uD83D"));
        assertEquals("\uFFFDb\uFFFD", WholeText.repaired("\uDE00b\uD83D"));
        assertEquals("\uFFFD\uD83D\uDE00", WholeText.repaired("\uD83D\uD83D\uDE00"));
        assertEquals("plain", WholeText.repaired("plain"));
    }

    /** However text is cut, its pieces add up to the text, and each piece can be encoded. */
    @Test
    void next_anyCuts_piecesAddUp() {
        long seed = Long.getLong("tidings.test.seed", System.nanoTime());
        System.out.println("WholeTextTest seed " + seed + " (-Dtidings.test.seed=)");
        Random random = new Random(seed);
        String[] alphabet = {"a", "\u00E9", "\u20AC", "\uD83D\uDE00", "\uD83D", "\uDE00", "\u0000"};
        for (int round = 0; round < 2000; round++) {
            StringBuilder whole = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                whole.append(alphabet[random.nextInt(alphabet.length)]);
            }
            WholeText text = new WholeText();
            StringBuilder pieces = new StringBuilder();
            int at = 0;
            while (at < whole.length()) {
                int to = Math.min(whole.length(), at + 1 + random.nextInt(3));
                String piece = text.next(whole.substring(at, to));
                assertEquals(piece, new String(piece.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
                pieces.append(piece);
                at = to;
            }
            pieces.append(text.rest());
            assertEquals(WholeText.repaired(whole.toString()), pieces.toString());
        }
    }
}
