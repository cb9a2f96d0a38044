package dev.tidings.servers.metrics;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.interceptor.Interceptor;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The application's metrics, kept where its page finds them. It is an alternative, since a server may have an OpenTelemetry of
 * its own.
 *
 * <p>Threads: any. Public for the container; not API.
 */
@Alternative
@Priority(Interceptor.Priority.APPLICATION)
@ApplicationScoped
public class CollectedMetrics {
    private static final long PATIENCE_SECONDS = 30;

    // Confined: each collection, which ends before it is read.
    private final Kept kept = new Kept();
    private final SdkMeterProvider meters = SdkMeterProvider.builder()
            .registerMetricReader(PeriodicMetricReader.create(kept))
            .build();

    /** What Tidings finds. */
    @Produces
    @ApplicationScoped
    public OpenTelemetry telemetry() {
        return new OnlyMetrics(meters);
    }

    /** The sum of a metric's points as of now, by its name; those that are whole numbers. */
    public synchronized Map<String, Long> collect() {
        kept.sums.clear();
        if (!meters.forceFlush().join(PATIENCE_SECONDS, TimeUnit.SECONDS).isSuccess()) {
            throw new IllegalStateException("nothing was collected");
        }
        return new TreeMap<>(kept.sums);
    }

    /** Ends the thread that collects once a minute, before the application goes. */
    void stop(@Observes @BeforeDestroyed(ApplicationScoped.class) Object ending) {
        meters.shutdown().join(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Traces go nowhere. */
    private record OnlyMetrics(MeterProvider meters) implements OpenTelemetry {
        @Override
        public TracerProvider getTracerProvider() {
            return TracerProvider.noop();
        }

        @Override
        public MeterProvider getMeterProvider() {
            return meters;
        }

        @Override
        public ContextPropagators getPropagators() {
            return ContextPropagators.noop();
        }
    }

    /** Where an application has its exporter. */
    private static final class Kept implements MetricExporter {
        private final Map<String, Long> sums = new java.util.concurrent.ConcurrentHashMap<>();

        @Override
        public CompletableResultCode export(Collection<MetricData> metrics) {
            for (MetricData metric : metrics) {
                metric.getLongSumData()
                        .getPoints()
                        .forEach(point -> sums.merge(metric.getName(), point.getValue(), Long::sum));
            }
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public AggregationTemporality getAggregationTemporality(InstrumentType instrument) {
            return AggregationTemporality.CUMULATIVE;
        }
    }
}
