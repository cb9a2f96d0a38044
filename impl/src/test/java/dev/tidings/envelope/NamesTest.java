package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Principals and content identifiers in their binary and their text form. */
class NamesTest {
    private static final String OWNER = "z6Mkskt9p9N4e7ZnNJBY1Aj2sZVUYhz67XNR1ymihDNqGRAL";
    private static final String OWNER_HEX = "ed01c5aba163f3ca18642c8a953cd92cdceb08b88fd431d3cfdeb192abfd719feef5";

    @Test
    void text_knownPrincipal_isBase58Multibase() {
        Principal owner =
                Principal.fromBytes(HexFormat.of().parseHex(OWNER_HEX)).orElseThrow();
        assertEquals(OWNER, owner.text());
        assertEquals(owner, Principal.parse(OWNER).orElseThrow());
        assertEquals(OWNER_HEX, owner.bytes().toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "z",
                "6Mkskt9p9N4e7ZnNJBY1Aj2sZVUYhz67XNR1ymihDNqGRAL",
                "z6Mkskt9p9N4e7ZnNJBY1Aj2sZVUYhz67XNR1ymihDNqGRA",
                "z6Mkskt9p9N4e7ZnNJBY1Aj2sZVUYhz67XNR1ymihDNqGRALL",
                "z16Mkskt9p9N4e7ZnNJBY1Aj2sZVUYhz67XNR1ymihDNqGRAL",
                "z0Mkskt9p9N4e7ZnNJBY1Aj2sZVUYhz67XNR1ymihDNqGRAL"
            })
    void parse_noPrincipal_isAbsent(String text) {
        assertTrue(Principal.parse(text).isEmpty());
        assertTrue(Principal.parse(text + "1".repeat(100_000)).isEmpty());
    }

    @Test
    void base58_randomBytes_readBackEqual() {
        Random random = new Random(11);
        for (int i = 0; i < 2_000; i++) {
            byte[] raw = new byte[random.nextInt(64)];
            random.nextBytes(raw);
            Arrays.fill(raw, 0, random.nextInt(raw.length + 1), (byte) 0);
            byte[] decoded = Base58.decodeOrNull(Base58.encode(raw));
            assertArrayEquals(raw, decoded);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "QmRgutAxd8t7oGkSm4wmeuByG6M51wcTso6cubDdQtuEfL",
                "bafkqabiaaebagba",
                "bafyreidj5idub6mapiupjwjsyyxhyhedxycv4vihfsicm2vt46o7morwlm"
            })
    void parse_cid_hasTheSameText(String text) {
        assertEquals(text, Cid.parse(text).orElseThrow().text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "b",
                "z",
                "Qm",
                "bafkqabiaaebagbaa",
                "bafkqabiaaebagbb",
                "BAFKQABIAAEBAGBA",
                "bafkqabiaaebagb1",
                "hello",
                "QmRgutAxd8t7oGkSm4wmeuByG6M51wcTso6cubDdQtuEf"
            })
    void parse_noCid_isAbsent(String text) {
        assertTrue(Cid.parse(text).isEmpty());
    }

    @Test
    void cid_badBytes_throws() {
        assertThrows(IllegalArgumentException.class, () -> new Cid(Bytes.copyOf(new byte[] {2, 3})));
        assertThrows(IllegalArgumentException.class, () -> new Signature(Bytes.copyOf(new byte[63])));
    }
}
