package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidings.blackbox.CommandsSocketClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law 10 and protocols C over {@code kill -9} in mid-text: the text so far is kept, the run ends once, the queue goes on. */
class CommandsRestartIT {
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void killed_inMidText_textIsKeptAndQueuedTurnsRun(@TempDir Path data) throws Exception {
        String session;
        List<JsonNode> before;
        try (RunningServer server = RunningServer.start(data)) {
            HttpResponse<String> made = http.send(
                    HttpRequest.newBuilder(URI.create(server.base() + "/api/sessions"))
                            .POST(HttpRequest.BodyPublishers.ofString("{}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            session = new ObjectMapper().readTree(made.body()).get("session_id").asText();
            try (CommandsSocketClient socket = CommandsSocketClient.open(http, server.base(), session)) {
                socket.say("/stream 1000 10 20");
                socket.awaitKind("text_delta");
                socket.say("queued");
                socket.await(event -> text(event).equals("queued"));
                server.kill();
                before = socket.events();
            }
        }
        try (RunningServer server = RunningServer.start(data);
                CommandsSocketClient socket = CommandsSocketClient.open(http, server.base(), session)) {
            socket.await(event -> event.path("payload").path("reason").asText().equals("completed"));
            List<JsonNode> events = socket.events();
            assertEquals(before, events.subList(0, before.size()), "shown, so stored");
            assertEquals(
                    LongStream.rangeClosed(1, events.size()).boxed().toList(),
                    events.stream().map(event -> event.get("cursor").asLong()).toList());
            JsonNode message = socket.awaitKind("assistant_message");
            assertTrue(message.get("payload").get("interrupted").asBoolean());
            assertEquals(
                    events.stream()
                            .takeWhile(event -> !event.equals(message))
                            .filter(event -> event.get("kind").asText().equals("text_delta"))
                            .map(CommandsRestartIT::text)
                            .collect(Collectors.joining()),
                    text(message));
            JsonNode end = socket.awaitKind("run_finished");
            assertEquals("failed", end.get("payload").get("reason").asText());
            assertEquals(
                    "interrupted_by_restart",
                    end.get("payload").get("error").get("code").asText());
        }
    }

    private static String text(JsonNode event) {
        return event.path("payload").path("content").asText();
    }
}
