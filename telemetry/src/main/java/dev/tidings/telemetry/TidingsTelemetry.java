package dev.tidings.telemetry;

import dev.tidings.spi.ApplicationStarted;
import dev.tidings.spi.Counters;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import org.jspecify.annotations.Nullable;

/**
 * Shows the counters to OpenTelemetry from the application's start to its end: to the bean that the server or the application
 * has, else to the global one. Public for the container; not API.
 *
 * <p>Threads: the container's, one after the other.
 */
@ApplicationScoped
public class TidingsTelemetry {
    private static final String SCOPE = "dev.tidings";

    private final Instance<OpenTelemetry> telemetry;
    private final Instance<Counters> counters;

    // Confined: the threads that start and stop the application, one after the other.
    private @Nullable MetricsExport export;

    /** For the container's proxy. */
    @SuppressWarnings("NullAway")
    protected TidingsTelemetry() {
        this.telemetry = null;
        this.counters = null;
    }

    @Inject
    TidingsTelemetry(Instance<OpenTelemetry> telemetry, Instance<Counters> counters) {
        this.telemetry = telemetry;
        this.counters = counters;
    }

    /** Behind Tidings, which starts with the same event. */
    void start(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER + 100) ApplicationStarted started) {
        OpenTelemetry found = telemetry.isResolvable() ? telemetry.get() : GlobalOpenTelemetry.get();
        export = new MetricsExport(found.getMeter(SCOPE), counters.get());
    }

    @PreDestroy
    void stop() {
        MetricsExport made = export;
        if (made != null) {
            export = null;
            made.close();
        }
    }
}
