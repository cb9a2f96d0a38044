package dev.tidings.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidings.blackbox.SignedClient;
import java.io.File;
import java.net.http.HttpResponse;
import java.util.Objects;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The same in a server with MicroProfile Health: the jar with the checks is dropped in as it is.
 *
 * <p>Threads: one.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public abstract class HealthContract extends WatchersContract {

    /** The application with the checks. */
    protected static WebArchive applicationWithHealth() {
        return application()
                .addAsLibrary(new File(Objects.requireNonNull(System.getProperty("health.jar"), "health.jar")));
    }

    /** Asked once, and also as soon as the server says that the application is there. */
    @Test
    @Order(1)
    void health_ofTheServer_hasTheChecks() {
        for (String kind : new String[] {"ready", "live"}) {
            HttpResponse<String> answer = SignedClient.get(base().resolve("/health/" + kind));
            JsonNode check = null;
            for (JsonNode one : parse(answer.body()).path("checks")) {
                check = one.path("name").asText().equals("tidings") ? one : check;
            }
            assertEquals(200, answer.statusCode(), answer.body());
            assertEquals(
                    "UP",
                    Objects.requireNonNull(check, answer.body()).path("status").asText());
            assertEquals(
                    kind.equals("ready") ? "ready" : "", check.at("/data/state").asText());
        }
    }
}
