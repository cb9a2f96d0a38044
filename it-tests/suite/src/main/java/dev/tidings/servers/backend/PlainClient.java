package dev.tidings.servers.backend;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A caller of the application without Tidings, with a socket that stays open until the application has gone.
 *
 * <p>Threads: one.
 */
final class PlainClient implements WebSocket.Listener {
    private static final long PATIENCE_SECONDS = 60;

    private final CompletableFuture<String> heard = new CompletableFuture<>();

    // Confined: the test's thread.
    private @Nullable WebSocket socket;

    /** Asks the page and the socket for an echo. */
    static PlainClient of(Backend application) {
        String answer = application.tryToPost("/later", "\"said\"").body();
        PlainClient client = new PlainClient();
        URI echo = URI.create(application.base().toString().replaceFirst("^http", "ws") + "/echo");
        client.socket = client.waitFor(HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(echo, client)
                .thenCompose(open -> open.sendText("heard", true)));
        if (!answer.equals("\"said\"") || !"heard".equals(client.waitFor(client.heard))) {
            throw new AssertionError("no echo: " + answer);
        }
        return client;
    }

    /** Goes; Payara leaves the sockets of an application that has gone open. */
    void end() {
        if (socket != null) {
            socket.abort();
        }
    }

    private <T> T waitFor(CompletableFuture<T> outcome) {
        try {
            return outcome.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the socket fails", e);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
        heard.complete(text.toString());
        from.request(1);
        return null;
    }
}
