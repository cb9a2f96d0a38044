package dev.tidings.bench;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.websockets.jsr.WebSocketDeploymentInfo;
import jakarta.websocket.server.ServerEndpointConfig;
import java.net.InetSocketAddress;

/** Undertow with Jakarta WebSocket, the obvious way. */
public final class ObviousUndertow {
    private ObviousUndertow() {}

    /** Runs until the process ends. */
    public static void main(String[] arguments) throws Exception {
        WebSocketDeploymentInfo sockets = new WebSocketDeploymentInfo()
                .addEndpoint(ServerEndpointConfig.Builder.create(ObviousEndpoint.class, "/watch")
                        .build())
                .addEndpoint(ServerEndpointConfig.Builder.create(ObviousEndpoint.class, "/publish")
                        .build());
        DeploymentInfo deployment = Servlets.deployment()
                .setClassLoader(ObviousUndertow.class.getClassLoader())
                .setContextPath("/")
                .setDeploymentName("peer")
                .addServletContextAttribute(WebSocketDeploymentInfo.ATTRIBUTE_NAME, sockets);
        DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment);
        manager.deploy();
        HttpHandler handler = Handlers.path().addPrefixPath("/", manager.start());
        Undertow server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setHandler(handler)
                .build();
        server.start();
        InetSocketAddress address =
                (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        System.out.println("listening on http://127.0.0.1:" + address.getPort());
    }
}
