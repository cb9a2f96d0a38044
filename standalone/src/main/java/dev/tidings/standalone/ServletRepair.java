package dev.tidings.standalone;

import dev.tidings.transport.PortableSink;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;

/**
 * The outermost filter: makes asynchronous servlets on Grizzly what the specification says.
 *
 * <p>Grizzly never calls a read or write listener for the first time by itself, can tell twice of the end of a body, and
 * completes a request while its first call is still running. See {@link AfterService} and {@link RepairedStreams}.
 *
 * <p>It also takes some ten megabytes of an answer before it says that it cannot take more, a copy for each connection; of one
 * with a write listener it takes little here (law 4). Others keep to what Grizzly does: their threads would wait.
 */
final class ServletRepair implements Filter {
    private final HeldBack heldBack;

    ServletRepair(HeldBack heldBack) {
        this.heldBack = heldBack;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        AfterService after = new AfterService();
        // Whoever streams an answer may have to give up a peer that does not read: ending the answer waits for that.
        Connection<?> connection =
                UpgradeServlet.unwrapped(request).getContext().getConnection();
        request.setAttribute(UpgradeServlet.ABORT, (Runnable) connection::terminateSilently);
        request.setAttribute(PortableSink.LITTLE, true);
        AnswerQueue queue = AnswerQueue.of((NIOConnection) connection);
        try {
            Response repaired = new Response((HttpServletResponse) response, after, queue);
            chain.doFilter(new Request((HttpServletRequest) request, repaired, after), repaired);
        } finally {
            heldBack.watch((HttpServletRequest) request, (HttpServletResponse) response, connection);
            after.serviceReturned();
        }
    }

    private static final class Request extends HttpServletRequestWrapper {
        private final Response response;
        private final AfterService after;
        // Confined: the thread of the servlet's first call. The next line also.
        private @Nullable ServletInputStream stream;
        private @Nullable AsyncContext started;

        Request(HttpServletRequest request, Response response, AfterService after) {
            super(request);
            this.response = response;
            this.after = after;
        }

        @Override
        public AsyncContext startAsync() {
            return startAsync(this, response);
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            AsyncContext context = new Context(super.startAsync(request, response), after);
            started = context;
            return context;
        }

        @Override
        public AsyncContext getAsyncContext() {
            AsyncContext context = started;
            return context == null ? super.getAsyncContext() : context;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            ServletInputStream known = stream;
            if (known == null) {
                known = new RepairedStreams.Input(super.getInputStream(), after);
                stream = known;
            }
            return known;
        }
    }

    private static final class Response extends HttpServletResponseWrapper {
        private final AfterService after;
        private final AnswerQueue queue;

        Response(HttpServletResponse response, AfterService after, AnswerQueue queue) {
            super(response);
            this.after = after;
            this.queue = queue;
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            return new RepairedStreams.Output(super.getOutputStream(), after, queue);
        }
    }

    /** Completes when the first call is over. */
    private record Context(AsyncContext context, AfterService after) implements AsyncContext {
        @Override
        public void complete() {
            after.run(context::complete, Runnable::run);
        }

        @Override
        public void dispatch() {
            after.run(context::dispatch, Runnable::run);
        }

        @Override
        public void dispatch(String path) {
            after.run(() -> context.dispatch(path), Runnable::run);
        }

        @Override
        public void dispatch(ServletContext servletContext, String path) {
            after.run(() -> context.dispatch(servletContext, path), Runnable::run);
        }

        @Override
        public ServletRequest getRequest() {
            return context.getRequest();
        }

        @Override
        public ServletResponse getResponse() {
            return context.getResponse();
        }

        @Override
        public boolean hasOriginalRequestAndResponse() {
            return context.hasOriginalRequestAndResponse();
        }

        @Override
        public void start(Runnable task) {
            context.start(task);
        }

        @Override
        public void addListener(AsyncListener listener) {
            context.addListener(listener);
        }

        @Override
        public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
            context.addListener(listener, request, response);
        }

        @Override
        public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
            return context.createListener(type);
        }

        @Override
        public void setTimeout(long millis) {
            context.setTimeout(millis);
        }

        @Override
        public long getTimeout() {
            return context.getTimeout();
        }
    }
}
