package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Disconnect;
import dev.tidings.envelope.RefusalCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Law 9: stable codes; each table of docs/error-codes.md lists every code of its kind once, and no other. */
class ErrorCodesTest {

    @Test
    void socket_everyRefusal_isListedOnceWithItsMessage() throws IOException {
        assertListed(
                "Refusals on `/agents/ws`",
                2,
                Arrays.stream(AgentsRefusal.values())
                        .map(refusal -> "`" + refusal.code() + "` | `" + refusal.message() + "`"));
    }

    @Test
    void envelope_everyRefusal_isListedOnceInTheOrderOfTheChecks() throws IOException {
        List<String> codes = Arrays.stream(RefusalCode.values())
                .map(code -> "`" + code.text() + "` | " + code.httpStatus() + " | `" + code.message() + "`")
                .toList();
        assertListed("Refusals of an envelope", 3, codes.stream());
        assertEquals(codes, rows("Refusals of an envelope", 3));
    }

    @Test
    void http_everyCode_isListedOnceWithItsStatus() throws IOException {
        assertListed(
                "Refusals of the signed HTTP API",
                2,
                Arrays.stream(ActionCode.values()).map(code -> "`" + code.text() + "` | " + code.httpStatus()));
    }

    @Test
    void close_everyCode_isListedOnceWithItsReason() throws IOException {
        assertListed(
                "Close codes",
                2,
                Arrays.stream(Disconnect.values())
                        .map(disconnect -> disconnect.code() + " | `" + disconnect.reason() + "`"));
    }

    /** A code that is retired stays in its table and says so. */
    private static void assertListed(String heading, int columns, Stream<String> codes) throws IOException {
        List<String> listed = rows(heading, columns);
        assertEquals(codes.sorted().toList(), listed.stream().sorted().toList(), heading);
    }

    /** The first columns of the rows of the one table below a heading, but for those that are retired. */
    private static List<String> rows(String heading, int columns) throws IOException {
        String document = Files.readString(Path.of("..", "docs", "error-codes.md"), StandardCharsets.UTF_8);
        List<String> sections = Stream.of(document.split("(?m)^## "))
                .filter(section -> section.startsWith(heading + "\n"))
                .toList();
        assertEquals(1, sections.size(), heading);
        List<String> rows = sections.get(0)
                .lines()
                .filter(line -> line.startsWith("|") && !line.startsWith("|---") && !line.startsWith("| code |"))
                .filter(line -> !line.contains("retired"))
                .map(line -> Arrays.stream(line.split("\\|"))
                        .skip(1)
                        .limit(columns)
                        .map(String::strip)
                        .reduce((left, right) -> left + " | " + right)
                        .orElseThrow())
                .toList();
        assertTrue(!rows.isEmpty(), heading);
        return rows;
    }
}
