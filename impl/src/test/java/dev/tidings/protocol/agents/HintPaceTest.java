package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A5: per session at most one an interval, the leading edge at once, one trailing edge. */
class HintPaceTest {
    private static final Duration INTERVAL = Duration.ofMillis(1_500);

    private final HandRun hand = new HandRun();
    private final List<String> through = new ArrayList<>();
    private final HintPace pace = new HintPace(
            hand,
            INTERVAL,
            id -> through.add(id + '@' + Duration.ofNanos(hand.nanos()).toMillis()));

    @Test
    void came_first_goesThroughAtOnce() {
        pace.came("s");
        assertEquals(List.of("s@0"), through);
    }

    @Test
    void came_manyInOneInterval_oneTrailingEdge() {
        for (int i = 0; i < 100; i++) {
            pace.came("s");
            hand.pass(Duration.ofMillis(10));
        }
        hand.pass(INTERVAL.multipliedBy(3));
        assertEquals(List.of("s@0", "s@1500"), through);
    }

    @Test
    void came_withoutEnd_onceAnInterval() {
        for (int i = 0; i < 450; i++) {
            pace.came("s");
            hand.pass(Duration.ofMillis(10));
        }
        assertEquals(List.of("s@0", "s@1500", "s@3000", "s@4500"), through);
    }

    @Test
    void came_afterAQuietInterval_goesThroughAtOnce() {
        pace.came("s");
        hand.pass(INTERVAL.plusMillis(7));
        pace.came("s");
        assertEquals(List.of("s@0", "s@1507"), through);
    }

    @Test
    void came_otherId_hasItsOwnPace() {
        pace.came("a");
        pace.came("b");
        assertEquals(List.of("a@0", "b@0"), through);
    }

    /** A moment without memory, or a timer that takes nothing, must not silence an id for ever. */
    @Test
    void came_timerFails_goesThroughAndIsPacedAgainLater() {
        Throwable[] failure = {new OutOfMemoryError()};
        HintPace shaky = new HintPace(
                (delay, task) -> {
                    if (failure[0] instanceof Error error) {
                        throw error;
                    } else if (failure[0] instanceof RuntimeException exception) {
                        throw exception;
                    }
                    hand.after(delay, task);
                },
                INTERVAL,
                through::add);
        shaky.came("s");
        failure[0] = new IllegalStateException();
        shaky.came("s");
        assertEquals(List.of("s", "s"), through);
        failure[0] = null;
        shaky.came("s");
        shaky.came("s");
        assertEquals(List.of("s", "s", "s"), through);
        hand.pass(INTERVAL);
        assertEquals(List.of("s", "s", "s", "s"), through);
    }

    /** Law 4: nothing is kept of a session that is quiet. */
    @Test
    void came_thenQuiet_leavesNoTimer() {
        pace.came("s");
        pace.came("s");
        hand.pass(INTERVAL.multipliedBy(3));
        assertEquals(0, hand.timersRunning());
    }
}
