package dev.tidings.servers;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;

/** What an application may have had long before Tidings came: a socket at {@code /ws}, a page at {@code /events/recent}. */
final class OwnPaths {
    static final String ANSWER = "the application's own";

    private OwnPaths() {}

    /** Public for the container. */
    @ServerEndpoint("/ws")
    public static class OwnSocket {
        /** Answers with the same. */
        @OnMessage
        public String text(String text) {
            return text;
        }
    }

    /** Public for the container. */
    @WebServlet("/events/recent")
    public static class OwnPage extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write(ANSWER);
        }
    }
}
