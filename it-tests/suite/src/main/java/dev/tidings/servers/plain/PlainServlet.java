package dev.tidings.servers.plain;

import jakarta.inject.Inject;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Answers with the same, on another thread than the one that was asked: {@code /later}.
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
        PlainBean echo = Objects.requireNonNull(bean);
        String said = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        AsyncContext later = request.startAsync();
        later.start(() -> {
            try {
                byte[] answer = echo.echo(said).getBytes(StandardCharsets.UTF_8);
                later.getResponse().getOutputStream().write(answer);
                later.complete();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
