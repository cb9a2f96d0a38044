package dev.tidings.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every scenario, so small that it takes a moment: it works, and nothing is missing or doubled (law 1). */
@Timeout(900)
class ScenariosIT {

    @Test
    void measure_everyScenario_hasItsLineWithoutAFault() {
        List<Line> lines = Bench.measure(Settings.parse("all", "--smoke", "--targets", "tidings"));

        assertEquals(
                Scenario.names(),
                lines.stream().map(line -> line.text("scenario")).toList());
        lines.forEach(line -> assertEquals(0, line.figure("gaps"), line.toString()));
    }

    @Test
    void measure_floorsAndPeers_areMeasuredAlike() {
        List<Line> lines = Bench.measure(
                Settings.parse("fanout-100,paced-1000", "--smoke", "--targets", "floor,batched,tyrus,undertow"));

        assertEquals(8, lines.size());
        lines.forEach(line -> assertEquals(0, line.figure("gaps"), line.toString()));
    }
}
