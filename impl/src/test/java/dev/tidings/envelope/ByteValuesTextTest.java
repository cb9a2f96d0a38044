package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteValuesTextTest {
    private static byte[] read(String text) {
        return Outcomes.accepted(EnvelopeDecoder.bytesOfText(text));
    }

    @Test
    void bytesOfText_byteValues_givesTheBytes() {
        assertArrayEquals(new byte[] {}, read("[]"));
        assertArrayEquals(new byte[] {}, read(" [ ] "));
        assertArrayEquals(new byte[] {0}, read("[0]"));
        assertArrayEquals(new byte[] {0, 127, (byte) 128, (byte) 255}, read("[0,127,128,255]"));
        assertArrayEquals(new byte[] {1, 20, 3}, read("\t[ 1 ,\n20\r, 3]\n"));
    }

    @Test
    void bytesOfText_everyValue_survives() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        assertArrayEquals(all, read(EnvelopeFixtures.asText(all)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[",
                "]",
                "[,]",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[256]",
                "[1000]",
                "[99999999999]",
                "[-1]",
                "[+1]",
                "[01]",
                "[00]",
                "[1.0]",
                "[1e0]",
                "[null]",
                "[\"1\"]",
                "[[1]]",
                "{}",
                "1",
                "[1]x",
                "[1][2]",
                "{\"_\":\"Subscribe\"}",
                "[\u0661]",
                "[\uff11]",
                "[1\u00a0]"
            })
    void bytesOfText_anythingElse_isRefusedInOurWords(String text) {
        Refusal refusal = Outcomes.refused(EnvelopeDecoder.bytesOfText(text));
        assertEquals(RefusalCode.NOT_BYTE_VALUES, refusal.code());
        assertEquals("A text message must be a JSON array of byte values from 0 to 255", refusal.message());
    }
}
