package dev.tidings.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.spi.ApplicationStarted;
import dev.tidings.spi.Counters;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TidingsTelemetryTest {
    private final Map<Counters.Counter, Long> values = new EnumMap<>(Counters.Counter.class);
    private final Map<String, Long> refusals = new HashMap<>();
    private final Counters counters = new Counters() {
        @Override
        public long value(Counter counter) {
            return values.getOrDefault(counter, 0L);
        }

        @Override
        public Map<String, Long> refusals() {
            return refusals;
        }
    };
    private final Collecting reader = new Collecting();
    private final SdkMeterProvider meters =
            SdkMeterProvider.builder().registerMetricReader(reader).build();

    /** As a server or an application has it. */
    private final OpenTelemetry telemetry = new OpenTelemetry() {
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
    };

    private final WeldContainer beans = new Weld()
            .disableDiscovery()
            .beanClasses(TidingsTelemetry.class)
            .addExtension(new Extension() {
                void beans(@Observes AfterBeanDiscovery found) {
                    found.addBean().addType(Counters.class).createWith(context -> counters);
                    found.addBean().addType(OpenTelemetry.class).createWith(context -> telemetry);
                }
            })
            .initialize();

    @AfterEach
    void close() {
        if (beans.isRunning()) {
            beans.close();
        }
        meters.close();
    }

    @Test
    void metrics_ofAllCounters_haveTheirValueUnitAndKind() {
        double value = 0;
        for (Counters.Counter counter : Counters.Counter.values()) {
            value += 1e9;
            values.put(counter, (long) value);
        }
        beans.event().select(ApplicationStarted.class).fire(new ApplicationStarted());
        Map<String, MetricData> all = reader.collect();
        for (Counters.Counter counter : Counters.Counter.values()) {
            Metric metric = Metric.of(counter);
            MetricData shown = of(all, metric.name());
            assertEquals(metric.unit(), shown.getUnit());
            assertTrue(metric.name().matches("tidings(\\.[a-z]+)+"), metric.name());
            if (metric.kind() == Metric.Kind.SECONDS) {
                assertEquals(MetricDataType.DOUBLE_SUM, shown.getType());
                assertEquals(
                        counters.value(counter) / 1e9,
                        shown.getDoubleSumData().getPoints().iterator().next().getValue());
            } else {
                assertEquals(
                        metric.kind() == Metric.Kind.SUM, shown.getLongSumData().isMonotonic());
                assertEquals(
                        counters.value(counter),
                        shown.getLongSumData().getPoints().stream()
                                .filter(point -> point.getAttributes().equals(metric.attributes()))
                                .map(LongPointData::getValue)
                                .collect(Collectors.reducing(0L, Long::sum)));
            }
        }
        assertEquals(
                "dev.tidings",
                of(all, "tidings.socket.count").getInstrumentationScopeInfo().getName());
    }

    private static MetricData of(Map<String, MetricData> all, String name) {
        return Objects.requireNonNull(all.get(name), name);
    }

    @Test
    void refusals_byCode_areBounded() {
        for (int i = 0; i < MetricsExport.MOST_CODES + 50; i++) {
            refusals.put("code_" + (1_000 + i), 2L);
        }
        beans.event().select(ApplicationStarted.class).fire(new ApplicationStarted());
        Map<String, Long> shown = new TreeMap<>();
        of(reader.collect(), "tidings.refusal.count")
                .getLongSumData()
                .getPoints()
                .forEach(point ->
                        shown.put(String.valueOf(point.getAttributes().get(MetricsExport.CODE)), point.getValue()));
        assertEquals(MetricsExport.MOST_CODES + 1, shown.size());
        assertEquals(2L, shown.get("code_1000"));
        assertEquals(100L, shown.get(MetricsExport.OTHER));
    }

    /** A class loader that is gone is not held by somebody's collector. */
    @Test
    void metrics_afterTheApplication_areGone() {
        beans.event().select(ApplicationStarted.class).fire(new ApplicationStarted());
        assertTrue(reader.collect().size() > 10);
        beans.close();
        assertEquals(Map.of(), reader.collect());
    }
}
