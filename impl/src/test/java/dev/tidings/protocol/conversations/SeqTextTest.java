package dev.tidings.protocol.conversations;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeqTextTest {

    @Test
    void read_wholeNumbersUpTo53Bits_areRead() {
        assertEquals(Optional.of(OptionalLong.empty()), SeqText.read(null));
        assertEquals(Optional.of(OptionalLong.of(0)), SeqText.read("0"));
        assertEquals(Optional.of(OptionalLong.of(9007199254740991L)), SeqText.read("9007199254740991"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.0", "x", "9007199254740992", "99999999999999999999", "٣", " 1", "1e3"})
    void read_anythingElse_isRefused(String text) {
        assertEquals(Optional.empty(), SeqText.read(text));
    }
}
