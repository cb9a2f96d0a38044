package dev.tidings.servers.host;

import dev.tidings.demo.DemoAgent;
import dev.tidings.demo.DemoData;
import dev.tidings.demo.DemoMemory;
import dev.tidings.jpa.TidingsDb;
import dev.tidings.spi.AgentRunner;
import dev.tidings.spi.ApplicationStarted;
import dev.tidings.spi.SessionTools;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import org.jspecify.annotations.Nullable;

/**
 * The host's beans: its persistence unit, the demo agent and its memory.
 *
 * <p>Threads: the container's. Public for the container; not API.
 */
@ApplicationScoped
public class DemoHost {

    @Produces
    @TidingsDb
    @PersistenceContext(unitName = "host")
    private @Nullable EntityManager entityManager;

    /** The agent. */
    @Produces
    @ApplicationScoped
    public AgentRunner agent() {
        return new DemoAgent();
    }

    /** Its memory. */
    @Produces
    @ApplicationScoped
    public SessionTools memory() {
        return new DemoMemory();
    }

    /** The tables are there by now. */
    void start(@Observes ApplicationStarted event, DemoData data) {
        data.make(true);
    }
}
