package dev.tidings.bench;

import jakarta.websocket.Endpoint;
import jakarta.websocket.server.ServerApplicationConfig;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.glassfish.tyrus.server.Server;

/** Tyrus on its own Grizzly container, the obvious way. */
public final class ObviousTyrus {
    private ObviousTyrus() {}

    /** Its endpoints; public for the container. */
    public static final class Endpoints implements ServerApplicationConfig {
        /** For the container. */
        public Endpoints() {}

        @Override
        public Set<ServerEndpointConfig> getEndpointConfigs(Set<Class<? extends Endpoint>> scanned) {
            return Set.of(
                    ServerEndpointConfig.Builder.create(ObviousEndpoint.class, "/watch")
                            .build(),
                    ServerEndpointConfig.Builder.create(ObviousEndpoint.class, "/publish")
                            .build());
        }

        @Override
        public Set<Class<?>> getAnnotatedEndpointClasses(Set<Class<?>> scanned) {
            return Set.of();
        }
    }

    /** Runs until the process ends. */
    public static void main(String[] arguments) throws Exception {
        Server server = new Server("127.0.0.1", -1, "", Map.of(), Endpoints.class);
        server.start();
        System.out.println("listening on http://127.0.0.1:" + server.getPort());
        new CountDownLatch(1).await();
    }
}
