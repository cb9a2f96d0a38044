package dev.tidings.standalone;

import dev.tidings.protocol.http.HttpRefusal;
import org.glassfish.grizzly.http.server.ErrorPageGenerator;
import org.glassfish.grizzly.http.server.Request;

/**
 * What Grizzly and Tyrus would answer with a page of their own, or with nothing but a status, said as the faces say it.
 *
 * <p>Threads: pure.
 */
final class ErrorAnswers {
    static final String CONTENT_TYPE = "application/json";

    private ErrorAnswers() {}

    /** The refusal that a status stands for. */
    static HttpRefusal refusal(int status) {
        return switch (status) {
            case 401 -> HttpRefusal.UNAUTHORIZED;
            case 403 -> HttpRefusal.FORBIDDEN;
            case 404 -> HttpRefusal.NOT_FOUND;
            case 405 -> HttpRefusal.METHOD_NOT_ALLOWED;
            case 413 -> HttpRefusal.TOO_LARGE;
            case 503 -> HttpRefusal.BUSY;
            case 505 -> HttpRefusal.BAD_REQUEST; // a version of HTTP that there is not
            default -> status < 500 ? HttpRefusal.BAD_REQUEST : HttpRefusal.INTERNAL_ERROR;
        };
    }

    /** The body that goes with a status. */
    static byte[] body(int status) {
        return refusal(status).answer().body();
    }

    /** The same in the place of Grizzly's pages. Nothing of the reason or the exception is told. */
    static ErrorPageGenerator pages() {
        return (request, status, reason, description, exception) -> page(request, status);
    }

    private static String page(Request request, int status) {
        request.getResponse().setContentType(CONTENT_TYPE);
        return new String(body(status), java.nio.charset.StandardCharsets.UTF_8);
    }
}
