package dev.tidings.protocol.agents;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One request that is answered later: by whoever is first, the action, the timeout or the client that goes.
 *
 * <p>The answer is written as the client takes it, without a thread that waits. A client that has gone is no fault.
 *
 * <p>Threads: any.
 */
final class HttpExchange implements AsyncListener {

    /** How far a request is. */
    private enum State {
        /** Nobody has answered. */
        OPEN,
        /** The answer is on its way. */
        ANSWERING,
        /** The container has it back. */
        COMPLETE
    }

    private final AsyncContext context;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    HttpExchange(AsyncContext context) {
        this.context = context;
    }

    /** What every answer carries: any page may ask, nobody caches. */
    static void commonHeaders(HttpServletResponse response) {
        response.setHeader("Access-Control-Allow-Origin", "*");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
    }

    /** A small answer, on the container's own thread. */
    static void answerNow(HttpServletResponse response, HttpAnswer answer) throws IOException {
        head(response, answer);
        response.getOutputStream().write(answer.body());
    }

    private static void head(HttpServletResponse response, HttpAnswer answer) {
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        response.setContentLength(answer.body().length);
        if (answer.status() == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
            response.setHeader("Retry-After", "1");
        }
    }

    /** Answers, unless somebody did. */
    void answer(HttpAnswer answer) {
        if (!state.compareAndSet(State.OPEN, State.ANSWERING)) {
            return;
        }
        try {
            HttpServletResponse response = (HttpServletResponse) context.getResponse();
            head(response, answer);
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new Body(out, answer.body()));
        } catch (IOException | IllegalStateException gone) {
            complete();
        }
    }

    /** The client is gone. */
    void abandon() {
        complete();
    }

    private void complete() {
        if (state.getAndSet(State.COMPLETE) == State.COMPLETE) {
            return;
        }
        try {
            context.complete();
        } catch (IllegalStateException already) {
            // The container completed it: the client is gone.
            state.set(State.COMPLETE);
        }
    }

    /** The body on its way. */
    private final class Body implements WriteListener {
        private static final int CHUNK = 32 << 10;

        private final ServletOutputStream out;
        private final byte[] body;
        // Confined: the container, which calls a listener from one thread at a time.
        private int written;

        Body(ServletOutputStream out, byte[] body) {
            this.out = out;
            this.body = body;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (out.isReady()) {
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
        if (state.compareAndSet(State.OPEN, State.ANSWERING)) {
            ((HttpServletResponse) context.getResponse()).setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        }
        complete();
    }

    @Override
    public void onError(AsyncEvent event) {
        complete();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        state.set(State.COMPLETE);
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Nobody dispatches it again.
    }
}
