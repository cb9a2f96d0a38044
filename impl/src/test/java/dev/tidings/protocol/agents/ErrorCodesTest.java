package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Disconnect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Law 9: stable codes; docs/error-codes.md lists every one with its text. */
class ErrorCodesTest {

    @Test
    void document_everyCode_isListed() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "error-codes.md"), StandardCharsets.UTF_8);
        for (AgentsRefusal refusal : AgentsRefusal.values()) {
            String row = "| `" + refusal.code() + "` | `" + refusal.message() + "` |";
            assertTrue(document.contains(row), row);
        }
        for (Disconnect disconnect : Disconnect.values()) {
            String row = "| " + disconnect.code() + " | `" + disconnect.reason() + "` |";
            assertTrue(document.contains(row), row);
        }
    }
}
