package dev.tidings.wiring;

import dev.tidings.spi.ApplicationStarted;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.servlet.ServletContext;

/**
 * Starts Tidings where no servlet container does, with CDI itself; elsewhere {@link WebApplicationLife} does it.
 *
 * <p>Public for the container; not API.
 */
@ApplicationScoped
public class ApplicationLife {

    private final Instance<ServletContext> servlets;
    private final Event<ApplicationStarted> started;
    private final Ports ports;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected ApplicationLife() {
        this.servlets = null;
        this.started = null;
        this.ports = null;
    }

    @Inject
    ApplicationLife(Instance<ServletContext> servlets, Event<ApplicationStarted> started, Ports ports) {
        this.servlets = servlets;
        this.started = started;
        this.ports = ports;
    }

    void start(@Observes @Initialized(ApplicationScoped.class) Object event) {
        if (servlets.isUnsatisfied()) {
            ports.requestScope().around(() -> started.fire(new ApplicationStarted()));
        }
    }
}
