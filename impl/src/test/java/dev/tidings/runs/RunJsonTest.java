package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidings.Payload;
import dev.tidings.RunUsage;
import org.junit.jupiter.api.Test;

class RunJsonTest {

    @Test
    void answer_metaGiven_keptByteForByteAndCompleted() {
        Payload given = Payload.of(" { \"big\": 18446744073709551615, \"f\": 1.50, \"o\": {\"durationMs\": 1} } ");

        assertEquals(
                "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"a\\\"b\",\"meta\":{"
                        + "\"big\": 18446744073709551615, \"f\": 1.50, \"o\": {\"durationMs\": 1},"
                        + "\"usage\":{\"input\":1,\"output\":2,\"cacheRead\":3,\"cacheWrite\":4,\"total\":5},"
                        + "\"durationMs\":7}}",
                RunJson.answer("a\"b", false, given, new RunJson.Meta(new RunUsage(1, 2, 3, 4, 5), 7L))
                        .text());
    }

    @Test
    void answer_metaHasTheMembers_runnersOwnWin() {
        Payload given = Payload.of("{\"usage\":null,\"durationMs\":1}");

        assertEquals(
                "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"a\",\"interrupted\":true,"
                        + "\"meta\":{\"usage\":null,\"durationMs\":1}}",
                RunJson.answer("a", true, given, new RunJson.Meta(RunUsage.ZERO, 7L))
                        .text());
    }

    @Test
    void withError_details_keepsThem() {
        Outcome.Failed failed = new Outcome.Failed("c", "t");

        assertEquals(
                "{\"error\":{\"code\":\"c\",\"message\":\"t\"}}",
                RunJson.withError(null, failed).text());
        assertEquals(
                "{\"plan\":{},\"error\":{\"code\":\"c\",\"message\":\"t\"}}",
                RunJson.withError(Payload.of("{\"plan\":{}}"), failed).text());
        assertEquals(
                "{\"error\":1}",
                RunJson.withError(Payload.of("{\"error\":1}"), failed).text());
    }

    @Test
    void names_notAnObject_refused() {
        assertThrows(IllegalArgumentException.class, () -> RunJson.names(Payload.of("7")));
    }
}
