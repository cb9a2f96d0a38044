package dev.tidings.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DeadlinesTest {
    private static final Duration NEVER = Duration.ofDays(1);

    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1);
    private final Deadlines deadlines = new Deadlines(timers);

    @AfterEach
    void stop() {
        timers.shutdownNow();
    }

    @Test
    void complete_notInTime_hasTheValue() throws Exception {
        assertEquals(
                "late",
                deadlines
                        .complete(new CompletableFuture<>(), "late", Duration.ZERO)
                        .get(1, TimeUnit.MINUTES));
    }

    @Test
    void fail_notInTime_throwsTimeout() {
        CompletableFuture<String> waiting = deadlines.fail(new CompletableFuture<>(), Duration.ZERO);
        ExecutionException failure = assertThrows(ExecutionException.class, () -> waiting.get(1, TimeUnit.MINUTES));
        assertInstanceOf(TimeoutException.class, failure.getCause());
    }

    @Test
    void complete_inTime_leavesNoTimer() {
        timers.setRemoveOnCancelPolicy(true);
        CompletableFuture<String> waiting = deadlines.complete(new CompletableFuture<>(), "late", NEVER);
        assertEquals(1, timers.getQueue().size());
        waiting.complete("in time");
        assertEquals("in time", waiting.join());
        assertTrue(timers.getQueue().isEmpty());
    }

    @Test
    void timersStopped_nothingEnds() {
        timers.shutdownNow();
        assertFalse(deadlines.fail(new CompletableFuture<>(), Duration.ZERO).isDone());
    }
}
