package dev.tidings.standalone;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.CloseReason;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Endpoints, servlets and a filter for tests; what they see is in static queues. Public for the containers. */
public final class TestFaces {
    static final int LIMIT = 200_000;
    static final BlockingQueue<Session> OPENED = new LinkedBlockingQueue<>();
    static final BlockingQueue<CloseReason> CLOSED = new LinkedBlockingQueue<>();
    static final BlockingQueue<AsyncContext> STARTED = new LinkedBlockingQueue<>();

    private TestFaces() {}

    static Faces faces() {
        return new Faces(
                List.of(
                        new Faces.Socket(Echo.class, LIMIT),
                        new Faces.Socket(Held.class, LIMIT),
                        new Faces.Socket(Room.class, LIMIT)),
                List.of(new Faces.Http(Hello.class, List.of("/hello")), new Faces.Http(Later.class, List.of("/later"))),
                List.of(new Faces.Gate(Refusing.class, List.of("/*"))));
    }

    static Object make(Class<?> type) {
        try {
            return type.getConstructor().newInstance();
        } catch (NoSuchMethodException
                | InstantiationException
                | IllegalAccessException
                | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends back what comes; "close" closes with 4000, "fail" throws. */
    @ServerEndpoint("/echo")
    public static class Echo {
        @OnMessage
        public void text(String text, Session session) throws IOException {
            if (text.equals("close")) {
                session.close(new CloseReason(() -> 4000, "as asked"));
            } else if (text.equals("fail")) {
                throw new IllegalStateException("s3cret");
            } else {
                session.getAsyncRemote().sendText(text, result -> {});
            }
        }

        @OnMessage
        public void binary(ByteBuffer bytes, Session session) {
            session.getAsyncRemote().sendBinary(bytes, result -> {});
        }

        @OnError
        public void failed(Session session, Throwable cause) {}
    }

    /** Gives its session to the test. */
    @ServerEndpoint("/held")
    public static class Held {
        @OnOpen
        public void opened(Session session) {
            OPENED.add(session);
        }

        @OnMessage
        public void pong(PongMessage pong, Session session) {
            session.getAsyncRemote()
                    .sendText("pong " + pong.getApplicationData().remaining(), result -> {});
        }

        @OnClose
        public void closed(CloseReason reason) {
            CLOSED.add(reason);
        }
    }

    /** A path with a parameter. */
    @ServerEndpoint("/room/{name}/ws")
    public static class Room {
        @OnOpen
        public void opened(Session session, @PathParam("name") String name) {
            session.getAsyncRemote().sendText(name, result -> {});
        }
    }

    /** Answers at once. */
    public static class Hello extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if ("fail".equals(request.getQueryString())) {
                throw new IllegalStateException("s3cret");
            }
            response.setContentLength(5);
            response.getOutputStream().print("hello");
        }
    }

    /** Leaves the answer to the test. */
    public static class Later extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            STARTED.add(request.startAsync());
        }
    }

    /** {@code ?deny=401} is answered with 401. */
    public static class Refusing implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String query = ((HttpServletRequest) request).getQueryString();
            if (query != null && query.startsWith("deny=")) {
                ((HttpServletResponse) response).sendError(Integer.parseInt(query.substring(5)));
            } else {
                chain.doFilter(request, response);
            }
        }
    }
}
