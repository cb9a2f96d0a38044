package dev.tidings.protocol.agents;

import dev.tidings.envelope.CborValue;
import dev.tidings.envelope.DagCbor;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.HttpExchange;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What the signed HTTP API answers.
 *
 * <p>Threads: pure.
 */
final class Answers {
    static final String CBOR = "application/cbor";

    /** Where the reason lies in no action. */
    static final HttpExchange.Words WORDS = new HttpExchange.Words(
            error(ActionCode.BUSY, ActionRefusal.BUSY),
            error(ActionCode.MESSAGE_TOO_LARGE, "The message is too large"),
            error(ActionCode.BODY_TIMEOUT, "The message took too long to come"));

    private static final System.Logger LOG = System.getLogger(Answers.class.getName());

    private Answers() {}

    /** What every answer carries: any page may ask, nobody caches. */
    static void commonHeaders(HttpServletResponse response) {
        response.setHeader("Access-Control-Allow-Origin", "*");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
    }

    /** An action's response. */
    static HttpAnswer reply(String action, ActionReply reply) {
        Map<String, CborValue> members = new LinkedHashMap<>(reply.members());
        members.put("_", CborValue.text(action + "Response"));
        return new HttpAnswer(200, CBOR, DagCbor.encode(CborValue.map(members)));
    }

    /** An answer that was given before. */
    static HttpAnswer stored(int status, byte[] body) {
        return new HttpAnswer(status, CBOR, body);
    }

    /** The answer to an action that failed: a refusal's own, or one that says nothing of the failure. */
    static HttpAnswer to(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof ActionRefusal refusal) {
            return error(refusal.status(), refusal.code(), refusal.publicText());
        }
        LOG.log(System.Logger.Level.WARNING, "an action could not be handled");
        return error(ActionCode.INTERNAL_ERROR, "The server could not handle the action");
    }

    /** Whether a failure is an answer of its own. */
    static boolean isRefusal(Throwable failure) {
        return cause(failure) instanceof ActionRefusal;
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
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
        return HttpAnswer.json(status, object.getBytes(StandardCharsets.UTF_8));
    }
}
