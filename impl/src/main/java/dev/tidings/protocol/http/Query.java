package dev.tidings.protocol.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request's query. A servlet's {@code getParameter} would read a body as well, and wait for it.
 *
 * <p>Threads: pure.
 */
public final class Query {
    /** The greatest number that a query may have: what JavaScript can count to. */
    public static final long MOST = (1L << 53) - 1;

    private static final int MOST_DIGITS = 16;

    private Query() {}

    /** The first parameter of that name; an empty text if it cannot be decoded. */
    public static Optional<String> parameter(HttpServletRequest request, String name) {
        return value(request.getQueryString(), name);
    }

    /**
     * The first parameter of that name as a whole number; empty if there is none.
     *
     * @throws Refused as a bad request if it is something else, or out of the range
     */
    public static OptionalLong number(HttpServletRequest request, String name, long least, long most) throws Refused {
        return number(parameter(request, name).orElse(null), least, most);
    }

    /** The same of a text; empty if that is null. */
    public static OptionalLong number(@Nullable String text, long least, long most) throws Refused {
        if (text == null) {
            return OptionalLong.empty();
        }
        OptionalLong number = wholeNumber(text);
        if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > most) {
            throw new Refused(HttpRefusal.BAD_REQUEST);
        }
        return number;
    }

    /** A whole number from 0 to {@link #MOST}, in digits alone; empty if the text is none. */
    public static OptionalLong wholeNumber(String text) {
        if (text.isEmpty() || text.length() > MOST_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return OptionalLong.empty();
        }
        long number = Long.parseLong(text);
        return number <= MOST ? OptionalLong.of(number) : OptionalLong.empty();
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
