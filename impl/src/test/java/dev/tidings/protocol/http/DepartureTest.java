package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.AsyncContext;
import java.lang.reflect.Proxy;
import java.time.Duration;
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
    private final Departure departure = new Departure(tasks::add, (Duration after, Runnable task) -> timers.add(task));
    private boolean left;
    private boolean ended;

    private final AsyncContext context = context(AsyncContext.class);

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

    @Test
    void complete_aContainerThatSeesToItItself_atOnce() {
        departure.complete(context);
        assertEquals(List.of("complete"), calls);
    }

    /** It is known by its name alone: its classes are nowhere to be compiled against. */
    @Test
    void complete_ofPayaraAndItsThreadIsInTheRequest_waitsUntilItHasLeft() throws ClassNotFoundException {
        Class<?> type = Class.forName("org.apache.catalina.connector.OfPayara");
        departure.complete(context(type.asSubclass(AsyncContext.class)));
        runTasks();
        assertEquals(List.of("timeout 7"), calls);
        left = true;
        timers.remove().run();
        runTasks();
        assertEquals(List.of("timeout 7", "complete"), calls);
    }

    @Test
    void look_threadIsInTheRequest_waitsUntilItHasLeft() {
        departure.look(context, 10);
        runTasks();
        timers.remove().run();
        runTasks();
        // The timeout stays as it was.
        assertEquals(List.of("timeout 7", "timeout 7"), calls);
        left = true;
        timers.remove().run();
        assertEquals(2, calls.size(), "on another thread than the one that looks");
        runTasks();
        assertEquals("complete", calls.get(2));
        assertEquals(0, timers.size());
    }

    @Test
    void look_aVersionThatNeverForbidsTheTimeout_isCompletedInTheEnd() {
        departure.look(context, 3);
        while (!timers.isEmpty()) {
            timers.remove().run();
        }
        runTasks();
        assertEquals(List.of("timeout 7", "timeout 7", "timeout 7", "complete"), calls);
    }

    @Test
    void look_theContainerEndedItMeanwhile_isNoFault() {
        left = true;
        ended = true;
        departure.look(context, 3);
        runTasks();
        assertEquals(List.of(), calls);
    }
}
