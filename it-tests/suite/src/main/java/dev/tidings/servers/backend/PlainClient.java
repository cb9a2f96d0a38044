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
 * A caller of the application without Tidings, with a socket that stays open until the application goes.
 *
 * <p>Threads: one.
 */
final class PlainClient implements WebSocket.Listener {
    private static final long PATIENCE_SECONDS = 60;

    private final CompletableFuture<String> heard = new CompletableFuture<>();
    private final CompletableFuture<Boolean> gone = new CompletableFuture<>();

    /** Asks the page and the socket for an echo. */
    static PlainClient of(Backend application) {
        String answer = application.tryToPost("/later", "\"said\"").body();
        PlainClient client = new PlainClient();
        URI socket = URI.create(application.base().toString().replaceFirst("^http", "ws") + "/echo");
        client.waitFor(HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(socket, client)
                .thenCompose(open -> open.sendText("heard", true)));
        if (!answer.equals("\"said\"") || !"heard".equals(client.waitFor(client.heard))) {
            throw new AssertionError("no echo: " + answer);
        }
        return client;
    }

    /** Waits until the server has ended the socket. */
    void awaitEnd() {
        waitFor(gone);
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
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
        heard.complete(text.toString());
        socket.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        gone.complete(true);
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        gone.complete(true);
    }
}
