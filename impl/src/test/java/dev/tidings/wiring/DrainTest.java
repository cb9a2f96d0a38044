package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A stop spreads the closing of sockets, and waits for nobody longer than it says. */
class DrainTest {
    private final List<String> happened = new ArrayList<>();
    private long slept;

    private final Drain.Pause pause = nanos -> {
        slept += nanos;
        happened.add("pause");
    };

    private List<Runnable> stops(int count) {
        return new ArrayList<>(Collections.nCopies(count, () -> happened.add("stop")));
    }

    @Test
    void run_manySockets_spreadOverThePeriod() {
        new Drain(Duration.ofSeconds(2), pause).run(stops(1_000), () -> 0);
        assertEquals(1_000, Collections.frequency(happened, "stop"));
        assertEquals(Duration.ofMillis(1_998).toNanos(), slept);
        assertEquals(List.of("stop", "pause", "stop", "pause"), happened.subList(0, 4));
    }

    @Test
    void run_fewSockets_doesNotKeepTheStopWaiting() {
        new Drain(Duration.ofSeconds(5), pause).run(stops(3), () -> 0);
        assertEquals(Duration.ofMillis(100).toNanos(), slept);
    }

    @Test
    void run_noSocketsOrNoPeriod_noPause() {
        new Drain(Duration.ofSeconds(5), pause).run(stops(0), () -> 0);
        new Drain(Duration.ZERO, pause).run(stops(100), () -> 0);
        assertEquals(0, slept);
        assertEquals(100, happened.size());
    }

    /** The last of them have a moment for their close handshake; not more. */
    @Test
    void run_socketsStay_goesOnAfterASecond() {
        int[] open = {2};
        new Drain(Duration.ofSeconds(5), nanos -> open[0]--).run(stops(1), () -> open[0]);
        assertEquals(0, open[0]);
        new Drain(Duration.ofSeconds(5), pause).run(stops(1), () -> 1);
        assertEquals(Duration.ofSeconds(1).toNanos(), slept);
    }

    @Test
    void run_interrupted_everybodyIsToldAtOnce() {
        Drain drain = new Drain(Duration.ofSeconds(5), nanos -> {
            throw new InterruptedException();
        });
        drain.run(stops(5), () -> 0);
        assertTrue(Thread.interrupted());
        assertEquals(6, happened.size(), "the first of them twice, which does nothing");
    }
}
