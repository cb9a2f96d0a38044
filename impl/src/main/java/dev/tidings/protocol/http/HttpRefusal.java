package dev.tidings.protocol.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Why a request is turned away, before any upgrade.
 *
 * <p>Threads: immutable. docs/error-codes.md lists them.
 */
public enum HttpRefusal {
    /** A parameter is wrong. */
    BAD_REQUEST(400, "bad_request", "A parameter is wrong"),
    /** A request for a socket's path that asks for no socket, or not as it should. */
    UPGRADE_REQUIRED(400, "upgrade_required", "This path is for WebSockets"),
    /** No key, or one that is not valid. */
    UNAUTHORIZED(401, "unauthorized", "A valid API key is required"),
    /** The container knows nobody. */
    LOGIN_REQUIRED(401, "login_required", "A login is required"),
    /** A page of another site. */
    FORBIDDEN_ORIGIN(403, "forbidden_origin", "This origin is not allowed"),
    /** Without authentication, under a name that is not this machine's own. */
    FORBIDDEN_HOST(403, "forbidden_host", "This host name is not allowed"),
    /** Something that the key, or the account, may not do. */
    FORBIDDEN(403, "forbidden", "This is not allowed"),
    /** There is no such thing, or the face is switched off. */
    NOT_FOUND(404, "not_found", "Not found"),
    /** Another method. */
    METHOD_NOT_ALLOWED(405, "method_not_allowed", "This method is not allowed"),
    /** A body that did not come within {@code tidings.http.body-timeout}. */
    BODY_TIMEOUT(408, "body_timeout", "The body took too long to come"),
    /** A body that is too large. */
    TOO_LARGE(413, "too_large", "The body is too large"),
    /** The address, or the key, has as many sockets and streams as it may. */
    TOO_MANY_CONNECTIONS(429, "too_many_connections", "Too many connections"),
    /** The server failed. */
    INTERNAL_ERROR(500, "internal_error", "The server failed"),
    /** As much is done at once as may be. */
    BUSY(503, "busy", "The server has too much to do"),
    /** The database could not be asked. */
    UNAVAILABLE(503, "unavailable", "Temporarily unavailable");

    /** What any request may have to be told. */
    public static final HttpExchange.Words WORDS =
            new HttpExchange.Words(BUSY.answer(), TOO_LARGE.answer(), BODY_TIMEOUT.answer());

    private final int status;
    private final String code;
    private final String message;

    HttpRefusal(int status, String code, String message) {
        this.status = status;
        this.code = code;
        this.message = message;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The stable word. */
    public String code() {
        return code;
    }

    /** The text for people. */
    public String message() {
        return message;
    }

    /** Answers with it, without the container's error page, and ends the connection: a body may be unread. */
    public void answer(HttpServletResponse response) throws IOException {
        HttpExchange.answerNow(response, answer());
    }

    /** The same, to be given later. */
    public HttpAnswer answer() {
        byte[] body = ("{\"type\":\"error\",\"code\":\"" + code + "\",\"message\":\"" + message + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new HashMap<>(Map.of("Connection", "close", "Cache-Control", "no-store"));
        if (status == HttpServletResponse.SC_UNAUTHORIZED) {
            headers.put("WWW-Authenticate", "Bearer");
        }
        return HttpAnswer.json(status, body).with(headers);
    }
}
