package dev.tidings.protocol.agents;

import jakarta.inject.Inject;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * {@code GET /agents/api/health}. Public for the container; not API.
 *
 * <p>Threads: as any servlet; the log is asked on a worker.
 */
@WebServlet(
        name = "tidings-agents-health",
        urlPatterns = {"/agents/api/health"},
        asyncSupported = true)
public class AgentsHealthServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final long TIMEOUT_MILLIS = 10_000;

    @Inject
    private transient AgentsHttp http;

    /** For the container, which injects the API. */
    public AgentsHealthServlet() {}

    /** For whoever registers the servlet by hand. */
    public AgentsHealthServlet(AgentsHttp http) {
        this.http = http;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        HttpExchange.commonHeaders(response);
        AsyncContext context = request.startAsync();
        context.setTimeout(TIMEOUT_MILLIS);
        HttpExchange exchange = new HttpExchange(http, context);
        context.addListener(exchange);
        http.health().thenAccept(exchange::answer);
    }
}
