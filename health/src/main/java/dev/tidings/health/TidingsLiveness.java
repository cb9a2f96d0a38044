package dev.tidings.health;

import dev.tidings.spi.NodeHealth;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/**
 * Alive: the work that comes round does. It does not ask the database, since a restart does not bring that back. Public for
 * the container; not API.
 *
 * <p>Threads: any; never blocks.
 */
@Liveness
@ApplicationScoped
public class TidingsLiveness implements HealthCheck {
    private final NodeHealth node;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected TidingsLiveness() {
        this.node = null;
    }

    @Inject
    TidingsLiveness(NodeHealth node) {
        this.node = node;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("tidings").status(node.alive()).build();
    }
}
