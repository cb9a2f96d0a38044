package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.spi.Counters;
import dev.tidings.spi.Counters.Counter;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Laws 1, 4, 5, 6, 7, 8, 13 on random schedules of the whole engine.
 *
 * <p>{@code -Dtidings.sim.schedules} says how many; {@code -Dtidings.sim.seed} runs the one with that seed.
 */
class DeliverySimulatorTest {

    private static final Set<Counter> MUST_HAPPEN = EnumSet.of(
            Counter.FRAMES_MERGED,
            Counter.SIGNALS_DROPPED,
            Counter.PRESSURES,
            Counter.FAULTS,
            Counter.ENTRIES_FROM_LOG,
            Counter.ENTRIES_FROM_WINDOW,
            Counter.PAGES_SHARED,
            Counter.FRAMES_SENT);

    // Kept here, since the logging system forgets loggers that nobody holds.
    private final Logger log = Logger.getLogger("dev.tidings.delivery");

    /** The log is made to fail thousands of times. */
    @BeforeEach
    void silenceLog() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void restoreLog() {
        log.setLevel(null);
    }

    @Test
    void engine_randomSchedules_obeysItsLaws() {
        Long one = Long.getLong("tidings.sim.seed");
        long schedules = Long.getLong("tidings.sim.schedules", 25_000);
        long first = Long.getLong("tidings.sim.first", 1);
        assertTrue(schedules > 0, "nothing to run");
        if (one != null) {
            run(one, true);
            return;
        }
        System.out.println("delivery simulator: seeds " + first + " to " + (first + schedules - 1));
        Map<Counter, Long> seen = new EnumMap<>(Counter.class);
        for (long seed = first; seed < first + schedules; seed++) {
            Counters counters = run(seed, false);
            for (Counter counter : MUST_HAPPEN) {
                seen.merge(counter, counters.value(counter), Long::sum);
            }
        }
        if (schedules >= 1_000) {
            // A world in which nothing happens proves nothing.
            seen.forEach((counter, count) -> assertTrue(count > schedules / 100, counter + " " + count));
        }
    }

    private static Counters run(long seed, boolean loud) {
        Simulation simulation = new Simulation(seed);
        try {
            simulation.run();
            return simulation.counters();
        } catch (RuntimeException | AssertionError fault) {
            String trace = loud ? "\n" + simulation.trace() : "";
            throw new AssertionError("run again with -Dtidings.sim.seed=" + seed + ": " + fault + trace, fault);
        }
    }
}
