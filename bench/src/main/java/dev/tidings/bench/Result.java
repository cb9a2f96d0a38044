package dev.tidings.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one measurement gave; one line of JSON.
 *
 * <p>Members: {@code frames_per_s} delivered; {@code cpu_us_per_frame} and its {@code user_us_per_frame} of the server's
 * process; {@code p50_ms}, {@code p99_ms}, {@code p999_ms} from the sender's moment to the reader's; {@code rss_mb} of the
 * server; {@code gaps}, faults of any kind, which must be 0.
 *
 * <p>Threads: confined to who measures.
 */
final class Result {
    private final Map<String, Object> members = new LinkedHashMap<>();

    Result(String scenario, String target) {
        members.put("scenario", scenario);
        members.put("target", target);
    }

    /** Adds a figure; what is not a number is left out. */
    Result with(String name, double value) {
        if (!Double.isNaN(value)) {
            members.put(name, Math.round(value * 1000) / 1000.0);
        }
        return this;
    }

    Result with(String name, String value) {
        members.put(name, value);
        return this;
    }

    /** What was delivered in a time, and what it cost. */
    Result delivered(long frames, double seconds, ServerProcess.Cpu cpu) {
        with("frames", frames);
        with("seconds", seconds);
        with("frames_per_s", frames / seconds);
        if (cpu.user() >= 0) {
            with("cpu_us_per_frame", (double) (cpu.user() + cpu.system()) / frames);
            with("user_us_per_frame", (double) cpu.user() / frames);
            with("cpu_share", (cpu.user() + cpu.system()) / seconds / 1e6);
        }
        return this;
    }

    Result latencies(Latencies times) {
        return with("p50_ms", times.quantile(0.5))
                .with("p99_ms", times.quantile(0.99))
                .with("p999_ms", times.quantile(0.999));
    }

    /** The figure of that name; NaN if there is none. */
    double figure(String name) {
        return members.get(name) instanceof Double number ? number : Double.NaN;
    }

    @Override
    public String toString() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        members.forEach((name, value) -> {
            if (value instanceof Double number) {
                json.put(name, number);
            } else {
                json.put(name, value.toString());
            }
        });
        return json.toString();
    }
}
