package dev.tidings.protocol.agents;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.DagCbor;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An answer over HTTP: a status and a body in one of two media types.
 *
 * <p>Threads: immutable; whoever asks for the body does not write to it.
 */
public final class HttpAnswer {
    static final String CBOR = "application/cbor";
    private static final int SMALL = 16 << 10;
    static final String JSON = "application/json";

    private final int status;
    private final String contentType;
    private final byte[] body;

    private HttpAnswer(int status, String contentType, byte[] body) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
    }

    /** An action's response. */
    static HttpAnswer reply(String action, ActionReply reply) {
        Map<String, CborValue> members = new LinkedHashMap<>(reply.members());
        members.put("_", CborValue.text(action + "Response"));
        return new HttpAnswer(200, CBOR, DagCbor.encode(CborValue.map(members)));
    }

    /** An error. */
    static HttpAnswer error(int status, @Nullable String code, String message) {
        return error(status, code, message, OptionalLong.empty(), OptionalLong.empty());
    }

    /** An error about the peer's clock, if the two numbers are there. */
    static HttpAnswer error(
            int status, @Nullable String code, String message, OptionalLong serverTime, OptionalLong skewMillis) {
        Map<String, CborValue> members = new LinkedHashMap<>();
        members.put("_", CborValue.text("Error"));
        members.put("message", CborValue.text(message));
        if (code != null) {
            members.put("code", CborValue.text(code));
        }
        serverTime.ifPresent(time -> members.put("serverTime", CborValue.integer(time)));
        skewMillis.ifPresent(skew -> members.put("skewMs", CborValue.integer(skew)));
        return new HttpAnswer(status, CBOR, DagCbor.encode(CborValue.map(members)));
    }

    /** An error with a code of the API's own. */
    static HttpAnswer error(ActionCode code, String message) {
        return error(code.httpStatus(), code.text(), message);
    }

    /** A JSON object in text. */
    static HttpAnswer json(int status, String object) {
        return new HttpAnswer(status, JSON, object.getBytes(StandardCharsets.UTF_8));
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
