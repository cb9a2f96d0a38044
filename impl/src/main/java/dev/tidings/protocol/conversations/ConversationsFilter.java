package dev.tidings.protocol.conversations;

import dev.tidings.ApiKey;
import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.protocol.http.KeyPrincipal;
import dev.tidings.protocol.http.Query;
import dev.tidings.protocol.http.Refused;
import dev.tidings.transport.EarlyMessages;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns away, before any upgrade, what this protocol does not serve: whom the door does not let in, numbers that are none,
 * conversations that do not exist for the caller, keys of what was deleted. Public for the container; not API.
 *
 * <p>The paths are configured, so it looks at all requests, and lets through what is not the face's; while that is switched
 * off, everything. It is declared all the same: containers put what is declared in front of their own handling of upgrades.
 *
 * <p>Threads: as any filter.
 */
@WebFilter(filterName = "tidings-conversations", urlPatterns = "/*", asyncSupported = true)
public class ConversationsFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(ConversationsFilter.class.getName());

    @Inject
    private transient ConversationsDoor door;

    @Inject
    private transient Provider<ConversationsFace> face;

    /** For the container, which injects the rest. */
    public ConversationsFilter() {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest http = (HttpServletRequest) request;
        // Decoded, as the container finds its way by it.
        String path = http.getServletPath() + Objects.requireNonNullElse(http.getPathInfo(), "");
        ConversationsPaths paths = door.paths();
        // Some containers make one slash of two there, and find the socket by what was sent all the same.
        boolean ours = paths.isAll(path) || paths.isRecent(path) || paths.isOne(path) || paths.isOne(pathAsSent(http));
        if (!ours || !door.door().enabled()) {
            chain.doFilter(request, response);
            return;
        }
        door.door()
                .filter(
                        http,
                        (HttpServletResponse) response,
                        (admitted, answer) -> behindTheDoor(
                                (HttpServletRequest) admitted, (HttpServletResponse) answer, path, chain));
    }

    private void behindTheDoor(HttpServletRequest request, HttpServletResponse response, String path, FilterChain chain)
            throws IOException, ServletException {
        Optional<HttpRefusal> refusal = door.paths().isRecent(path)
                ? Optional.empty()
                : refusal(request, door.paths().isAll(path));
        if (refusal.isPresent()) {
            refusal.get().answer(response);
        } else {
            chain.doFilter(EarlyMessages.awaited(request), response);
        }
    }

    private Optional<HttpRefusal> refusal(HttpServletRequest request, boolean all) {
        try {
            Query.number(request, "lastEventSeq", 0, Query.MOST);
        } catch (Refused wrong) {
            return Optional.of(wrong.refusal());
        }
        if (all) {
            return refusal(face.get(), keyOrNull(request), Optional.empty());
        }
        // As it was sent: an encoded slash is part of an id that does not exist, and no way into another.
        Optional<String> id = decoded(door.paths().segment(pathAsSent(request)));
        return id.isEmpty() ? Optional.of(HttpRefusal.NOT_FOUND) : refusal(face.get(), keyOrNull(request), id);
    }

    private static String pathAsSent(HttpServletRequest request) {
        return request.getRequestURI().substring(request.getContextPath().length());
    }

    /** Why a key may not watch that; empty if it may. */
    static Optional<HttpRefusal> refusal(
            ConversationsFace face, @Nullable ApiKey key, Optional<String> conversationId) {
        if (key == null) {
            return Optional.of(HttpRefusal.UNAUTHORIZED);
        }
        try {
            return face.view(key, conversationId).isPresent() ? Optional.empty() : Optional.of(HttpRefusal.NOT_FOUND);
        } catch (RuntimeException brokenPort) {
            LOG.log(System.Logger.Level.WARNING, "[conversations] a conversation could not be looked up");
            return Optional.of(HttpRefusal.UNAVAILABLE);
        }
    }

    /** The key by which the door let a request in. */
    static @Nullable ApiKey keyOrNull(HttpServletRequest request) {
        return request.getUserPrincipal() instanceof KeyPrincipal principal ? principal.key() : null;
    }

    /** A part of a path as it is meant; empty if it is none, or more than one. */
    private static Optional<String> decoded(String part) {
        if (part.isEmpty() || part.indexOf('/') >= 0) {
            return Optional.empty();
        }
        try {
            String text = URI.create("/" + part).getPath().substring(1);
            return text.isEmpty() || text.indexOf('/') >= 0 ? Optional.empty() : Optional.of(text);
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}
