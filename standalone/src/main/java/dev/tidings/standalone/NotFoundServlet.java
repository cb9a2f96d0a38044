package dev.tidings.standalone;

import dev.tidings.protocol.http.HttpRefusal;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers every path that nobody else has; without it Grizzly gives such a request to one of the other servlets. */
final class NotFoundServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpRefusal.NOT_FOUND.answer(response);
    }
}
