package dev.tidings.protocol.agents;

import dev.tidings.protocol.http.FaceServlet;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.HttpExchange;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
public class AgentsMessageServlet extends FaceServlet {
    private static final long serialVersionUID = 1L;
    private static final Duration SLACK = Duration.ofSeconds(30);
    private static final List<String> METHODS = List.of("POST", "OPTIONS");

    @Inject
    private transient AgentsHttp http;

    /** For the container, which injects the API. */
    public AgentsMessageServlet() {}

    /** For whoever registers the servlet by hand. */
    public AgentsMessageServlet(AgentsHttp http) {
        this.http = http;
    }

    @Override
    protected List<String> methods(HttpServletRequest request) {
        return METHODS;
    }

    @Override
    protected HttpAnswer notAllowed(HttpServletResponse response) {
        Answers.commonHeaders(response);
        return Answers.error(ActionCode.METHOD_NOT_ALLOWED, "The method must be POST");
    }

    @Override
    protected void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Answers.commonHeaders(response);
        if (request.getMethod().equals("POST")) {
            post(request, response);
        } else {
            options(response);
        }
    }

    private static void options(HttpServletResponse response) {
        String methods = String.join(", ", METHODS);
        response.setHeader("Allow", methods);
        response.setHeader("Access-Control-Allow-Methods", methods);
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
