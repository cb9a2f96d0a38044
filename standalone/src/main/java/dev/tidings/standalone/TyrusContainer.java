package dev.tidings.standalone;

import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.glassfish.tyrus.core.TyrusWebSocketEngine;
import org.glassfish.tyrus.server.TyrusServerContainer;
import org.glassfish.tyrus.spi.WebSocketEngine;

/** Tyrus without a transport: the engine that {@link UpgradeServlet} and {@link OpenSocket} drive. */
final class TyrusContainer extends TyrusServerContainer {
    /** What one read may bring behind the last byte of the largest message. */
    private static final int READ_AHEAD_BYTES = 1024 * 1024;

    private final WebSocketEngine engine;
    private final ScheduledExecutorService timer = new Timer();

    TyrusContainer(int maxMessageBytes) {
        super(Set.of());
        setDefaultMaxTextMessageBufferSize(maxMessageBytes);
        setDefaultMaxBinaryMessageBufferSize(maxMessageBytes);
        engine = TyrusWebSocketEngine.builder(this)
                .incomingBufferSize(Math.addExact(maxMessageBytes, READ_AHEAD_BYTES))
                .build();
    }

    @Override
    public void register(Class<?> endpoint) throws DeploymentException {
        engine.register(endpoint, "");
    }

    @Override
    public void register(ServerEndpointConfig config) throws DeploymentException {
        engine.register(config, "");
    }

    @Override
    public WebSocketEngine getWebSocketEngine() {
        return engine;
    }

    @Override
    public ScheduledExecutorService getScheduledExecutorService() {
        return timer;
    }

    @Override
    public void stop() {
        timer.shutdownNow();
        super.stop();
    }

    /**
     * Tyrus restarts a session's idle timer at every frame, and does so even when there is no idle timeout: it then
     * schedules a task with no delay that does nothing, one hand-over between threads a frame. Those tasks are answered
     * as done here. With a timeout, cancelled tasks leave the queue at once.
     */
    private static final class Timer extends ScheduledThreadPoolExecutor {
        private static final String IDLE_TASK = "org.glassfish.tyrus.core.TyrusSession$IdleTimeoutCommand";
        private final ScheduledFuture<?> done;

        Timer() {
            super(1, ServerThreads.daemons("tidings-websocket-timer"));
            setRemoveOnCancelPolicy(true);
            done = super.schedule(() -> {}, 1, TimeUnit.DAYS);
            done.cancel(false);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            if (delay <= 0 && command.getClass().getName().equals(IDLE_TASK)) {
                return done;
            }
            return super.schedule(command, delay, unit);
        }
    }
}
