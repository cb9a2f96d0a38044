package dev.tidings.protocol.commands;

import dev.tidings.protocol.http.HttpRefusal;
import jakarta.inject.Inject;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * {@code /api/sessions} and what is below it. Public for the container; not API.
 *
 * <p>Threads: as any servlet; a transcript is written without one.
 */
@WebServlet(
        name = "tidings-sessions",
        urlPatterns = {"/api/sessions", "/api/sessions/*"},
        asyncSupported = true)
public class CommandsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(CommandsServlet.class.getName());
    private static final String PATH = "/api/sessions";
    private static final int MAX_BODY = 64 << 10;
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(10);

    @Inject
    private transient CommandsFace face;

    /** For the container, which injects the rest. */
    public CommandsServlet() {}

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            Caller caller = Caller.of(face.auth(), request.getUserPrincipal())
                    .orElseThrow(() -> new SessionsHttp.Refused(HttpRefusal.UNAUTHORIZED));
            answer(caller, request, response);
        } catch (SessionsHttp.Refused refused) {
            refused.refusal().answer(response);
        } catch (RuntimeException brokenPort) {
            LOG.log(System.Logger.Level.WARNING, "[api/sessions] a request failed");
            if (!response.isCommitted()) {
                HttpRefusal.UNAVAILABLE.answer(response);
            }
        }
    }

    private void answer(Caller caller, HttpServletRequest request, HttpServletResponse response)
            throws IOException, SessionsHttp.Refused {
        String path = request.getRequestURI().substring(request.getContextPath().length() + PATH.length());
        boolean reads = request.getMethod().equals("GET");
        if (path.isEmpty() || path.equals("/")) {
            if (reads) {
                whole(
                        response,
                        200,
                        face.http()
                                .list(
                                        caller,
                                        request.getParameter("agent_id"),
                                        request.getParameter("limit"),
                                        request.getParameter("cursor")));
            } else if (request.getMethod().equals("POST")) {
                whole(response, 201, face.http().create(caller, body(request)));
            } else {
                throw notAllowed(response, "GET, POST");
            }
        } else if (reads) {
            String id = CommandsFilter.decoded(path.substring(1))
                    .orElseThrow(() -> new SessionsHttp.Refused(HttpRefusal.NOT_FOUND));
            Transcript transcript =
                    face.http().read(caller, id, request.getParameter("cursor"), request.getParameter("limit"));
            head(response, 200);
            AsyncContext context = request.startAsync();
            context.setTimeout(LONGEST_ANSWER.toMillis());
            new TranscriptAnswer(context, response.getOutputStream(), transcript).begin();
        } else {
            throw notAllowed(response, "GET");
        }
    }

    private static SessionsHttp.Refused notAllowed(HttpServletResponse response, String methods) {
        response.setHeader("Allow", methods);
        return new SessionsHttp.Refused(HttpRefusal.METHOD_NOT_ALLOWED);
    }

    private static byte[] body(HttpServletRequest request) throws IOException, SessionsHttp.Refused {
        byte[] body = request.getInputStream().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            throw new SessionsHttp.Refused(HttpRefusal.TOO_LARGE);
        }
        return body;
    }

    private static void whole(HttpServletResponse response, int status, byte[] json) throws IOException {
        head(response, status);
        response.setContentLength(json.length);
        response.getOutputStream().write(json);
    }

    private static void head(HttpServletResponse response, int status) {
        response.setStatus(status);
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
    }
}
