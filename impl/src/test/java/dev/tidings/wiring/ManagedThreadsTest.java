package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nothing of an application may stay behind in its server. */
class ManagedThreadsTest {
    private final AtomicInteger threadsMade = new AtomicInteger();
    private final ManagedThreads threads =
            new ManagedThreads(HandThreads.proxy(ManagedThreadFactory.class, (name, arguments) -> {
                threadsMade.incrementAndGet();
                return new Thread((Runnable) arguments[0]);
            }));
    private final ScheduledThreadPoolExecutor timers = (ScheduledThreadPoolExecutor) threads.timers();

    @AfterEach
    void stop() {
        threads.stop();
    }

    @Test
    void timers_fireOnAThreadOfTheContainer() throws InterruptedException {
        CountDownLatch fired = new CountDownLatch(1);
        Future<?> unused = timers.schedule(fired::countDown, 1, TimeUnit.MILLISECONDS);
        assertTrue(fired.await(20, TimeUnit.SECONDS));
        assertEquals(1, threadsMade.get());
    }

    /** A turn that ended long before its timeout. */
    @Test
    void timer_cancelled_isNotKept() {
        Future<?> timeout = timers.schedule(() -> {}, 7, TimeUnit.DAYS);
        assertEquals(1, timers.getQueue().size());
        timeout.cancel(false);
        assertEquals(0, timers.getQueue().size());
    }

    @Test
    void stop_timersUnderWay_areForgottenAndTheThreadEnds() throws InterruptedException {
        Future<?> unused = timers.schedule(() -> {}, 7, TimeUnit.DAYS);
        threads.stop();
        assertEquals(0, timers.getQueue().size());
        assertTrue(timers.awaitTermination(20, TimeUnit.SECONDS));
        assertThrows(RejectedExecutionException.class, () -> timers.schedule(() -> {}, 1, TimeUnit.DAYS));
    }
}
