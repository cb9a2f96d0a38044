package dev.tidings.protocol.http;

import dev.tidings.runs.Deadlines;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * What all requests share that are answered later: places, bytes and deadlines, so that peers who send or read slowly hold
 * no thread, no connection of the database, and a bounded part of the memory (laws 4 and 5).
 *
 * <p>Threads: any.
 */
public final class HttpExchanges {
    private final HttpLimits limits;
    private final Executor sockets;
    private final BoundedExecutor reads;
    private final Deadlines deadlines;
    private final HeldBytes bodies;
    private final HeldBytes answers;
    private final Places transcripts;

    /**
     * What they share.
     *
     * @param workers runs what may wait for the database
     * @param sockets runs what a container may block in, whatever the database does
     */
    public HttpExchanges(HttpLimits limits, Executor workers, Executor sockets, Deadlines deadlines) {
        this.limits = limits;
        this.sockets = sockets;
        this.reads = new BoundedExecutor(
                workers, limits.maxReads(), work -> ((Read) work).refused().run());
        this.deadlines = deadlines;
        this.bodies = new HeldBytes(limits.maxBodyBytes());
        this.answers = new HeldBytes(limits.maxAnswerBytes());
        this.transcripts = new Places(limits.maxTranscripts());
    }

    /** A piece of work that waits for its turn. */
    private record Read(Runnable work, Runnable refused) implements Runnable {
        @Override
        public void run() {
            work.run();
        }
    }

    /**
     * Has a request answered later.
     *
     * @param longest after so long it is over in any case
     * @param words what is answered where the reason lies in no face
     */
    public HttpExchange begin(HttpServletRequest request, Duration longest, HttpExchange.Words words) {
        AsyncContext context = request.startAsync();
        context.setTimeout(longest.toMillis());
        HttpExchange exchange = new HttpExchange(this, context, words);
        context.addListener(exchange);
        return exchange;
    }

    /**
     * Does something that asks the database, when it is its turn.
     *
     * @param refused run instead if it will never be
     */
    public void read(Runnable work, Runnable refused) {
        try {
            reads.execute(new Read(work, refused));
        } catch (RuntimeException | Error noThread) {
            // The server stops, or a pool is full; one that cannot start a thread says so with an error.
            refused.run();
        }
    }

    /** Fails what is not done in time; returns it. */
    public <T> CompletableFuture<T> within(CompletableFuture<T> waiting, Duration longest) {
        return deadlines.fail(waiting, longest);
    }

    /** Bytes of bodies that are not yet handled. */
    public HeldBytes bodies() {
        return bodies;
    }

    /** Bytes of answers that are not yet taken. */
    public HeldBytes answers() {
        return answers;
    }

    /** Answers that are told piece by piece, by whom they are for. */
    public Places transcripts() {
        return transcripts;
    }

    /** How a request goes back to its container. */
    public Departure departure(AsyncContext context) {
        return new Departure(context, this::run, this::after);
    }

    /** Does something short, later; false if the timers are stopping. */
    boolean after(Duration time, Runnable task) {
        return deadlines.after(time, task);
    }

    /** Does something that may block for a container's sake. */
    void run(Runnable task) {
        try {
            sockets.execute(task);
        } catch (RuntimeException | Error noThread) {
            task.run();
        }
    }

    HttpLimits limits() {
        return limits;
    }
}
