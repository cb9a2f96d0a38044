package dev.tidings.spi;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a run means to do, step by step, and how far it is.
 *
 * <p>A plan whose steps have all ended is settled; Tidings notes when.
 *
 * <p>Threads: immutable. Source: protocols A7, {@code plan}.
 *
 * @param title what it is about
 * @param steps in order
 */
public record RunPlan(@Nullable String title, List<Step> steps) {

    /** Copies the steps. */
    public RunPlan {
        steps = List.copyOf(steps);
    }

    /** How far a step is; the word on the wire is {@link #code()}. */
    public enum Status {
        /** Not begun. */
        PENDING,
        /** Being done. */
        RUNNING,
        /** Done. */
        DONE,
        /** Tried without success. */
        FAILED,
        /** Left out. */
        SKIPPED;

        /** The word on the wire. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether nothing more is to be done. */
        public boolean settled() {
            return this == DONE || this == FAILED || this == SKIPPED;
        }
    }

    /**
     * One step.
     *
     * @param id names the step in its plan
     * @param label what people read
     * @param status how far it is
     * @param resolvedBy what ended it, for example the id of a run
     */
    public record Step(
            String id,
            String label,
            Status status,
            @Nullable String resolvedBy) {}

    /** Whether all steps have ended. */
    public boolean settled() {
        return steps.stream().allMatch(step -> step.status().settled());
    }
}
