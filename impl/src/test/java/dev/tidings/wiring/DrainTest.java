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
    private long now = 1;
    private long slept;

    private Drain drain(Duration period) {
        return new Drain(period, () -> now, nanos -> {
            now += nanos;
            slept += nanos;
            happened.add("pause");
        });
    }

    private List<Runnable> stops(int count) {
        return new ArrayList<>(Collections.nCopies(count, () -> happened.add("stop")));
    }

    @Test
    void run_manySockets_spreadOverThePeriod() {
        drain(Duration.ofSeconds(2)).run(stops(1_000), () -> 0);
        assertEquals(1_000, Collections.frequency(happened, "stop"));
        assertEquals(Duration.ofMillis(1_998).toNanos(), slept);
        assertEquals(List.of("stop", "pause", "stop", "pause"), happened.subList(0, 4));
    }

    /** Each stop takes a millisecond here and each pause as much too long: the period is kept all the same. */
    @Test
    void run_stopsAndPausesTakeTime_keepsThePeriod() {
        long start = now;
        long late = Duration.ofMillis(1).toNanos();
        Drain slow = new Drain(Duration.ofSeconds(2), () -> now, nanos -> now += nanos + late);
        slow.run(Collections.nCopies(1_000, () -> now += late), () -> 0);
        assertEquals(Duration.ofSeconds(2).toNanos(), now - start, 2.0 * late);
    }

    /** Stops that take longer than the period follow each other without a pause. */
    @Test
    void run_stopsTakeLongerThanThePeriod_noPause() {
        drain(Duration.ofSeconds(2))
                .run(
                        Collections.nCopies(
                                1_000, () -> now += Duration.ofMillis(3).toNanos()),
                        () -> 0);
        assertEquals(0, slept);
    }

    @Test
    void run_fewSockets_doesNotKeepTheStopWaiting() {
        drain(Duration.ofSeconds(5)).run(stops(3), () -> 0);
        assertEquals(Duration.ofMillis(100).toNanos(), slept);
    }

    @Test
    void run_noSocketsOrNoPeriod_noPause() {
        drain(Duration.ofSeconds(5)).run(stops(0), () -> 0);
        drain(Duration.ZERO).run(stops(100), () -> 0);
        assertEquals(0, slept);
        assertEquals(100, happened.size());
    }

    /** The last of them have a moment for their close handshake; not more. */
    @Test
    void run_socketsStay_goesOnAfterASecond() {
        int[] open = {2};
        new Drain(Duration.ofSeconds(5), () -> now, nanos -> open[0]--).run(stops(1), () -> open[0]);
        assertEquals(0, open[0]);
        drain(Duration.ofSeconds(5)).run(stops(1), () -> 1);
        assertEquals(Duration.ofSeconds(1).toNanos(), slept);
    }

    @Test
    void run_interrupted_everybodyIsToldAtOnce() {
        Drain drain = new Drain(Duration.ofSeconds(5), () -> now, nanos -> {
            throw new InterruptedException();
        });
        drain.run(stops(5), () -> 0);
        assertTrue(Thread.interrupted());
        assertEquals(6, happened.size(), "the first of them twice, which does nothing");
    }
}
