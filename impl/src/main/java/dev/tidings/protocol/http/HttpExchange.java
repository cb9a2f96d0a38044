package dev.tidings.protocol.http;

import dev.tidings.delivery.FaultWords;
import dev.tidings.transport.PortableSink;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request that is answered later: by whoever is first, the work, a deadline or the client that goes.
 *
 * <p>Body and answer move as the client sends and takes them, without a thread that waits. A body that does not come in time
 * is answered for; a client that takes nothing of its answer for as long as a send may take is dropped. A client that has
 * gone is no fault.
 *
 * <p>Threads: any.
 */
public final class HttpExchange implements AsyncListener {

    private static final System.Logger LOG = System.getLogger(HttpExchange.class.getName());

    private static final Duration ONCE_MORE = Duration.ofMillis(100);

    /** The refusals that may come before the body was read. */
    private static final Set<Integer> UNREAD = Set.of(405, 408, 413, 415, 503);

    /**
     * How a face says what any may have to say.
     *
     * @param busy there is too much to do, or in memory
     * @param tooLarge the body is
     * @param tooSlow the body did not come in time
     */
    public record Words(HttpAnswer busy, HttpAnswer tooLarge, HttpAnswer tooSlow) {}

    /** How far a request is. */
    private enum State {
        /** Nobody has answered. */
        OPEN,
        /** The answer is on its way. */
        ANSWERING,
        /** The container has it back. */
        COMPLETE
    }

    private final HttpExchanges shared;
    private final AsyncContext context;
    private final Words words;
    private final Departure departure;
    private final Runnable drop;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    /** Of the budget for answers. */
    private final AtomicLong held = new AtomicLong();

    private final AtomicReference<@Nullable Pieces> source = new AtomicReference<>();

    // Volatile: written by whoever answers, read by whoever completes.
    private volatile boolean last;

    // Volatile: set before the container can call anybody, read by whoever completes.
    private volatile Runnable atEnd = () -> {};

    HttpExchange(HttpExchanges shared, AsyncContext context, Words words) {
        this.shared = shared;
        this.context = context;
        this.words = words;
        this.departure = shared.departure(context);
        this.drop = context.getRequest().getAttribute(PortableSink.ABORT) instanceof Runnable known ? known : () -> {};
    }

    /** A small answer, on the container's own thread. */
    public static void answerNow(HttpServletRequest request, HttpServletResponse response, HttpAnswer answer)
            throws IOException {
        closeIfUnread(request, response, answer);
        answerNow(response, answer);
    }

    static void answerNow(HttpServletResponse response, HttpAnswer answer) throws IOException {
        head(response, answer);
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
    }

    private static void head(HttpServletResponse response, HttpAnswer answer) {
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        answer.headers().forEach(response::setHeader);
        if (answer.status() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
            response.setHeader("Retry-After", "1");
        }
    }

    private static boolean closeIfUnread(ServletRequest request, HttpServletResponse response, HttpAnswer answer) {
        // A client that is still sending must not take what it sends next for another request's beginning.
        boolean close = UNREAD.contains(answer.status()) && "HTTP/1.1".equals(request.getProtocol());
        if (close) {
            response.setHeader("Connection", "close");
        }
        return close;
    }

    /** Has something done when the exchange is over, however it ends; once, and before anything can end it. */
    public void atEnd(Runnable work) {
        atEnd = work;
    }

    /** Reads the body as it comes; whoever takes it answers. */
    public void read(IncomingBody body) throws IOException {
        BodyReader reader = BodyReader.start(context.getRequest().getInputStream(), body, this);
        if (!reader.over()) {
            stopLate(reader, shared.limits().bodyTimeout());
        }
    }

    private void stopLate(BodyReader reader, Duration after) {
        shared.after(after, () -> {
            if (reader.stop()) {
                answerOnWorker(words.tooSlow());
            } else if (!reader.over()) {
                stopLate(reader, ONCE_MORE);
            }
        });
    }

    /** Answers with what work that asks the database comes to, when it is its turn; it may throw nothing. */
    public void work(Supplier<HttpAnswer> work) {
        shared.read(() -> answer(work.get()), () -> answer(words.busy()));
    }

    /** Answers, unless somebody did. */
    public void answer(HttpAnswer given) {
        if (!state.compareAndSet(State.OPEN, State.ANSWERING)) {
            return;
        }
        HttpAnswer answer = hold(given.heldBytes()) ? given : words.busy();
        write(answer, true);
    }

    /** The same for whoever must not wait, as a timer: a container may block. */
    public void answerOnWorker(HttpAnswer given) {
        shared.run(() -> answer(given));
    }

    /** Answers piece by piece, unless somebody did; the pieces are closed in any case. */
    public void answer(HttpAnswer head, Pieces pieces) {
        if (!state.compareAndSet(State.OPEN, State.ANSWERING)) {
            pieces.close();
            return;
        }
        source.set(pieces);
        if (state.get() == State.COMPLETE) {
            // Whoever ended it saw no pieces.
            closeSource();
            return;
        }
        write(head, false);
    }

