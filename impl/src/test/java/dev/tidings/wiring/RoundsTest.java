package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Laws 5, 6 and 13 lean on work that comes round whatever happened to the round before. */
class RoundsTest {
    private final HandThreads threads = new HandThreads();
    private final Rounds rounds = new Rounds(threads);
    private final List<String> done = new ArrayList<>();

    private HandThreads.Timer every(String name, Runnable work) {
        rounds.every(Duration.ofMillis(1_500), name, work);
        return threads.timers.get(threads.timers.size() - 1);
    }

    @Test
    void every_timeComes_worksOnAWorker() {
        HandThreads.Timer timer = every("access", () -> done.add("access"));
        assertTrue(timer.repeats);
        assertEquals(Duration.ofMillis(1_500), timer.delay);
        timer.fire();
        assertEquals(List.of(), done, "the timer's thread only starts work");
        threads.runAll();
        timer.fire();
        threads.runAll();
        assertEquals(List.of("access", "access"), done);
    }

    @Test
    void every_lastRoundStillGoesOn_isLeftOut() {
        HandThreads.Timer slow = every("slow", () -> done.add("slow"));
        HandThreads.Timer other = every("other", () -> done.add("other"));
        slow.fire();
        slow.fire();
        other.fire();
        assertEquals(2, threads.waiting(), "one kind does not hold up another");
        threads.runAll();
        assertEquals(List.of("slow", "other"), done);
        slow.fire();
        threads.runAll();
        assertEquals(List.of("slow", "other", "slow"), done);
    }

    @Test
    void every_roundFails_comesAgain() {
        HandThreads.Timer timer = every("heads", () -> {
            done.add("heads");
            throw new IllegalStateException("as the test wants");
        });
        timer.fire();
        threads.runAll();
        timer.fire();
        threads.runAll();
        assertEquals(2, done.size());
    }

    @Test
    void every_roundEndsWithAnError_comesAgain() {
        HandThreads.Timer timer = every("heads", () -> {
            done.add("heads");
            throw new AssertionError("as the test wants");
        });
        timer.fire();
        assertThrows(AssertionError.class, threads::runAll);
        timer.fire();
        assertThrows(AssertionError.class, threads::runAll);
        assertEquals(2, done.size());
    }

    @Test
    void every_workersReject_comesAgain() {
        HandThreads.Timer timer = every("tick", () -> done.add("tick"));
        threads.rejects = true;
        timer.fire();
        threads.rejects = false;
        timer.fire();
        threads.runAll();
        assertEquals(List.of("tick"), done);
    }

    /** A timer whose task throws never fires again: nothing would be pinged, and no access looked at, for ever. */
    @Test
    void every_noThreadForAMoment_comesAgain() {
        HandThreads.Timer timer = every("access", () -> done.add("access"));
        threads.noThread = true;
        timer.fire();
        threads.noThread = false;
        timer.fire();
        threads.runAll();
        assertEquals(List.of("access"), done);
    }

    /** Law 5: watchdogs and pings do not wait behind a database. */
    @Test
    void everyLive_workersAreBusy_worksOnAPump() {
        rounds.everyLive(Duration.ofSeconds(1), "tick", () -> done.add("tick"));
        threads.timers.get(0).fire();
        assertEquals(0, threads.waiting());
        threads.pumping.remove().run();
        assertEquals(List.of("tick"), done);
    }

    @Test
    void stop_timersEndAndWhatWaitsIsNotBegun() {
        HandThreads.Timer timer = every("tick", () -> done.add("tick"));
        HandThreads.Timer other = every("heads", () -> done.add("heads"));
        timer.fire();
        rounds.stop();
        threads.runAll();
        other.task.run();
        threads.runAll();
        assertTrue(timer.cancelled && other.cancelled);
        assertEquals(List.of(), done);
    }
}
