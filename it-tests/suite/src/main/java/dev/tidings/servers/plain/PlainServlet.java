package dev.tidings.servers.plain;

import jakarta.inject.Inject;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads without blocking, and answers with the same: {@code /later}.
 *
 * <p>Threads: many. Public for the container; not API.
 */
@WebServlet(urlPatterns = "/later", asyncSupported = true)
public class PlainServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Inject
    private transient @Nullable PlainBean bean;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext later = request.startAsync();
        ServletInputStream in = request.getInputStream();
        in.setReadListener(new Whole(Objects.requireNonNull(bean), later, in));
    }

    /** Confined: the container calls it on one thread at a time. */
    private record Whole(PlainBean bean, AsyncContext later, ServletInputStream in, ByteArrayOutputStream read)
            implements ReadListener {

        Whole(PlainBean bean, AsyncContext later, ServletInputStream in) {
            this(bean, later, in, new ByteArrayOutputStream());
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] some = new byte[1024];
            while (in.isReady() && !in.isFinished()) {
                int count = in.read(some);
                read.write(some, 0, Math.max(count, 0));
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            String answer = bean.echo(read.toString(StandardCharsets.UTF_8));
            later.getResponse().getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            later.complete();
        }

        @Override
        public void onError(Throwable error) {
            later.complete();
        }
    }
}
