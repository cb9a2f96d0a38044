package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaterTest {
    private final HandThreads threads = new HandThreads();
    private final Later later = new Later(threads);
    private final List<String> done = new ArrayList<>();

    @Test
    void shortly_timeComes_worksOnTheTimersThread() {
        later.shortly(Duration.ofMillis(20), () -> done.add("a"));
        assertEquals(Duration.ofMillis(20), threads.timers.get(0).delay);
        assertEquals(false, threads.timers.get(0).repeats);
        threads.timers.get(0).fire();
        assertEquals(List.of("a"), done);
    }

    @Test
    void onAWorker_timeComes_worksOnAWorker() {
        later.onAWorker(Duration.ofSeconds(1), () -> done.add("a"));
        threads.timers.get(0).fire();
        assertEquals(List.of(), done, "what may block must not hold up the timers");
        threads.runAll();
        assertEquals(List.of("a"), done);
    }

    @Test
    void shortly_timersStop_nothingIsDoneAndNobodyMinds() {
        threads.rejects = true;
        later.shortly(Duration.ofMillis(20), () -> done.add("a"));
        later.onAWorker(Duration.ofMillis(20), () -> done.add("b"));
        assertEquals(List.of(), threads.timers);
    }

    @Test
    void onAWorker_workersStopMeanwhile_nothingIsDoneAndNobodyMinds() {
        later.onAWorker(Duration.ofMillis(20), () -> done.add("a"));
        threads.rejects = true;
        threads.timers.get(0).fire();
        threads.runAll();
        assertEquals(List.of(), done);
    }

    /** Law 10: what a run's writer waits for is not lost because a host's pool was full for a moment. */
    @Test
    void onAWorker_workersAreFull_doneWhenThereIsRoom() {
        threads.workersFull = true;
        later.onAWorker(Duration.ofMillis(20), () -> done.add("a"));
        threads.timers.get(0).fire();
        assertEquals(List.of(), done);
        assertEquals(2, threads.timers.size(), "it is tried again");

        threads.workersFull = false;
        threads.timers.get(1).fire();
        threads.runAll();
        assertEquals(List.of("a"), done);
    }
}
