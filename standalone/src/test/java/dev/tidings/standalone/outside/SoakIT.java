package dev.tidings.standalone.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Laws 1 and 12 over very many events: in every session cursors are 1, 2, 3 … without a hole, sockets that stay and sockets
 * that come and go see the same, and what is stored is what they saw, letter by letter.
 *
 * <p>Turns stream, use tools with and without leave, fail, and are cancelled at any moment.
 */
@Tag("stress")
class SoakIT {
    private static final int EVENTS = Stress.size("events", 1_500);
    private static final int SESSIONS = Stress.size("soak-sessions", 10);
    private static final int PATIENCE_MINUTES = 45;

    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final Random random = Stress.random("soak");

    @Test
    void manyEvents_cursorsHaveNoHoleAndWhatIsShownIsStored(@TempDir Path data) throws Exception {
        // Pieces are not joined any longer than their way takes: events, and not text, are what is wanted here.
        try (RunningServer server = RunningServer.start(data, Map.of("TIDINGS_COMMANDS_DELTA_DELAY", "PT0S"))) {
            long began = System.nanoTime();
            List<SoakSession> sessions = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                SoakSession session = new SoakSession(
                        http,
                        threads,
                        server.base(),
                        newSession(server.base()),
                        (EVENTS + SESSIONS - 1) / SESSIONS,
                        random.nextLong());
                sessions.add(session);
                session.begin();
            }
            CompletableFuture.allOf(sessions.stream().map(SoakSession::done).toArray(CompletableFuture<?>[]::new))
                    .get(PATIENCE_MINUTES, TimeUnit.MINUTES);
            long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began));
            long events = 0;
            long reconnects = 0;
            for (SoakSession session : sessions) {
                assertEquals(List.of(), session.faults());
                Chain stored = stored(server.base(), session.id());
                assertEquals(stored, session.stayed(), "what the socket that stayed was shown, in " + session.id());
                assertEquals(stored, session.wandered(), "what the others were shown, in " + session.id());
                events += stored.last();
                reconnects += session.reconnects();
            }
            assertTrue(events >= EVENTS, "only " + events);
            System.out.println("soak: " + events + " events in " + SESSIONS + " sessions, " + seconds + " s ("
                    + events / seconds + "/s), each shown to two sockets, " + reconnects + " reconnects");
        } finally {
            threads.shutdownNow();
        }
    }

    private String newSession(URI base) throws Exception {
        HttpResponse<String> made = http.send(
                HttpRequest.newBuilder(URI.create(base + "/api/sessions"))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return new ObjectMapper().readTree(made.body()).get("session_id").asText();
    }

    private Chain stored(URI base, String session) throws Exception {
        HttpResponse<String> read = http.send(
                HttpRequest.newBuilder(URI.create(base + "/api/sessions/" + session))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(200, read.statusCode());
        return Chain.ofTranscript(read.body());
    }
}
