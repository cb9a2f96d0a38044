package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpRefusalTest {

    /** Law 9: stable codes, each listed once with its status and message. */
    @Test
    void refusals_areThoseOfTheDocument() throws Exception {
        String document = Files.readString(Path.of("..", "docs", "error-codes.md"), StandardCharsets.UTF_8);
        int from = document.indexOf("## Refusals at the door");
        List<String> listed = document.substring(from, document.indexOf("\n## ", from))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .toList();
        assertEquals(
                Arrays.stream(HttpRefusal.values())
                        .map(refusal ->
                                "| `" + refusal.code() + "` | " + refusal.status() + " | `" + refusal.message() + "` |")
                        .toList(),
                listed);
    }
}
