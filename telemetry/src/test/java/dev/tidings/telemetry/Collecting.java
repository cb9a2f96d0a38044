package dev.tidings.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import java.util.Map;
import java.util.TreeMap;

/** A reader of the SDK that collects when the test asks. Threads: one. */
final class Collecting implements MetricReader {
    private CollectionRegistration registration = CollectionRegistration.noop();

    @Override
    public void register(CollectionRegistration given) {
        registration = given;
    }

    /** Everything there is now, by name. */
    Map<String, MetricData> collect() {
        Map<String, MetricData> byName = new TreeMap<>();
        registration.collectAllMetrics().forEach(metric -> byName.put(metric.getName(), metric));
        return byName;
    }

    @Override
    public CompletableResultCode forceFlush() {
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
        return AggregationTemporality.CUMULATIVE;
    }
}
