package dev.tidings.transport.undertow;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.protocol.framed.AbstractFramedChannel;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.websockets.extensions.PerMessageDeflateHandshake;
import io.undertow.websockets.jsr.UndertowSession;
import io.undertow.websockets.jsr.WebSocketDeploymentInfo;
import jakarta.servlet.ServletException;
import jakarta.websocket.CloseReason;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.PongMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.xnio.StreamConnection;
import org.xnio.conduits.AbstractStreamSinkConduit;
import org.xnio.conduits.ConduitStreamSinkChannel;

/** Undertow on a free port with an endpoint at {@code /held} that hands its sessions to the test. */
final class EmbeddedUndertow implements AutoCloseable {
    static final BlockingQueue<Session> OPENED = new LinkedBlockingQueue<>();
    static final BlockingQueue<CloseReason> CLOSED = new LinkedBlockingQueue<>();

    private final Undertow server;

    /** Its endpoint; public for the container. */
    @ServerEndpoint("/held")
    public static class Held {
        @OnOpen
        public void opened(Session session) {
            OPENED.add(session);
        }

        @OnMessage
        public void pong(PongMessage pong) {}

        @OnClose
        public void closed(CloseReason reason) {
            CLOSED.add(reason);
        }
    }

    EmbeddedUndertow() throws ServletException {
        OPENED.clear();
        CLOSED.clear();
        DeploymentInfo deployment = Servlets.deployment()
                .setClassLoader(EmbeddedUndertow.class.getClassLoader())
                .setContextPath("/")
                .setDeploymentName("test")
                .addServletContextAttribute(
                        WebSocketDeploymentInfo.ATTRIBUTE_NAME,
                        new WebSocketDeploymentInfo()
                                .setDispatchToWorkerThread(true)
                                .addExtension(new PerMessageDeflateHandshake())
                                .addEndpoint(Held.class));
        DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment);
        manager.deploy();
        server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setHandler(Handlers.path().addPrefixPath("/", manager.start()))
                .build();
        server.start();
    }

    int port() {
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    static Session opened() throws InterruptedException {
        return Objects.requireNonNull(OPENED.poll(20, TimeUnit.SECONDS), "no socket was opened");
    }

    static CloseReason closed() throws InterruptedException {
        return Objects.requireNonNull(CLOSED.poll(20, TimeUnit.SECONDS), "no socket was closed");
    }

    /** The next time that the server looks whether it may still write to that socket, an error is thrown. */
    static void failOnce(Session session, Error error) throws ReflectiveOperationException {
        Method connection = AbstractFramedChannel.class.getDeclaredMethod("getUnderlyingConnection");
        connection.setAccessible(true);
        ConduitStreamSinkChannel sink = ((StreamConnection)
                        connection.invoke(((UndertowSession) session).getWebSocketChannel()))
                .getSinkChannel();
        AtomicBoolean failed = new AtomicBoolean();
        sink.setConduit(new AbstractStreamSinkConduit<>(sink.getConduit()) {
            @Override
            public boolean isWriteShutdown() {
                if (failed.compareAndSet(false, true)) {
                    throw error;
                }
                return super.isWriteShutdown();
            }
        });
    }

    @Override
    public void close() {
        server.stop();
    }
}
