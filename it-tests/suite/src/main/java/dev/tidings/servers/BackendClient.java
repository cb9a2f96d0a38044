package dev.tidings.servers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * The backend's own HTTP paths, as one of its users calls them.
 *
 * <p>Threads: safe for use by many threads. Errors: no answer within ten seconds throws.
 */
final class BackendClient {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http;
    private final URI base;

    BackendClient(HttpClient http, URI base) {
        this.http = http;
        this.base = base;
    }

    /** Posts a JSON object and gives the answer, whatever its status. */
    HttpResponse<String> post(String path, Map<String, ?> body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    /** Gets a text. */
    String text(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT).build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        if (response.statusCode() != 200) {
            throw new IOException("status " + response.statusCode() + " for " + path);
        }
        return response.body();
    }

    /** Gets JSON. */
    JsonNode json(String path) throws IOException, InterruptedException {
        return JSON.readTree(text(path));
    }
}
