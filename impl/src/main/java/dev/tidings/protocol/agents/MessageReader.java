package dev.tidings.protocol.agents;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Optional;

/** Reads a request's body as it comes, without a thread that waits for it. */
final class MessageReader implements ReadListener {
    private static final int CHUNK = 8 << 10;

    private final ServletInputStream in;
    private final IncomingMessage message;
    private final HttpExchange exchange;
    // Confined: the container, which calls a listener from one thread at a time.
    private boolean over;

    MessageReader(ServletInputStream in, IncomingMessage message, HttpExchange exchange) {
        this.in = in;
        this.message = message;
        this.exchange = exchange;
    }

    @Override
    public void onDataAvailable() throws IOException {
        byte[] chunk = new byte[CHUNK];
        while (!over && in.isReady() && !in.isFinished()) {
            int length = in.read(chunk);
            if (length < 0) {
                return;
            }
            Optional<HttpAnswer> refused = message.add(chunk, length);
            if (refused.isPresent()) {
                over = true;
                exchange.answer(refused.get());
            }
        }
    }

    @Override
    public void onAllDataRead() {
        if (!over) {
            over = true;
            message.end().thenAccept(exchange::answer);
        }
    }

    @Override
    public void onError(Throwable gone) {
        over = true;
        message.abandon();
        exchange.abandon();
    }
}
