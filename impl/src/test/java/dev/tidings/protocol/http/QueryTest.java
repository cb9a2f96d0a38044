package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {

    @Test
    void parameter_isTheFirstOfItsName() {
        assertEquals(Optional.of("1 2"), Query.value("a=0&b=1+2&b=3", "b"));
        assertEquals(Optional.of("x=y"), Query.value("%62=x%3Dy", "b"));
        assertEquals(Optional.of(""), Query.value("b", "b"));
        assertEquals(Optional.of(""), Query.value("b=%zz", "b"));
    }

    @Test
    void parameter_thatIsNot_isNone() {
        assertEquals(Optional.empty(), Query.value("", "b"));
        assertEquals(Optional.empty(), Query.value(null, "b"));
        assertEquals(Optional.empty(), Query.value("bb=1", "b"));
    }

    @Test
    void number_withinItsRange_isRead() throws Exception {
        assertEquals(OptionalLong.empty(), Query.number(null, 1, 5));
        assertEquals(OptionalLong.of(0), Query.number("0", 0, Query.MOST));
        assertEquals(OptionalLong.of(9007199254740991L), Query.number("9007199254740991", 0, Query.MOST));
        assertEquals(OptionalLong.of(5), Query.number("5", 1, 5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.0", "x", "9007199254740992", "99999999999999999999", "٣", " 1", "1e3", "+1"})
    void number_thatIsNone_isABadRequest(String text) {
        assertEquals(
                HttpRefusal.BAD_REQUEST,
                assertThrows(Refused.class, () -> Query.number(text, 0, Query.MOST))
                        .refusal());
        assertEquals(OptionalLong.empty(), Query.wholeNumber(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "6"})
    void number_outOfItsRange_isABadRequest(String text) {
        assertEquals(
                HttpRefusal.BAD_REQUEST,
                assertThrows(Refused.class, () -> Query.number(text, 1, 5)).refusal());
    }
}
