package dev.tidings.standalone;

import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.http.HttpServerFilter;
import org.glassfish.grizzly.http.server.AddOn;
import org.glassfish.grizzly.http.server.NetworkListener;

/**
 * Takes the bytes of upgraded connections before the HTTP codec sees them. Grizzly reads no more from a connection until
 * this returns, so an endpoint that blocks holds back its own socket and one worker, nobody else.
 */
final class SocketReads extends BaseFilter implements AddOn {
    private static final Attribute<OpenSocket> SOCKET =
            Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute("dev.tidings.socket");

    /** From now on the connection's bytes are the socket's. */
    static void divert(Connection<?> connection, OpenSocket socket) {
        SOCKET.set(connection, socket);
    }

    @Override
    public void setup(NetworkListener listener, FilterChainBuilder chain) {
        chain.add(chain.indexOfType(HttpServerFilter.class), this);
    }

    @Override
    public NextAction handleRead(FilterChainContext context) {
        OpenSocket socket = SOCKET.get(context.getConnection());
        if (socket == null) {
            return context.getInvokeAction();
        }
        Buffer bytes = context.getMessage();
        try {
            socket.received(bytes.toByteBuffer());
        } catch (RuntimeException e) {
            socket.abort();
            throw e;
        } finally {
            bytes.tryDispose();
        }
        return context.getStopAction();
    }
}
