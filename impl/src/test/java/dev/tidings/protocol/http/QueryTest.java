package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

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
}
