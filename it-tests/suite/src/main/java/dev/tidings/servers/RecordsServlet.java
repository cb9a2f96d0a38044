package dev.tidings.servers;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Answers when that many of a round are there: {@code /together?round=…&of=…}; {@code /records} then compares two records.
 *
 * <p>Java 17 remembers the types of the records whose {@code equals} was linked last, with their class loader. With this page
 * they are another application's. A thread of the server may keep the request that it was started for; as many at once as
 * there are threads make that a request of this application. Threads: many. Public for the container; not API.
 */
@WebServlet({"/records", "/together"})
public final class RecordsServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final long PATIENCE_SECONDS = 10;

    private final transient Map<String, CountDownLatch> rounds = new ConcurrentHashMap<>();

    /** Types of this application. Public for the container; not API. */
    public record Pair(Side left, Side right) {}

    /** As well. */
    public enum Side {
        /** One. */
        LEFT,
        /** The other. */
        RIGHT
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int of = Integer.parseInt(request.getParameter("of"));
        CountDownLatch together =
                rounds.computeIfAbsent(request.getParameter("round"), round -> new CountDownLatch(of));
        together.countDown();
        try {
            if (!together.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        response.setContentType("text/plain");
        if (request.getServletPath().equals("/records")) {
            response.getWriter().print(new Pair(Side.LEFT, Side.RIGHT).equals(new Pair(Side.RIGHT, Side.LEFT)));
        }
    }
}
