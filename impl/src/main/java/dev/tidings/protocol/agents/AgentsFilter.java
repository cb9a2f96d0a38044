package dev.tidings.protocol.agents;

import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.transport.EarlyMessages;
import jakarta.inject.Inject;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Turns away, before any upgrade, what the Agents protocol does not serve: everything with 404 while it is switched off,
 * pages of other origins with 403. Public for the container; not API.
 *
 * <p>Threads: as any filter.
 */
@WebFilter(
        filterName = "tidings-agents",
        urlPatterns = {"/agents/ws", "/agents/api/*", "/api/message"},
        asyncSupported = true)
public class AgentsFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Inject
    private transient AgentsDoor door;

    /** For the container, which injects the rest. */
    public AgentsFilter() {}

    /** For whoever registers the filter by hand. */
    public AgentsFilter(AgentsDoor door) {
        this.door = door;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletResponse http = (HttpServletResponse) response;
        if (!door.enabled()) {
            HttpRefusal.NOT_FOUND.answer(http);
        } else if (!door.admits(((HttpServletRequest) request).getHeader("Origin"))) {
            HttpRefusal.FORBIDDEN_ORIGIN.answer(http);
        } else {
            chain.doFilter(EarlyMessages.awaited((HttpServletRequest) request), response);
        }
    }
}
