package dev.tidings.protocol.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;

/**
 * The API key that a request presents: {@code Authorization: Bearer}, or the sub-protocol {@code bearer.<key>} offered
 * beside the face's own, or {@code ?api_key=}; the first of them that is there.
 *
 * <p>Threads: pure. Source: protocols B.
 */
final class PresentedKey {
    private static final String BEARER = "bearer ";
    private static final String SUB_PROTOCOL = "bearer.";
    private static final String PARAMETER = "api_key";

    private PresentedKey() {}

    static Optional<String> of(HttpServletRequest request) {
        return header(request).or(() -> subProtocol(request)).or(() -> Query.parameter(request, PARAMETER));
    }

    private static Optional<String> header(HttpServletRequest request) {
        String value = request.getHeader("Authorization");
        boolean bearer = value != null && value.toLowerCase(Locale.ROOT).startsWith(BEARER);
        return bearer ? Optional.of(value.substring(BEARER.length()).strip()) : Optional.empty();
    }

    private static Optional<String> subProtocol(HttpServletRequest request) {
        for (String offers : Collections.list(request.getHeaders("Sec-WebSocket-Protocol"))) {
            for (String offer : offers.split(",", -1)) {
                String name = offer.strip();
                if (name.startsWith(SUB_PROTOCOL)) {
                    return Optional.of(name.substring(SUB_PROTOCOL.length()));
                }
            }
        }
        return Optional.empty();
    }
}
