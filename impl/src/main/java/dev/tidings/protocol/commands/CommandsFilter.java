package dev.tidings.protocol.commands;

import dev.tidings.protocol.http.FaceDoor;
import dev.tidings.protocol.http.HttpRefusal;
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
import java.util.Optional;

/**
 * Turns away, before any upgrade, what this protocol does not serve: whom the door does not let in, cursors that are none,
 * sessions that do not exist for the caller. Public for the container; not API.
 *
 * <p>Threads: as any filter.
 */
@WebFilter(
        filterName = "tidings-commands",
        urlPatterns = {"/ws/sessions/*", "/api/sessions", "/api/sessions/*"},
        asyncSupported = true)
public class CommandsFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(CommandsFilter.class.getName());
    private static final String SOCKETS = "/ws/sessions/";

    @Inject
    private transient CommandsDoor door;

    @Inject
    private transient Provider<CommandsFace> face;

    /** For the container, which injects the rest. */
    public CommandsFilter() {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        FaceDoor known = door.door();
        known.filter(
                (HttpServletRequest) request,
                (HttpServletResponse) response,
                (admitted, answer) ->
                        behindTheDoor((HttpServletRequest) admitted, (HttpServletResponse) answer, chain));
    }

    private void behindTheDoor(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String path = request.getRequestURI().substring(request.getContextPath().length());
        if (!path.startsWith(SOCKETS)) {
            chain.doFilter(request, response);
            return;
        }
        Optional<HttpRefusal> refusal;
        try {
            refusal = refusal(request, path);
        } catch (RuntimeException brokenPort) {
            LOG.log(System.Logger.Level.WARNING, "[ws/sessions] a session could not be looked up");
            refusal = Optional.of(HttpRefusal.UNAVAILABLE);
        }
        if (refusal.isPresent()) {
            refusal.get().answer(response);
        } else {
            chain.doFilter(EarlyMessages.awaited(request), response);
        }
    }

    private Optional<HttpRefusal> refusal(HttpServletRequest request, String path) {
        try {
            Query.number(request, "cursor", 0, Query.MOST);
        } catch (Refused wrong) {
            return Optional.of(wrong.refusal());
        }
        CommandsFace known = face.get();
        boolean found = Caller.of(known.auth(), request.getUserPrincipal())
                .flatMap(caller -> decoded(path.substring(SOCKETS.length()))
                        .flatMap(id -> known.permissions().readable(caller, id)))
                .isPresent();
        return found ? Optional.empty() : Optional.of(HttpRefusal.NOT_FOUND);
    }

    /** A part of a path as it is meant; empty if it is none, or more than one. */
    static Optional<String> decoded(String part) {
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
