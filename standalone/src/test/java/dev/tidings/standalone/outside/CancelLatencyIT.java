package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidings.blackbox.CommandsSocketClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long it takes from a cancel to the event of the end, seen by a client. It prints; time is not tested. */
@Tag("stress")
class CancelLatencyIT {
    private static final int CANCELS = Stress.size("cancels", 10);
    private static final int WARM_UP = CANCELS / 2;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void cancel_untilItsEnd_isPrinted(@TempDir Path data) throws Exception {
        try (RunningServer server = RunningServer.start(data)) {
            measure(server.base(), "in mid-text", "/stream 10000 10 5", "text_delta");
            measure(server.base(), "before any text", "/slow 60000", "run_started");
            measure(server.base(), "while an approval waits", "/tool search", "approval_requested");
        }
    }

    private void measure(URI base, String where, String command, String until) throws Exception {
        long[] nanos = new long[CANCELS];
        for (int i = -WARM_UP; i < CANCELS; i++) {
            try (CommandsSocketClient socket = CommandsSocketClient.open(http, base, newSession(base))) {
                socket.say(command);
                socket.awaitKind(until);
                long sent = System.nanoTime();
                socket.send("{\"type\":\"cancel\"}");
                JsonNode end = socket.awaitKind("run_finished");
                nanos[Math.max(0, i)] = System.nanoTime() - sent;
                assertEquals("cancelled", end.get("payload").get("reason").asText());
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "cancel %s: %d, median %.1f ms, nine of ten within %.1f ms%n",
                where,
                CANCELS,
                millis(nanos[CANCELS / 2]),
                millis(nanos[CANCELS * 9 / 10]));
    }

    private static double millis(long nanos) {
        return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }

    private String newSession(URI base) throws Exception {
        HttpResponse<String> made = http.send(
                HttpRequest.newBuilder(URI.create(base + "/api/sessions"))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return new ObjectMapper().readTree(made.body()).get("session_id").asText();
    }
}
