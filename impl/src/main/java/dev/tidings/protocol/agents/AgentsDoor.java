package dev.tidings.protocol.agents;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether the Agents protocol is served at all, and to pages of which origins.
 *
 * <p>Signatures authorise, not cookies, so any origin may talk to it unless the operator narrows that.
 *
 * <p>Threads: immutable. Source: protocols A1.
 *
 * @param enabled {@code tidings.agents.enabled}
 * @param allowedOrigins {@code tidings.agents.allowed-origins}: origins such as {@code https://desk.example}, compared
 *     without regard to case; empty allows all, and what is no browser, which sends none
 */
public record AgentsDoor(boolean enabled, Set<String> allowedOrigins) {

    /** Copies the origins. */
    public AgentsDoor {
        allowedOrigins = allowedOrigins.stream()
                .map(origin -> origin.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a request with that Origin header, or without one, may go on. */
    boolean admits(@Nullable String origin) {
        return origin == null || allowedOrigins.isEmpty() || allowedOrigins.contains(origin.toLowerCase(Locale.ROOT));
    }
}
