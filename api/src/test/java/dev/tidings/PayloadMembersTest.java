package dev.tidings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PayloadMembersTest {

    private static final Set<String> NAMES = Set.of("type", "role");

    @Test
    void textMembers_innerObjectsNumbersAndEscapes_findsTheOuterTexts() {
        assertEquals(
                Map.of("type", "a\"\u00e9\uD83D\uDE00\n", "role", "user"),
                members(" { \"x\" : {\"type\":\"no\",\"y\":[\"role\",\"}\"]} , \"\\u0074ype\":"
                        + "\"a\\\"\\u00e9\\uD83D\\uDE00\\n\", \"n\":-1.5e3,\"role\":\"user\" } "));
    }

    @Test
    void textMembers_nameTwice_theLastCounts() {
        assertEquals(Map.of("type", "b"), members("{\"type\":\"a\",\"type\":\"b\"}"));
        assertEquals(Map.of(), members("{\"type\":\"a\",\"type\":null}"));
    }

    @Test
    void textMembers_noObject_isEmpty() {
        for (String json : new String[] {"[]", "\"type\"", "1", "null", "{}", "[{\"type\":\"a\"}]", " {\n} "}) {
            assertEquals(Map.of(), members(json));
        }
    }

    @Test
    void origin_unnumbered_isEmpty() {
        assertEquals(Optional.empty(), EntryOrigin.of(entry(false, "{\"type\":\"message\",\"role\":\"user\"}")));
    }

    @Test
    void origin_typesAndRoles_areTold() {
        assertOrigin("user", true, "{\"type\":\"message\",\"role\":\"user\"}");
        assertOrigin("agent", true, "{\"type\":\"message\",\"role\":\"assistant\"}");
        assertOrigin("tool", false, "{\"type\":\"message\",\"role\":\"tool\"}");
        assertOrigin("tool", false, "{\"type\":\"tool_result\",\"actor\":\"user\"}");
        assertOrigin("agent", false, "{\"type\":\"error\",\"message\":\"m\"}");
        assertOrigin("user", false, "{\"type\":\"own\",\"actor\":\"user\"}");
        assertOrigin("agent", false, "17");
    }

    private static void assertOrigin(String kind, boolean message, String json) {
        assertEquals(Optional.of(new EntryOrigin(kind, message)), EntryOrigin.of(entry(true, json)));
    }

    @Test
    void members_all_inTheirOrderAsTheyAreWritten() {
        Payload object =
                Payload.of("{ \"b\" : {\"x\": [1, 2]} ,\"a\":\"t\\u0041\", \"c\":null,\"b\":18446744073709551615 }");
        assertEquals(
                "[b=18446744073709551615, a=\"t\\u0041\", c=null]",
                object.members().entrySet().stream()
                        .map(member -> member.getKey() + "=" + member.getValue().text())
                        .toList()
                        .toString());
        assertEquals(Map.of(), Payload.of("[1]").members());
        assertEquals(Map.of(), Payload.of("{}").members());
    }

    private static NewEntry entry(boolean numbered, String json) {
        return new NewEntry("e", EntryKind.EVENT, numbered, Payload.of(json), null, 1);
    }

    private static Map<String, String> members(String json) {
        return Payload.of(json).textMembers(NAMES);
    }
}
