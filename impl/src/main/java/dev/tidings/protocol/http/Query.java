package dev.tidings.protocol.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request's query. A servlet's {@code getParameter} would read a body as well, and wait for it.
 *
 * <p>Threads: pure.
 */
public final class Query {
    private Query() {}

    /** The first parameter of that name; an empty text if it cannot be decoded. */
    public static Optional<String> parameter(HttpServletRequest request, String name) {
        return value(request.getQueryString(), name);
    }

    static Optional<String> value(@Nullable String query, String name) {
        if (query == null) {
            return Optional.empty();
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (decoded(equals < 0 ? pair : pair.substring(0, equals)).equals(name)) {
                return Optional.of(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return Optional.empty();
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return "";
        }
    }
}
