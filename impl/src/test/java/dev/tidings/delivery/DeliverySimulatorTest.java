package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Laws 1, 4, 5, 6, 7, 8, 13 on random schedules of the whole engine.
 *
 * <p>{@code -Dtidings.sim.schedules} says how many; {@code -Dtidings.sim.seed} runs the one with that seed.
 */
class DeliverySimulatorTest {

    @Test
    void engine_randomSchedules_obeysItsLaws() {
        Long one = Long.getLong("tidings.sim.seed");
        long schedules = Long.getLong("tidings.sim.schedules", 5_000);
        long first = Long.getLong("tidings.sim.first", 1);
        assertTrue(schedules > 0, "nothing to run");
        if (one != null) {
            run(one, true);
            return;
        }
        System.out.println("delivery simulator: seeds " + first + " to " + (first + schedules - 1));
        for (long seed = first; seed < first + schedules; seed++) {
            run(seed, false);
        }
    }

    private static void run(long seed, boolean loud) {
        Simulation simulation = new Simulation(seed);
        try {
            simulation.run();
        } catch (RuntimeException | AssertionError fault) {
            String trace = loud ? "\n" + simulation.trace() : "";
            throw new AssertionError("run again with -Dtidings.sim.seed=" + seed + ": " + fault + trace, fault);
        }
    }
}