    private void write(HttpAnswer answer, boolean whole) {
        try {
            HttpServletResponse response = (HttpServletResponse) context.getResponse();
            last = closeIfUnread(context.getRequest(), response, answer);
            head(response, answer);
            if (whole) {
                response.setContentLength(answer.body().length);
            }
            ServletOutputStream out = response.getOutputStream();
            Body body = new Body(out, answer.body());
            out.setWriteListener(body);
            // Grizzly's servlets call a listener only after they were asked whether they are ready.
            body.onWritePossible();
            if (state.get() == State.ANSWERING) {
                watch(body.progress, 0);
            }
        } catch (IOException | RuntimeException | Error trouble) {
            cut(trouble);
        }
    }

    /** The rest cannot be sent. That a client is gone is no fault. */
    private void cut(Throwable trouble) {
        giveUp();
        if (!(trouble instanceof IOException || trouble instanceof IllegalStateException)) {
            LOG.log(System.Logger.Level.WARNING, "an answer could not be sent: {0}", FaultWords.of(trouble));
        }
    }

    /** Takes so much of the budget for answers, as long as the exchange lasts. */
    private boolean hold(long bytes) {
        if (!shared.answers().take(bytes)) {
            return false;
        }
        held.addAndGet(bytes);
        if (state.get() == State.COMPLETE) {
            release();
        }
        return true;
    }

    private void release() {
        shared.answers().give(held.getAndSet(0));
    }

    /** Looks again and again whether the client takes anything; a page that is being made is not the client's fault. */
    private void watch(Progress progress, long taken) {
        shared.after(shared.limits().sendTimeout(), () -> {
            if (state.get() != State.ANSWERING) {
                return;
            }
            long now = progress.taken;
            if (now == taken && !progress.awaiting) {
                shared.run(this::giveUp);
            } else {
                watch(progress, now);
            }
        });
    }

    /** In this order: ending an answer may wait for the client to take what is left. */
    private void giveUp() {
        try {
            // Once complete, the connection may serve another request.
            if (state.get() == State.ANSWERING) {
                drop.run();
            }
        } finally {
            complete();
        }
    }

    /** Ends it because the client is gone or took too long. Never looks like a success, nor a begun answer whole. */
    void abandon() {
        if (!state.compareAndSet(State.OPEN, State.ANSWERING)) {
            giveUp();
            return;
        }
        try {
            ((HttpServletResponse) context.getResponse()).setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        } finally {
            complete();
        }
    }

    private void complete() {
        if (end()) {
            departure.complete();
        }
    }

    /** Lets go of everything, once; false if that was done before. */
    private boolean end() {
        if (state.getAndSet(State.COMPLETE) == State.COMPLETE) {
            return false;
        }
        release();
        try {
            closeSource();
            if (last) {
                // A container may wait for the rest of the body before it closes, which is for as long as the client
                // likes.
                shared.after(shared.limits().sendTimeout(), () -> shared.run(drop));
            }
        } finally {
            atEnd.run();
        }
        return true;
    }

    private void closeSource() {
        Pieces pieces = source.getAndSet(null);
        if (pieces != null) {
            pieces.close();
        }
    }

    /** What is looked at from time to time, apart from the bytes: a timer outlives them (law 4). */
    private static final class Progress {
        // Volatile, both: written by the one writing step at a time, read by whoever watches.
        volatile boolean awaiting;
        volatile long taken;
    }

    /** The body on its way. */
    private final class Body implements WriteListener {
        private static final int CHUNK = 32 << 10;
        private static final byte[] NOTHING = {};

        private final ServletOutputStream out;
        private final Progress progress = new Progress();
        private final OneAtATime writing = new OneAtATime(this::writePossible);
        private final AtomicReference<Pieces.@Nullable Piece> arrived = new AtomicReference<>();
        // Confined, both: the one writing step at a time.
        private byte[] piece;
        private int written;

        Body(ServletOutputStream out, byte[] piece) {
            this.out = out;
            this.piece = piece;
        }

        @Override
        public void onWritePossible() {
            try {
                writing.run();
            } catch (IOException | RuntimeException | Error trouble) {
                cut(trouble);
            }
        }

        private void writePossible() throws IOException {
            take();
            // Once complete, the stream may serve another request.
            while (state.get() == State.ANSWERING && out.isReady()) {
                if (written == piece.length) {
                    next();
                    return;
                }
                int length = Math.min(CHUNK, piece.length - written);
                out.write(piece, written, length);
                written += length;
                progress.taken++;
            }
        }

        private void next() {
            Pieces pieces = source.get();
            // Before it is given back: the container may keep its listener for a while.
            piece = NOTHING;
            written = 0;
            if (pieces == null) {
                complete();
            } else if (!progress.awaiting) {
                release();
                progress.awaiting = true;
                pieces.next(this::arrived);
            }
        }

        private void arrived(Pieces.Piece made) {
            arrived.set(made);
            onWritePossible();
        }

        private void take() {
            Pieces.Piece made = arrived.getAndSet(null);
            if (made instanceof Pieces.Piece.Some some && hold(some.utf8().length)) {
                progress.awaiting = false;
                progress.taken++;
                piece = some.utf8();
                written = 0;
            } else if (made instanceof Pieces.Piece.End) {
                complete();
            } else if (made != null) {
                // What was sent is no whole JSON object, and the transfer does not look whole either.
                giveUp();
            }
        }

        @Override
        public void onError(Throwable gone) {
            giveUp();
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        abandon();
        departure.completeNow();
    }

    @Override
    public void onError(AsyncEvent event) {
        abandon();
        departure.completeNow();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        departure.completed();
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Nobody dispatches it again.
    }
}
