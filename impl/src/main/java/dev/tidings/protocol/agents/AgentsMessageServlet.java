package dev.tidings.protocol.agents;

import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.HttpExchange;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The signed HTTP API's place in a servlet container. Public for the container; not API.
 *
 * <p>Threads: as any servlet. Body and answer move without blocking; no thread is held while an action is under way.
 */
@WebServlet(
        name = "tidings-agents-message",
        urlPatterns = {"/agents/api/message", "/api/message"},
        asyncSupported = true)
public class AgentsMessageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Duration SLACK = Duration.ofSeconds(30);

    @Inject
    private transient AgentsHttp http;

    /** For the container, which injects the API. */
    public AgentsMessageServlet() {}

    /** For whoever registers the servlet by hand. */
    public AgentsMessageServlet(AgentsHttp http) {
        this.http = http;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Answers.commonHeaders(response);
        switch (request.getMethod()) {
            case "POST" -> post(request, response);
            case "OPTIONS" -> options(response);
            default -> {
                response.setHeader("Allow", "POST, OPTIONS");
                HttpExchange.answerNow(
                        request, response, Answers.error(ActionCode.METHOD_NOT_ALLOWED, "The method must be POST"));
            }
        }
    }

    private static void options(HttpServletResponse response) {
        response.setHeader("Allow", "POST, OPTIONS");
        response.setHeader("Access-Control-Allow-Methods", "POST, OPTIONS");
        response.setHeader("Access-Control-Allow-Headers", "content-type");
        response.setHeader("Access-Control-Max-Age", "86400");
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    private void post(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<HttpAnswer> refused = http.refuseUnread(request.getContentType(), request.getContentLengthLong());
        if (refused.isPresent()) {
            HttpExchange.answerNow(request, response, refused.get());
            return;
        }
        // Longer than any action takes: the API answers a long turn itself.
        http.exchanges()
                .begin(request, http.limits().messageTimeout().plus(SLACK), Answers.WORDS)
                .read(http.incoming());
    }
}
