package dev.tidings.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What one measurement gave; one line of JSON.
 *
 * <p>Members: {@code frames_per_s} delivered; {@code cpu_us_per_frame} and its {@code user_us_per_frame} of the server's
 * process, {@code jit_us_per_frame} of it by the threads of the JIT compiler; {@code p50_ms}, {@code p99_ms}, {@code p999_ms}
 * from the sender's moment to the reader's, or as the scenario says;
 * {@code rss_mb} of the server; {@code gaps}, faults of any kind, which must be 0; {@code load}, how many processes of this
 * machine were ready on average in the last minute, these included. More is the scenario's.
 *
 * <p>Threads: confined to who measures.
 */
final class Result {
    private final ObjectNode members = JsonNodeFactory.instance.objectNode();

    /**
     * Nothing measured yet.
     *
     * @param run what all measurements of one command have in common
     * @param round the turn of all targets; negative if it does not count
     */
    Result(Settings settings, String target, String run, int round) {
        members.put("scenario", settings.scenario());
        members.put("target", target);
        members.put("database", settings.database());
        members.put("run", run);
        members.put("round", round);
    }

    /** Adds a figure; what is not a number is left out. */
    Result with(String name, double value) {
        if (Double.isFinite(value)) {
            members.put(name, Math.round(value * 1000) / 1000.0);
        }
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
            with("jit_us_per_frame", (double) Math.max(0, cpu.compiler()) / frames);
            with("cpu_share", (cpu.user() + cpu.system()) / seconds / 1e6);
        }
        return this;
    }

    Result latencies(Latencies times) {
        return with("p50_ms", times.quantile(0.5))
                .with("p99_ms", times.quantile(0.99))
                .with("p999_ms", times.quantile(0.999));
    }

    /** The server's memory, and what may never happen: how often it did, and the first of it. */
    Result ended(Target target, Swarm... swarms) {
        with("rss_mb", ServerProcess.residentKib(target.pid()) / 1024.0);
        long faults = 0;
        for (Swarm swarm : swarms) {
            faults += swarm.faults();
            if (!swarm.firstFault().isEmpty()) {
                members.put("fault", swarm.firstFault());
            }
        }
        with("gaps", faults);
        return with("load", ServerProcess.load());
    }

    /** The figure of that name so far; NaN if there is none. */
    double figure(String name) {
        return members.path(name).asDouble(Double.NaN);
    }

    @Override
    public String toString() {
        return members.toString();
    }
}
