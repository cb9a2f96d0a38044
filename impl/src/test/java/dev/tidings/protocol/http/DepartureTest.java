package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.AsyncContext;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A request that is given back is nobody's any more: its container's thread must be out of it by then. Threads: one. */
class DepartureTest {
    private final List<String> calls = new ArrayList<>();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Deque<Runnable> timers = new ArrayDeque<>();
    private boolean timerRuns = true;
    private boolean left;
    private boolean ended;

    private AsyncContext context(Class<? extends AsyncContext> type) {
        return (AsyncContext) Proxy.newProxyInstance(
                DepartureTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "getTimeout":
                            return 7L;
                        case "setTimeout":
                            if (left) {
                                throw new IllegalStateException("returned to the container");
                            }
                            calls.add("timeout " + arguments[0]);
                            return null;
                        case "complete":
                            if (ended) {
                                throw new IllegalStateException("ended");
                            }
                            calls.add("complete");
                            return null;
                        default:
                            return null;
                    }
                });
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    private void runTimers() {
        for (Runnable timer = timers.poll(); timer != null; timer = timers.poll()) {
            timer.run();
        }
    }

    private Departure of(AsyncContext context) {
        return new Departure(context, tasks::add, (after, task) -> timerRuns && timers.add(task));
    }

    /** It is known by its name alone: its classes are nowhere to be compiled against. */
    private Departure ofPayara() {
        try {
            Class<?> type = Class.forName("org.apache.catalina.connector.OfPayara");
            return of(context(type.asSubclass(AsyncContext.class)));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void complete_aContainerThatSeesToItItself_atOnce() {
        of(context(AsyncContext.class)).complete();
        assertEquals(List.of("complete"), calls);
    }

    @Test
    void complete_ofPayaraAndItsThreadIsInTheRequest_waitsUntilItHasLeft() {
        ofPayara().complete();
        timers.remove().run();
        runTasks();
        // The timeout stays as it was.
        assertEquals(List.of("timeout 7", "timeout 7"), calls);
        left = true;
        timers.remove().run();
        runTasks();
        assertEquals(2, calls.size(), "the thread leaves its mark a moment later");
        timers.remove().run();
        assertEquals(2, calls.size(), "on another thread than the one that looks");
        runTasks();
        assertEquals("complete", calls.get(2));
        assertEquals(0, timers.size());
    }

    @Test
    void complete_aVersionThatNeverForbidsTheTimeout_isCompletedInTheEnd() {
        ofPayara().complete();
        runTimers();
        runTasks();
        assertEquals("complete", calls.get(calls.size() - 1));
        assertEquals(2_001, calls.size());
    }

    /** The container would answer it by itself behind the listener. */
    @Test
    void completeNow_ofPayara_isCompletedOnTheSpotAndOnce() {
        Departure departure = ofPayara();
        departure.complete();
        departure.completeNow();
        assertEquals("complete", calls.get(calls.size() - 1));
        int sofar = calls.size();
        left = true;
        runTimers();
        runTasks();
        assertEquals(sofar, calls.size());
    }

    @Test
    void complete_theTimersStop_isCompletedAllTheSame() {
        timerRuns = false;
        ofPayara().complete();
        runTasks();
        assertEquals("complete", calls.get(calls.size() - 1));
    }

    @Test
    void completed_byTheContainerMeanwhile_nothingMoreIsDone() {
        Departure departure = ofPayara();
        departure.complete();
        departure.completed();
        left = true;
        runTimers();
        runTasks();
        assertEquals(List.of("timeout 7"), calls);
    }

    @Test
    void complete_theContainerEndedItUntold_isNoFault() {
        left = true;
        ended = true;
        ofPayara().complete();
        runTimers();
        runTasks();
        assertEquals(List.of(), calls);
    }
}
