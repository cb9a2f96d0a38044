package dev.tidings.health;

import dev.tidings.spi.NodeHealth;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready: new peers may be sent to this node. Down as soon as it begins to stop, while its sockets are still being told to
 * go, and while the database does not answer. Public for the container; not API.
 *
 * <p>Threads: any. Blocks on the database, but no longer than its patience; a database that hangs holds one thread of ours,
 * however often it is asked for.
 */
@Readiness
@ApplicationScoped
public class TidingsReadiness implements HealthCheck {
    private static final String NAME = "tidings";
    private static final long PATIENCE_SECONDS = 6;

    private final NodeHealth node;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected TidingsReadiness() {
        this.node = null;
    }

    @Inject
    TidingsReadiness(NodeHealth node) {
        this.node = node;
    }

    @Override
    public HealthCheckResponse call() {
        NodeHealth.State state = state();
        return HealthCheckResponse.named(NAME)
                .status(state == NodeHealth.State.READY)
                .withData("state", state.name().toLowerCase(Locale.ROOT))
                .build();
    }

    private NodeHealth.State state() {
        try {
            return node.ready().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NodeHealth.State.UNAVAILABLE;
        } catch (ExecutionException | TimeoutException unknown) {
            return NodeHealth.State.UNAVAILABLE;
        }
    }
}
