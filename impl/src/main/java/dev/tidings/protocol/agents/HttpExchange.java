package dev.tidings.protocol.agents;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One request that is answered later: by whoever is first, the action, the timeout or the client that goes.
 *
 * <p>The answer is written as the client takes it, without a thread that waits. A client that has gone is no fault.
 *
 * <p>Threads: any.
 */
final class HttpExchange implements AsyncListener {

    private static final System.Logger LOG = System.getLogger(HttpExchange.class.getName());

    /** The refusals that may come before the body was read. */
    private static final Set<Integer> UNREAD = Set.of(405, 413, 415, 503);

    /** How far a request is. */
    private enum State {
        /** Nobody has answered. */
        OPEN,
        /** The answer is on its way. */
        ANSWERING,
        /** The container has it back. */
        COMPLETE
    }

    private final AgentsHttp http;
    private final AsyncContext context;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    // Volatile: written once by whoever answers, read by whoever completes.
    private volatile long held;

    // Volatile: set before the container can call anybody, read by whoever completes.
    private volatile Runnable atEnd = () -> {};

    HttpExchange(AgentsHttp http, AsyncContext context) {
        this.http = http;
        this.context = context;
    }

    /** What every answer carries: any page may ask, nobody caches. */
    static void commonHeaders(HttpServletResponse response) {
        response.setHeader("Access-Control-Allow-Origin", "*");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
    }

    /** A small answer, on the container's own thread. */
    static void answerNow(HttpServletRequest request, HttpServletResponse response, HttpAnswer answer)
            throws IOException {
        head(request, response, answer);
        response.getOutputStream().write(answer.body());
    }

    private static void head(ServletRequest request, HttpServletResponse response, HttpAnswer answer) {
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        response.setContentLength(answer.body().length);
        if (answer.status() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
            response.setHeader("Retry-After", "1");
        }
        // A client that is still sending must not take what it sends next for another request's beginning.
        if (UNREAD.contains(answer.status()) && "HTTP/1.1".equals(request.getProtocol())) {
            response.setHeader("Connection", "close");
        }
    }

    /** Has something done when the exchange is over, however it ends. */
    void atEnd(Runnable work) {
        atEnd = work;
    }

    /** Answers, unless somebody did. */
    void answer(HttpAnswer given) {
        if (!state.compareAndSet(State.OPEN, State.ANSWERING)) {
            return;
        }
        HttpAnswer answer = http.holdAnswer(given);
        held = answer.heldBytes();
        try {
            HttpServletResponse response = (HttpServletResponse) context.getResponse();
            head(context.getRequest(), response, answer);
            ServletOutputStream out = response.getOutputStream();
            Body body = new Body(out, answer.body());
            out.setWriteListener(body);
            // Grizzly's servlets call a listener only after they were asked whether they are ready.
            body.onWritePossible();
        } catch (IOException | IllegalStateException gone) {
            complete();
        }
    }

    /** Ends it without an answer, because the client is gone or took too long. Never looks like a success. */
    void abandon() {
        if (state.compareAndSet(State.OPEN, State.ANSWERING)) {
            ((HttpServletResponse) context.getResponse()).setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        }
        complete();
    }

    private void complete() {
        if (!end()) {
            return;
        }
        try {
            context.complete();
        } catch (IllegalStateException already) {
            LOG.log(System.Logger.Level.TRACE, "the container completed a request before its answer");
        }
    }

    /** Lets go of everything, once; false if that was done before. */
    private boolean end() {
        if (state.getAndSet(State.COMPLETE) == State.COMPLETE) {
            return false;
        }
        http.releaseAnswer(held);
        atEnd.run();
        return true;
    }

    /** The body on its way. */
    private final class Body implements WriteListener {
        private static final int CHUNK = 32 << 10;

        private final ServletOutputStream out;
        private final byte[] body;
        private final OneAtATime writing = new OneAtATime(this::writePossible);
        // Confined: the one writing step at a time.
        private int written;

        Body(ServletOutputStream out, byte[] body) {
            this.out = out;
            this.body = body;
        }

        @Override
        public void onWritePossible() throws IOException {
            writing.run();
        }

        private void writePossible() throws IOException {
            // Once complete, the stream may serve another request.
            while (state.get() == State.ANSWERING && out.isReady()) {
                if (written == body.length) {
                    complete();
                    return;
                }
                int length = Math.min(CHUNK, body.length - written);
                out.write(body, written, length);
                written += length;
            }
        }

        @Override
        public void onError(Throwable gone) {
            complete();
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        abandon();
    }

    @Override
    public void onError(AsyncEvent event) {
        abandon();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Nobody dispatches it again.
    }
}
