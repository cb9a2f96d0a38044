package dev.tidings.servers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The backend's own HTTP paths, as one of its users calls them.
 *
 * <p>Threads: safe for use by many threads. Errors: no answer within twenty seconds throws.
 */
final class DeskClient {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI base;

    /**
     * A client.
     *
     * @param base where the deployment is, without a slash at the end
     */
    DeskClient(URI base) {
        this.base = base;
    }

    /** Opens a ticket. */
    JsonNode open(String session, String subject) {
        HttpResponse<String> response = send(opening(session, subject));
        if (response.statusCode() != 200) {
            throw new AssertionError("the desk answered " + response.statusCode() + ": " + response.body());
        }
        return parse(response.body());
    }

    /** Tries to open a ticket and gives the status. */
    int tryToOpen(String session, String subject) {
        return send(opening(session, subject)).statusCode();
    }

    /** Asks for trouble, whatever comes of it. */
    void trouble(String session, String what) {
        send(HttpRequest.newBuilder(sessionUri(session, "trouble/" + what)).POST(HttpRequest.BodyPublishers.noBody()));
    }

    /** The subjects of a session's tickets, sorted. */
    List<String> subjects(String session) {
        return parse(send(HttpRequest.newBuilder(sessionUri(session, "tickets")))
                        .body())
                .findValuesAsText("subject");
    }

    private HttpRequest.Builder opening(String session, String subject) {
        try {
            return HttpRequest.newBuilder(sessionUri(session, "tickets"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(Map.of("subject", subject))));
        } catch (JsonProcessingException e) {
            throw new AssertionError("a subject is text", e);
        }
    }

    private URI sessionUri(String session, String path) {
        return URI.create(base + "/desk/sessions/" + session + "/" + path);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + json, e);
        }
    }
}
