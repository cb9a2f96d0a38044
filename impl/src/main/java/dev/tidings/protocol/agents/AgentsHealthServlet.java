package dev.tidings.protocol.agents;

import dev.tidings.protocol.http.FaceServlet;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.HttpExchange;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;

/**
 * {@code GET /agents/api/health}. Public for the container; not API.
 *
 * <p>Threads: as any servlet; the log is asked on a worker.
 */
@WebServlet(
        name = "tidings-agents-health",
        urlPatterns = {"/agents/api/health"},
        asyncSupported = true)
public class AgentsHealthServlet extends FaceServlet {
    private static final long serialVersionUID = 1L;
    private static final Duration LONGEST = Duration.ofSeconds(10);

    @Inject
    private transient AgentsHttp http;

    /** For the container, which injects the API. */
    public AgentsHealthServlet() {}

    /** For whoever registers the servlet by hand. */
    public AgentsHealthServlet(AgentsHttp http) {
        this.http = http;
    }

    @Override
    protected List<String> methods(HttpServletRequest request) {
        return List.of("GET", "HEAD");
    }

    @Override
    protected HttpAnswer notAllowed(HttpServletResponse response) {
        Answers.commonHeaders(response);
        return super.notAllowed(response);
    }

    @Override
    protected void handle(HttpServletRequest request, HttpServletResponse response) {
        Answers.commonHeaders(response);
        HttpExchange exchange = http.exchanges().begin(request, LONGEST, Answers.WORDS);
        // Not on a worker: who asks is told even when all of them are stuck, and so few bytes wait for nobody.
        http.health().thenAccept(exchange::answer);
    }
}
