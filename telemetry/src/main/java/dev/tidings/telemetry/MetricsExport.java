package dev.tidings.telemetry;

import dev.tidings.spi.Counters;
import dev.tidings.spi.Counters.Counter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counters as asynchronous instruments of a meter: they are read when somebody collects, and cost nothing otherwise.
 *
 * <p>Threads: made and closed by one; read by the collector's.
 */
final class MetricsExport implements AutoCloseable {
    static final AttributeKey<String> CODE = AttributeKey.stringKey("tidings.refusal.code");

    /** Codes are words of a fixed list; what is beyond so many, which would be a fault, is one. */
    static final int MOST_CODES = 200;

    static final String OTHER = "_OTHER";
    private static final double NANOS = 1e9;

    private final List<AutoCloseable> instruments = new ArrayList<>();

    MetricsExport(Meter meter, Counters counters) {
        Map<String, List<Counter>> byName = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            byName.computeIfAbsent(Metric.of(counter).name(), name -> new ArrayList<>())
                    .add(counter);
        }
        byName.values().forEach(parts -> instruments.add(instrument(meter, counters, parts)));
        instruments.add(meter.counterBuilder("tidings.refusal.count")
                .setUnit("{refusal}")
                .setDescription("What was refused, and sockets that were closed, by code")
                .buildWithCallback(all -> refusals(counters, all)));
    }

    private static AutoCloseable instrument(Meter meter, Counters counters, List<Counter> parts) {
        Metric metric = Metric.of(parts.get(0));
        return switch (metric.kind()) {
            case NOW ->
                meter.upDownCounterBuilder(metric.name())
                        .setUnit(metric.unit())
                        .setDescription(metric.description())
                        .buildWithCallback(all -> record(counters, parts, all));
            case SUM ->
                meter.counterBuilder(metric.name())
                        .setUnit(metric.unit())
                        .setDescription(metric.description())
                        .buildWithCallback(all -> record(counters, parts, all));
            case SECONDS ->
                meter.counterBuilder(metric.name())
                        .ofDoubles()
                        .setUnit(metric.unit())
                        .setDescription(metric.description())
                        .buildWithCallback(all -> parts.forEach(part -> all.record(
                                counters.value(part) / NANOS, Metric.of(part).attributes())));
        };
    }

    private static void record(Counters counters, List<Counter> parts, ObservableLongMeasurement all) {
        parts.forEach(part -> all.record(counters.value(part), Metric.of(part).attributes()));
    }

    private static void refusals(Counters counters, ObservableLongMeasurement all) {
        long others = 0;
        int codes = 0;
        for (Map.Entry<String, Long> refusal : new TreeMap<>(counters.refusals()).entrySet()) {
            if (codes++ < MOST_CODES) {
                all.record(refusal.getValue(), Attributes.of(CODE, refusal.getKey()));
            } else {
                others += refusal.getValue();
            }
        }
        if (others > 0) {
            all.record(others, Attributes.of(CODE, OTHER));
        }
    }

    @Override
    public void close() {
        for (AutoCloseable instrument : instruments) {
            try {
                instrument.close();
            } catch (Exception goneWithItsSdk) {
                // There is nothing left to take off.
            }
        }
        instruments.clear();
    }
}
