package dev.tidings.servers.metrics;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The application's metrics, a line each: {@code /collected-metrics}.
 *
 * <p>Threads: many. Public for the container; not API.
 */
@WebServlet("/collected-metrics")
public class MetricsServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Inject
    private transient @Nullable CollectedMetrics metrics;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        PrintWriter lines = response.getWriter();
        Objects.requireNonNull(metrics).collect().forEach((name, sum) -> lines.println(name + " " + sum));
    }
}
