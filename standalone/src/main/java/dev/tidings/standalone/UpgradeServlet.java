package dev.tidings.standalone;

import dev.tidings.protocol.http.HttpRefusal;
import dev.tidings.transport.Chatter;
import dev.tidings.transport.Door;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.IOEvent;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.nio.NIOConnection;
import org.glassfish.grizzly.servlet.Holders;
import org.glassfish.tyrus.core.RequestContext;
import org.glassfish.tyrus.core.TyrusUpgradeResponse;
import org.glassfish.tyrus.core.Utils;
import org.glassfish.tyrus.spi.WebSocketEngine.UpgradeInfo;
import org.jspecify.annotations.Nullable;

/**
 * The end of the servlet chain on an endpoint's path: turns a request into a socket. Filters in front of it see the
 * upgrade as a request like others, and refuse it by answering.
 *
 * <p>A session is made for status 101 alone: Tyrus' engine also calls 401, 503 and redirects a success.
 */
final class UpgradeServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** User property of a session: a {@link Runnable} that resets its connection at once, whatever is stuck in it. */
    static final String ABORT = "dev.tidings.abort";

    /** User property of a session: the address of its peer. */
    static final String PEER_ADDRESS = "dev.tidings.peer-address";

    private static final String VERSION = "Sec-WebSocket-Version";
    private static final String SUPPORTED_VERSION = "13";

    private final transient TyrusContainer container;
    private final transient OpenSockets sockets;
    private final int maxMessageBytes;

    UpgradeServlet(TyrusContainer container, OpenSockets sockets, int maxMessageBytes) {
        this.container = container;
        this.sockets = sockets;
        this.maxMessageBytes = maxMessageBytes;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.getMethod().equals("GET")) {
            response.setHeader("Allow", "GET");
            HttpRefusal.METHOD_NOT_ALLOWED.answer(response);
        } else if (!isUpgrade(request) || !isKey(request.getHeader("Sec-WebSocket-Key"))) {
            // Not 426: it needs an Upgrade header, and with one Grizzly no longer frames the response.
            response.setHeader(VERSION, SUPPORTED_VERSION);
            HttpRefusal.UPGRADE_REQUIRED.answer(response);
        } else {
            upgrade(request, response);
        }
    }

    private static boolean isUpgrade(HttpServletRequest request) {
        return hasToken(request, "Upgrade", "websocket")
                && hasToken(request, "Connection", "upgrade")
                && SUPPORTED_VERSION.equals(request.getHeader(VERSION));
    }

    private void upgrade(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Request grizzly = unwrapped(request);
        Connection<?> connection = grizzly.getContext().getConnection();
        SocketWriter writer = new SocketWriter(connection, timer());
        Chatter chatter = new Chatter();
        TyrusUpgradeResponse answer = new TyrusUpgradeResponse();
        UpgradeInfo upgrade;
        try {
            RequestContext handshake = handshake(request);
            SessionProperties.put(handshake, ABORT, (Runnable) writer::abort);
            SessionProperties.put(handshake, Door.PROPERTY, new GrizzlyDoor(writer));
            SessionProperties.put(handshake, Chatter.PROPERTY, chatter);
            SessionProperties.put(handshake, PEER_ADDRESS, request.getRemoteAddr());
            upgrade = container.getWebSocketEngine().upgrade(handshake, answer);
        } catch (IllegalArgumentException e) {
            HttpRefusal.BAD_REQUEST.answer(response); // a path or header that Tyrus cannot parse
            return;
        }
        switch (upgrade.getStatus()) {
            case NOT_APPLICABLE -> HttpRefusal.NOT_FOUND.answer(response);
            case HANDSHAKE_FAILED ->
                (answer.getStatus() >= 500 ? HttpRefusal.BAD_REQUEST : ErrorAnswers.refusal(answer.getStatus()))
                        .answer(response);
            case SUCCESS -> {
                if (answer.getStatus() == HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
                    open(grizzly, response, answer, upgrade, writer, chatter);
                } else {
                    ErrorAnswers.refusal(answer.getStatus()).answer(response);
                }
            }
        }
    }

    private void open(
            Request grizzly,
            HttpServletResponse response,
            TyrusUpgradeResponse answer,
            UpgradeInfo upgrade,
            SocketWriter writer,
            Chatter chatter)
            throws IOException {
        Connection<?> connection = grizzly.getContext().getConnection();
        if (!sockets.begin()) {
            HttpRefusal.BUSY.answer(response);
            return;
        }
        OpenSocket socket;
        try {
            answer.getHeaders().forEach((name, values) -> response.setHeader(name, Utils.getHeaderFromList(values)));
            response.setStatus(HttpServletResponse.SC_SWITCHING_PROTOCOLS);
            // Suspended, because Grizzly closes the connection of a finished upgrade; it also stops the reading.
            grizzly.getResponse().suspend();
            response.flushBuffer();
            socket = new OpenSocket(connection, writer, new FrameMeter(maxMessageBytes), chatter, upgrade);
        } catch (RuntimeException | IOException e) {
            sockets.notOpened();
            connection.terminateSilently(); // 101 may be sent: there is no other way to say no
            throw e;
        }
        socket.follow();
        sockets.opened(socket);
        read(grizzly, (NIOConnection) connection, socket);
    }

    private static void read(Request grizzly, NIOConnection connection, OpenSocket socket) throws IOException {
        SocketReads.divert(connection, socket);
        Buffer early = grizzly.getInputBuffer().getBuffer();
        if (early != null && early.hasRemaining()) {
            socket.received(early.toByteBuffer());
        }
        connection.enableIOEvent(IOEvent.READ);
    }

    private ScheduledExecutorService timer() {
        return container.getScheduledExecutorService();
    }

    private static RequestContext handshake(HttpServletRequest request) {
        RequestContext handshake = RequestContext.Builder.create()
                .requestURI(URI.create(request.getRequestURI()))
                .queryString(queryOrNull(request))
                .parameterMap(parameters(request))
                .secure(request.isSecure())
                .userPrincipal(request.getUserPrincipal())
                .remoteAddr(request.getRemoteAddr())
                .serverAddr(request.getLocalAddr())
                .serverPort(request.getLocalPort())
                .tyrusProperties(Map.of())
                .build();
        for (String name : Collections.list(request.getHeaderNames())) {
            List<String> values = handshake.getHeaders().computeIfAbsent(name, absent -> new ArrayList<>());
            for (String value : Collections.list(request.getHeaders(name))) {
                values.addAll(Utils.parseHeaderValue(value.trim()));
            }
        }
        return handshake;
    }

    /** Tyrus makes a URI of it when the socket is open already; what is none, no endpoint can read. */
    private static @Nullable String queryOrNull(HttpServletRequest request) {
        String query = request.getQueryString();
        try {
            return query == null ? null : URI.create("?" + query).getRawQuery();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** A copy, because Tyrus adds the parameters of the path. */
    private static Map<String, String[]> parameters(HttpServletRequest request) {
        try {
            return new HashMap<>(request.getParameterMap());
        } catch (RuntimeException e) {
            return new HashMap<>(); // a query that cannot be decoded is as good as none
        }
    }

    static Request unwrapped(ServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return ((Holders.RequestHolder) inner).getInternalRequest();
    }

    private static boolean hasToken(HttpServletRequest request, String header, String token) {
        for (String value : Collections.list(request.getHeaders(header))) {
            for (String part : value.split(",", -1)) {
                if (part.trim().equalsIgnoreCase(token)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isKey(@Nullable String key) {
        try {
            return key != null && Base64.getDecoder().decode(key.trim()).length == 16;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
