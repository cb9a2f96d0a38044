package dev.tidings.standalone;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Sends a body back: read as it comes, written as the client takes it, by a thread that is not the container's. A body
 * of one "t" is never answered, and its time runs out. Public for the container.
 */
@WebServlet(urlPatterns = "/non-blocking", asyncSupported = true)
public class NonBlocking extends HttpServlet {
    private static final long serialVersionUID = 1L;
    static final BlockingQueue<String> SEEN = new LinkedBlockingQueue<>();

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext context = request.startAsync();
        context.setTimeout("t".equals(request.getQueryString()) ? 300 : 60_000);
        context.addListener(new Events());
        request.getInputStream().setReadListener(new Reader(request.getInputStream(), context));
    }

    private static final class Reader implements ReadListener {
        private final ServletInputStream in;
        private final AsyncContext context;
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Reader(ServletInputStream in, AsyncContext context) {
            this.in = in;
            this.context = context;
        }

        @Override
        public void onDataAvailable() throws IOException {
            SEEN.add("data");
            byte[] chunk = new byte[8192];
            while (in.isReady() && !in.isFinished()) {
                int length = in.read(chunk);
                if (length < 0) {
                    return;
                }
                body.write(chunk, 0, length);
            }
        }

        @Override
        public void onAllDataRead() {
            SEEN.add("all");
            byte[] all = body.toByteArray();
            if (all.length != 1) {
                var unused = CompletableFuture.runAsync(() -> write(context, all));
            }
        }

        @Override
        public void onError(Throwable cause) {
            SEEN.add("error");
            context.complete();
        }
    }

    private static void write(AsyncContext context, byte[] body) {
        try {
            context.getResponse().setContentLength(body.length);
            ServletOutputStream out = context.getResponse().getOutputStream();
            out.setWriteListener(new Written(context, out, body));
        } catch (IOException e) {
            SEEN.add("error");
        }
    }

    private static final class Written implements WriteListener {
        private final AsyncContext context;
        private final ServletOutputStream out;
        private final byte[] body;
        private int at;

        Written(AsyncContext context, ServletOutputStream out, byte[] body) {
            this.context = context;
            this.out = out;
            this.body = body;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (out.isReady()) {
                if (at == body.length) {
                    context.complete();
                    return;
                }
                int length = Math.min(32_768, body.length - at);
                out.write(body, at, length);
                at += length;
            }
        }

        @Override
        public void onError(Throwable cause) {
            SEEN.add("error");
            context.complete();
        }
    }

    private static final class Events implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            SEEN.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            SEEN.add("timeout");
            ((HttpServletResponse) event.getAsyncContext().getResponse()).setStatus(503);
            event.getAsyncContext().complete();
        }

        @Override
        public void onError(AsyncEvent event) {
            SEEN.add("error");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}
