package dev.tidings.transport;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpUpgradeHandler;
import java.io.IOException;

/**
 * A request for a WebSocket, whose client may speak before the container listens.
 *
 * <p>Tyrus in a servlet container (Payara 6 and 7, GlassFish 7) begins to read before it has made the connection, and a message
 * that is there by then is waited for by the thread that would have to make it: that thread hangs for ever, and five of them
 * are all that Payara has. So Tyrus is made to read when the connection is there. Other containers are left alone.
 *
 * <p>Threads: the request's.
 */
public final class EarlyMessages extends HttpServletRequestWrapper {
    private static final String TYRUS = "org.glassfish.tyrus.servlet.TyrusHttpUpgradeHandler";

    private EarlyMessages(HttpServletRequest request) {
        super(request);
    }

    /** The request to hand on: another one if it asks for an upgrade. */
    public static HttpServletRequest awaited(HttpServletRequest request) {
        return request.getHeader("Upgrade") == null ? request : new EarlyMessages(request);
    }

    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) throws IOException, ServletException {
        if (!type.getName().equals(TYRUS)) {
            return super.upgrade(type);
        }
        T handler;
        try {
            handler = type.getConstructor().newInstance();
        } catch (ReflectiveOperationException changed) {
            return super.upgrade(type);
        }
        super.upgrade(LateReading.class).of(handler, (HttpServletRequest) getRequest());
        return handler;
    }
}
