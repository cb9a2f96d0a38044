package dev.tidings.servers.probe;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Announces from a servlet.
 *
 * <p>Threads: many. Public for the container; not API.
 */
@WebServlet("/announce/servlet")
public final class AnnouncingServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Inject
    private transient @Nullable Announcer announcer;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
        Objects.requireNonNull(announcer)
                .announce(
                        new Announcement(request.getParameter("session"), request.getParameter("account"), "servlet"));
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }
}
