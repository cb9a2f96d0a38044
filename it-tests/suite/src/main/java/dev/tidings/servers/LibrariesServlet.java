package dev.tidings.servers;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.CodeSource;

/**
 * Says from which jar the backend's class loader takes a class: {@code /libraries?class=…}.
 *
 * <p>Added to the backend by the tests. Threads: many. Public for the container; not API.
 */
@WebServlet("/libraries")
public final class LibrariesServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.setCharacterEncoding("UTF-8");
        try {
            Class<?> found = Class.forName(
                    request.getParameter("class"), false, Thread.currentThread().getContextClassLoader());
            CodeSource source = found.getProtectionDomain().getCodeSource();
            response.getWriter().print(source == null ? "" : source.getLocation());
        } catch (ClassNotFoundException e) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
        }
    }
}
