package dev.tidings.protocol.agents;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads a request's body as it comes, without a thread that waits for it.
 *
 * <p>Containers differ. Most call a listener as soon as it is set; Grizzly's servlets first want to be asked whether they
 * are ready, and say that all data was read when all has come. So the body is also read by whoever sets the listener, what
 * is there is always read first, and the end is where the container or the stream says so, whichever is first.
 */
final class MessageReader implements ReadListener {
    private static final System.Logger LOG = System.getLogger(MessageReader.class.getName());
    private static final int CHUNK = 8 << 10;

    private final ServletInputStream in;
    private final IncomingMessage message;
    private final HttpExchange exchange;
    private final OneAtATime reading = new OneAtATime(this::readAvailable);
    // Volatile: set by the container's thread, read by the one that reads.
    private volatile boolean allCame;
    // Volatile: set by whoever ends the exchange, read by the one that reads.
    private volatile boolean ended;
    // Confined: the one reading step at a time.
    private boolean over;

    private MessageReader(ServletInputStream in, IncomingMessage message, HttpExchange exchange) {
        this.in = in;
        this.message = message;
        this.exchange = exchange;
    }

    static void start(ServletInputStream in, IncomingMessage message, HttpExchange exchange) {
        MessageReader reader = new MessageReader(in, message, exchange);
        exchange.atEnd(reader::letGo);
        in.setReadListener(reader);
        reader.onDataAvailable();
    }

    @Override
    public void onDataAvailable() {
        try {
            reading.run();
        } catch (IOException | IllegalStateException gone) {
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

    /** The exchange is over. What the message holds is let go by the step, which may be running. */
    private void letGo() {
        ended = true;
        try {
            reading.run();
        } catch (IOException | IllegalStateException gone) {
            LOG.log(System.Logger.Level.TRACE, "a client went while its message came in");
        }
    }

    private void readAvailable() throws IOException {
        if (over) {
            return;
        }
        try {
            boolean allThere;
            do {
                // Asked before reading: what comes between the last read and the question is read in the next round.
                allThere = allThere();
                if (ended || readUntilRefused(allThere)) {
                    over = true;
                    message.abandon();
                    return;
                }
            } while (!allThere && allThere());
            if (allThere) {
                over = true;
                message.end().thenAccept(exchange::answer);
            }
        } catch (IOException | RuntimeException gone) {
            over = true;
            message.abandon();
            throw gone;
        }
    }

    /** Whether everything has come; in Grizzly that says nothing about whether it was read. */
    private boolean allThere() {
        return allCame || in.isFinished();
    }

    /** Takes what has come; true if the message was refused. */
    private boolean readUntilRefused(boolean allThere) throws IOException {
        byte[] chunk = new byte[CHUNK];
        // Once everything is there, Grizzly must not be asked isReady.
        while (allThere ? in.available() > 0 : in.isReady()) {
            int length = in.read(chunk);
            if (length < 0) {
                return false;
            }
            Optional<HttpAnswer> refused = message.add(chunk, length);
            if (refused.isPresent()) {
                exchange.answer(refused.get());
                return true;
            }
        }
        return false;
    }
}
