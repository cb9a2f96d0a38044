package dev.tidings.protocol.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads a request's body as it comes, without a thread that waits for it.
 *
 * <p>Containers differ. Most call a listener as soon as it is set; Grizzly's servlets first want to be asked whether they
 * are ready, and say that all data was read when all has come. So the body is also read by whoever sets the listener, what
 * is there is always read first, and the end is where the container or the stream says so, whichever is first.
 *
 * <p>Nobody touches the stream after it said that it is not ready, until the container calls: it may call at once, on
 * another thread, and it fills the stream on that thread. Two threads in it lose bytes, or the call for the next ones.
 */
final class BodyReader implements ReadListener {
    private static final int CHUNK = 8 << 10;

    private final ServletInputStream in;
    private final IncomingBody body;
    private final HttpExchange exchange;
    // True while a thread is in the stream, and for good when the reading is over.
    private final AtomicBoolean taken = new AtomicBoolean();
    // Volatile: set by the container's thread or the one that reads.
    private volatile boolean allCame;
    // Volatile: set by the one that reads, read by whoever watches the time.
    private volatile boolean whole;
    // Volatile: set by whoever ends the exchange, read by the one that reads.
    private volatile boolean ended;

    private BodyReader(ServletInputStream in, IncomingBody body, HttpExchange exchange) {
        this.in = in;
        this.body = body;
        this.exchange = exchange;
    }

    static BodyReader start(ServletInputStream in, IncomingBody body, HttpExchange exchange) {
        BodyReader reader = new BodyReader(in, body, exchange);
        exchange.atEnd(reader::letGo);
        in.setReadListener(reader);
        reader.onDataAvailable();
        return reader;
    }

    /** Whether nothing more is awaited: all has come, or the exchange is over. */
    boolean over() {
        return ended || whole;
    }

    /** Reads no more; false if that cannot be said now, because a thread is in the stream. */
    boolean stop() {
        boolean nobodyReads = take();
        if (nobodyReads) {
            body.abandon();
        }
        return nobodyReads;
    }

    @Override
    public void onDataAvailable() {
        if (!take()) {
            return;
        }
        try {
            readAvailable();
        } catch (IOException | RuntimeException | Error gone) {
            // Errors as well: what it holds would be held for ever.
            body.abandon();
            onError(gone);
        }
    }

    @Override
    public void onAllDataRead() {
        allCame = true;
        onDataAvailable();
    }

    @Override
    public void onError(Throwable gone) {
        exchange.abandon();
    }

    /** The exchange is over. Whoever is in the stream lets go of what the body holds. */
    private void letGo() {
        ended = true;
        if (take()) {
            body.abandon();
        }
    }

    private boolean take() {
        return taken.compareAndSet(false, true);
    }

    /** Reads what has come, by whoever has taken the stream; keeps it taken when there is nothing more to read. */
    private void readAvailable() throws IOException {
        byte[] chunk = new byte[CHUNK];
        while (true) {
            do {
                // Asked before reading: what comes between the last read and the question is read in the next round.
                boolean allThere = allThere();
                if (ended || (allThere && readUntilRefused(chunk))) {
                    body.abandon();
                    return;
                }
                if (allThere) {
                    whole = true;
                    body.end().thenAccept(exchange::answer);
                    return;
                }
                // From here on the container may call, and then the stream is that thread's.
                taken.set(false);
                // Who came while it was taken has left it to us.
            } while ((ended || allCame) && take());
            // Once everything is there, Grizzly must not be asked isReady.
            if (ended || allCame || !in.isReady() || !take()) {
                return;
            }
            if (readOnce(chunk)) {
                body.abandon();
                return;
            }
        }
    }

    /** Whether everything has come; in Grizzly that says nothing about whether it was read. */
    private boolean allThere() {
        return allCame || in.isFinished();
    }

    /** Takes all that is left; true if the body was refused. */
    private boolean readUntilRefused(byte[] chunk) throws IOException {
        while (in.available() > 0) {
            if (readOnce(chunk)) {
                return true;
            }
        }
        return false;
    }

    /** Takes some of what has come; true if the body was refused. */
    private boolean readOnce(byte[] chunk) throws IOException {
        int length = in.read(chunk);
        if (length < 0) {
            allCame = true;
            return false;
        }
        Optional<HttpAnswer> refused = body.add(chunk, length);
        refused.ifPresent(exchange::answer);
        return refused.isPresent();
    }
}
