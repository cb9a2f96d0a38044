package dev.tidings.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalCheckTest {
    private static Checked<CheckedBytes> check(String hex) {
        return CanonicalCheck.check(HexFormat.of().parseHex(hex), 64);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00",
                "17",
                "1818",
                "18ff",
                "190100",
                "19ffff",
                "1a00010000",
                "1affffffff",
                "1b0000000100000000",
                "1bffffffffffffffff",
                "20",
                "3bffffffffffffffff",
                "40",
                "4100",
                "60",
                "6161",
                "62c3a9",
                "63e28883",
                "64f09f9880",
                "80",
                "820102",
                "a0",
                "a1616101",
                "a26161016162f6",
                "a261620162616102",
                "f4",
                "f5",
                "f6",
                "fb3fe0000000000000",
                "fbbfe0000000000000",
                "fb0000000000000001",
                "fb4340000000000000",
                "fb7e37e43c8800759c",
                "d82a450001550000",
                "a160a0"
            })
    void check_canonical_isAccepted(String hex) {
        Outcomes.accepted(check(hex));
    }

    @ParameterizedTest
    @CsvSource({
        "'', empty, 0",
        "18, truncated, 0",
        "1901, truncated, 0",
        "41, truncated, 0",
        "6261, truncated, 0",
        "8201, truncated, 0",
        "820102ff, trailing_bytes, 3",
        "0000, trailing_bytes, 1",
        "a16161, truncated, 3",
        "a1616181, truncated, 3",
        "fb3fe0, truncated, 0",
        "d82a, truncated, 0",
        "d82a4500, truncated, 0",
        "1c, reserved, 0",
        "3d, reserved, 0",
        "5e, reserved, 0",
        "1f, reserved, 0",
        "df, reserved, 0",
        "fc, reserved, 0",
        "5f4100ff, indefinite_length, 0",
        "7f6161ff, indefinite_length, 0",
        "9f01ff, indefinite_length, 0",
        "bf616101ff, indefinite_length, 0",
        "ff, indefinite_length, 0",
        "81ff, indefinite_length, 1",
        "1817, non_minimal, 0",
        "1900ff, non_minimal, 0",
        "1a0000ffff, non_minimal, 0",
        "1b00000000ffffffff, non_minimal, 0",
        "3800, non_minimal, 0",
        "580100, non_minimal, 0",
        "780161, non_minimal, 0",
        "980100, non_minimal, 0",
        "b801616101, non_minimal, 0",
        "d9002a450001550000, non_minimal, 0",
        "d82a58050001550000, non_minimal, 0",
        "a10101, key_not_text, 1",
        "a1416101, key_not_text, 1",
        "a1f601, key_not_text, 1",
        "a18001, key_not_text, 1",
        "a2616201616102, key_order, 4",
        "a262616201616102, key_order, 5",
        "a2616101616102, key_repeated, 4",
        "c001, unknown_tag, 0",
        "c24101, unknown_tag, 0",
        "d81801, unknown_tag, 0",
        "d9d9f701, unknown_tag, 0",
        "d82a01, invalid_link, 0",
        "d82a6100, invalid_link, 0",
        "d82a40, invalid_link, 0",
        "d82a4400015500, invalid_link, 0",
        "d82a450101550000, invalid_link, 0",
        "d82ad82a450001550000, invalid_link, 0",
        "f7, undefined, 0",
        "a16161f7, undefined, 3",
        "e0, simple_value, 0",
        "f3, simple_value, 0",
        "f8ff, simple_value, 0",
        "f814, simple_value, 0",
        "f93800, short_float, 0",
        "fa3f000000, short_float, 0",
        "fb7ff8000000000000, not_finite, 0",
        "fb7ff0000000000000, not_finite, 0",
        "fbfff0000000000000, not_finite, 0",
        "fb3ff0000000000000, integral_float, 0",
        "fb0000000000000000, integral_float, 0",
        "fb8000000000000000, integral_float, 0",
        "fb433fffffffffffff, integral_float, 0",
        "61ff, invalid_utf8, 0",
        "62c080, invalid_utf8, 0",
        "62c0af, invalid_utf8, 0",
        "61c3, invalid_utf8, 0",
        "63eda080, invalid_utf8, 0",
        "63e08080, invalid_utf8, 0",
        "64f4908080, invalid_utf8, 0",
        "64f0808080, invalid_utf8, 0",
        "64f8888080, invalid_utf8, 0",
        "a161ff01, invalid_utf8, 1",
        "5bffffffffffffffff, truncated, 0",
        "7b7fffffffffffffff, truncated, 0",
        "9bffffffffffffffff, truncated, 0",
        "bbffffffffffffffff, truncated, 0",
        "bb8000000000000001616101, truncated, 0",
        "9a7fffffff00, truncated, 0"
    })
    void check_notCanonical_namesReasonAndPlace(String hex, String reason, int atByte) {
        Refusal refusal = Outcomes.refused(check(hex));
        assertEquals(reason, refusal.reason());
        assertEquals(
                CborFault.valueOf(reason.toUpperCase(java.util.Locale.ROOT)).messageAt(atByte), refusal.message());
    }

    @Test
    void check_depthAtLimit_isAcceptedAndOneMoreRefused() {
        Outcomes.accepted(check("81".repeat(63) + "80"));
        Outcomes.accepted(check("81".repeat(64) + "01"));
        Refusal refusal = Outcomes.refused(check("81".repeat(64) + "80"));
        assertEquals("too_deep", refusal.reason());
        Outcomes.accepted(check("a160".repeat(64) + "01"));
        Outcomes.refused(check("a160".repeat(65) + "01"));
    }

    @Test
    void check_depthBomb_isRefusedAtTheLimit() {
        for (String bomb : new String[] {"81", "a160", "d82a", "c6"}) {
            Outcomes.refused(check(bomb.repeat(100_000)));
        }
    }

    @Test
    void check_signatureOfRoot_isFoundAndOthersAreNot() {
        String sig = "63736967" + "5840" + "11".repeat(64);
        assertEquals(7, offset("a1" + sig));
        assertEquals(-1, offset("a1" + "63736967" + "583f" + "11".repeat(63)));
        assertEquals(-1, offset("81a1" + sig));
        assertEquals(-1, offset("a16161" + "a1" + sig));
        assertEquals(-1, offset("a1" + "63736967" + "81" + "5840" + "11".repeat(64)));
    }

    private static int offset(String hex) {
        return Outcomes.accepted(check(hex)).signatureOffset();
    }
}
