package dev.tidings.servers;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Compares two records of its own: {@code /records}.
 *
 * <p>Java 17 remembers the types of the records whose {@code equals} was linked last, with their class loader. With this page
 * they are another application's. Threads: many. Public for the container; not API.
 */
@WebServlet("/records")
public final class RecordsServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

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
        response.setContentType("text/plain");
        response.getWriter().print(new Pair(Side.LEFT, Side.RIGHT).equals(new Pair(Side.RIGHT, Side.LEFT)));
    }
}
