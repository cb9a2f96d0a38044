package dev.tidings.protocol.http;

import java.util.Map;

/**
 * An answer over HTTP: a status, a body in some media type, and the headers that this answer has of its own.
 *
 * <p>Threads: immutable; whoever asks for the body does not write to it.
 */
public final class HttpAnswer {
    private static final int SMALL = 16 << 10;
    private static final String JSON = "application/json";

    private final int status;
    private final String contentType;
    private final byte[] body;
    private final Map<String, String> headers;

    /** An answer without headers of its own; the body is not copied. */
    public HttpAnswer(int status, String contentType, byte[] body) {
        this(status, contentType, body, Map.of());
    }

    private HttpAnswer(int status, String contentType, byte[] body, Map<String, String> headers) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
        this.headers = headers;
    }

    /** A JSON object in UTF-8. */
    public static HttpAnswer json(int status, byte[] utf8) {
        return new HttpAnswer(status, JSON, utf8);
    }

    /** The same with these headers. */
    public HttpAnswer with(Map<String, String> more) {
        return new HttpAnswer(status, contentType, body, Map.copyOf(more));
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The media type of the body. */
    public String contentType() {
        return contentType;
    }

    /** The body; shared, not to be written to. */
    public byte[] body() {
        return body;
    }

    /** Its own headers. */
    Map<String, String> headers() {
        return headers;
    }

    /** The bytes that count while the answer is on its way: none for a small one. */
    long heldBytes() {
        return body.length > SMALL ? body.length : 0;
    }

    /** The status and the size only. */
    @Override
    public String toString() {
        return "HttpAnswer[" + status + ", " + body.length + " bytes]";
    }
}
