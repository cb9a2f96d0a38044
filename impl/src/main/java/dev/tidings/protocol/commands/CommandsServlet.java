package dev.tidings.protocol.commands;

import dev.tidings.protocol.http.FaceServlet;
import dev.tidings.protocol.http.HttpAnswer;
import dev.tidings.protocol.http.HttpExchange;
import dev.tidings.protocol.http.HttpExchanges;
import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.protocol.http.IncomingBody;
import dev.tidings.protocol.http.Query;
import dev.tidings.protocol.http.Refused;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/sessions} and what is below it. Public for the container; not API.
 *
 * <p>Threads: as any servlet. Bodies and answers move without blocking, and what asks the database waits for its turn without
 * a thread.
 */
@WebServlet(
        name = "tidings-sessions",
        urlPatterns = {"/api/sessions", "/api/sessions/*"},
        asyncSupported = true)
public class CommandsServlet extends FaceServlet {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(CommandsServlet.class.getName());
    private static final String PATH = "/api/sessions";
    private static final int MAX_BODY = 64 << 10;
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(10);

    @Inject
    private transient CommandsFace face;

    /** For the container, which injects the rest. */
    public CommandsServlet() {}

    /** What asks the ports. */
    private interface Work {
        void run() throws Refused;
    }

    @Override
    protected List<String> methods(HttpServletRequest request) {
        return isOfAll(path(request)) ? List.of("GET", "POST") : List.of("GET");
    }

    @Override
    protected void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            Caller caller = Caller.of(face.auth(), request.getUserPrincipal())
                    .orElseThrow(() -> new Refused(HttpRefusal.UNAUTHORIZED));
            String path = path(request);
            if (!isOfAll(path)) {
                read(caller, path.substring(1), request);
            } else if (request.getMethod().equals("POST")) {
                create(caller, request);
            } else {
                list(caller, request);
            }
        } catch (Refused refused) {
            refused.refusal().answer(response);
        }
    }

    /** What stands behind the servlet's own path. */
    private static String path(HttpServletRequest request) {
        return request.getRequestURI().substring(request.getContextPath().length() + PATH.length());
    }

    private static boolean isOfAll(String path) {
        return path.isEmpty() || path.equals("/");
    }

    private void list(Caller caller, HttpServletRequest request) throws Refused {
        String agent = parameter(request, "agent_id");
        int limit = (int)
                Query.number(request, "limit", 1, SessionsHttp.MOST_LISTED).orElse(SessionsHttp.MOST_LISTED);
        String cursor = parameter(request, "cursor");
        HttpExchange exchange = begin(request);
        later(exchange::answer, () -> exchange.answer(json(200, face.http().list(caller, agent, limit, cursor))));
    }

    private void read(Caller caller, String segment, HttpServletRequest request) throws Refused {
        String id = CommandsFilter.decoded(segment).orElseThrow(() -> new Refused(HttpRefusal.NOT_FOUND));
        long limit = Query.number(request, "limit", 1, Query.MOST).orElse(Query.MOST);
        long cursor = Query.number(request, "cursor", 0, Query.MOST).orElse(0);
        HttpExchange exchange = begin(request);
        later(exchange::answer, () -> {
            Transcript transcript = face.http().read(caller, id, cursor, limit);
            exchange.answer(json(200, new byte[0]), transcript);
        });
    }

    private void create(Caller caller, HttpServletRequest request) throws IOException, Refused {
        face.http().mayCreate(caller);
        if (request.getContentLengthLong() > MAX_BODY) {
            throw new Refused(HttpRefusal.TOO_LARGE);
        }
        HttpExchanges shared = face.exchanges();
        begin(request).read(new IncomingBody(MAX_BODY, shared.bodies(), HttpRefusal.WORDS, (body, reserved) -> {
            CompletableFuture<HttpAnswer> made = new CompletableFuture<>();
            var unused = made.whenComplete((answer, failure) -> shared.bodies().give(reserved));
            later(made::complete, () -> made.complete(json(201, face.http().create(caller, body))));
            return made;
        }));
    }

    private HttpExchange begin(HttpServletRequest request) {
        return face.exchanges().begin(request, LONGEST_ANSWER, HttpRefusal.WORDS);
    }

    /** Does work when it is its turn; tells why not, if it comes to nothing. */
    private void later(Consumer<HttpAnswer> refused, Work work) {
        face.exchanges()
                .read(
                        () -> {
                            try {
                                work.run();
                            } catch (Refused refusal) {
                                refused.accept(refusal.refusal().answer());
                            } catch (RuntimeException | Error brokenPort) {
                                // Errors as well: the client would wait for ever.
                                LOG.log(System.Logger.Level.WARNING, "[api/sessions] a request failed");
                                refused.accept(HttpRefusal.UNAVAILABLE.answer());
                            }
                        },
                        () -> refused.accept(HttpRefusal.WORDS.busy()));
    }

    private static @Nullable String parameter(HttpServletRequest request, String name) {
        return Query.parameter(request, name).orElse(null);
    }

    private static HttpAnswer json(int status, byte[] body) {
        return HttpAnswer.json(status, body)
                .with(Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"));
    }
}
