package dev.tidings.protocol.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/**
 * A servlet that has the methods it names and no others. {@link HttpServlet} by itself would echo a request to {@code TRACE},
 * promise that to {@code OPTIONS}, and answer the rest with the container's page.
 *
 * <p>Threads: as any servlet.
 */
public abstract class FaceServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** For subclasses. */
    protected FaceServlet() {}

    /** The methods of what the request asks for, in the order in which {@code Allow} names them. */
    protected abstract List<String> methods(HttpServletRequest request);

    /** Answers a request with one of the methods. */
    protected abstract void handle(HttpServletRequest request, HttpServletResponse response) throws IOException;

    /** What a request with another method is told; {@code Allow} is there, and other headers may be added. */
    protected HttpAnswer notAllowed(HttpServletResponse response) {
        return HttpRefusal.METHOD_NOT_ALLOWED.answer();
    }

    @Override
    protected final void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        List<String> methods = methods(request);
        if (methods.contains(request.getMethod())) {
            handle(request, response);
        } else {
            response.setHeader("Allow", String.join(", ", methods));
            HttpExchange.answerNow(request, response, notAllowed(response));
        }
    }
}
