package dev.tidings.servers.blackbox;

import dev.tidings.ApiKeySecret;
import dev.tidings.blackbox.AgentsSuite;
import dev.tidings.blackbox.CommandsSuite;
import dev.tidings.blackbox.ConversationsSuite;
import dev.tidings.blackbox.TrapsSuite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Every black-box suite, over one deployment.
 *
 * <p>Threads: as JUnit does. Public because the tests of each server extend it; not API.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class ServerBlackBox {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private @Nullable BlackBoxServer server;
    private @Nullable String key;

    /** Starts a server and deploys the WAR. */
    protected abstract BlackBoxServer startServer() throws Exception;

    @BeforeAll
    final void start() throws Exception {
        server = startServer();
        key = newKey("");
    }

    @AfterAll
    final void stop() {
        if (server != null) {
            server.close();
        }
    }

    private BlackBoxServer server() {
        return Objects.requireNonNull(server);
    }

    private URI base() {
        return server().base();
    }

    /** The Agents API. */
    @Nested
    class Agents extends AgentsSuite {
        @Override
        protected URI base() {
            return ServerBlackBox.this.base();
        }
    }

    /** The session commands. */
    @Nested
    class Commands extends CommandsSuite {
        @Override
        protected URI base() {
            return ServerBlackBox.this.base();
        }
    }

    /** Conversations; the web application is what starts again there. */
    @Nested
    class Conversations extends ConversationsSuite {
        @Override
        protected URI base() {
            return ServerBlackBox.this.base();
        }

        @Override
        protected String key() {
            return Objects.requireNonNull(key);
        }

        @Override
        protected String newKey(String... words) {
            return ServerBlackBox.this.newKey(words.length == 0 ? "" : "?session=" + words[1]);
        }

        @Override
        protected void revoke(String revoked) {
            String id = ApiKeySecret.parse(revoked).orElseThrow().id();
            keys(HttpRequest.newBuilder().DELETE(), "?id=" + id);
        }

        @Override
        protected void restart() {
            server().restart();
        }
    }

    /** What containers are known to get wrong. */
    @Nested
    class Traps extends TrapsSuite {
        @Override
        protected URI base() {
            return ServerBlackBox.this.base();
        }
    }

    /** MicroProfile Config. */
    @Nested
    class Configuration extends ConfigurationSuite {
        @Override
        URI base() {
            return ServerBlackBox.this.base();
        }
    }

    private String newKey(String query) {
        return keys(HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.noBody()), query);
    }

    private String keys(HttpRequest.Builder request, String query) {
        try {
            HttpResponse<String> answer = HTTP.send(
                    request.uri(URI.create(base() + "/keys" + query)).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new AssertionError("keys" + query + " was answered " + answer.statusCode());
            }
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
