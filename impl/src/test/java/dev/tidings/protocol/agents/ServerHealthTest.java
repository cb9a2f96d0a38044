package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tidings.runs.Deadlines;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.NodeHealth.State;
import dev.tidings.testkit.InMemoryTidings;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Law 4: a node is not unavailable for longer than its database is. */
class ServerHealthTest {
    private final List<Runnable> looks = new ArrayList<>();
    private final List<Runnable> deadlines = new ArrayList<>();
    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1) {
        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            deadlines.add(task);
            return super.schedule(task, 1, TimeUnit.DAYS);
        }
    };
    private final InMemoryTidings tidings = new InMemoryTidings();
    private Runnable whileItHangs = () -> {};
    private final ServerHealth health =
            new ServerHealth(hangingLog(), looks::add, new Deadlines(timers), InstantSource.system());

    private EventLog hangingLog() {
        return (EventLog) Proxy.newProxyInstance(
                EventLog.class.getClassLoader(), new Class<?>[] {EventLog.class}, (self, method, arguments) -> {
                    if (method.getName().equals("head")) {
                        whileItHangs.run();
                    }
                    return method.invoke(tidings.log(), arguments);
                });
    }

    @AfterEach
    void stop() {
        timers.shutdownNow();
    }

    private CompletableFuture<State> ask() {
        return health.state().toCompletableFuture();
    }

    private void timeIsUp() {
        List.copyOf(deadlines).forEach(Runnable::run);
    }

    /** A container may lose a task with the thread that it started for it. */
    @Test
    void state_lookIsLost_unavailableThisTimeAndReadyTheNext() {
        CompletableFuture<State> first = ask();
        CompletableFuture<State> same = ask();
        assertEquals(1, looks.size(), "one look for all who ask meanwhile");
        timeIsUp();
        assertEquals(List.of(State.UNAVAILABLE, State.UNAVAILABLE), List.of(first.join(), same.join()));

        CompletableFuture<State> next = ask();
        assertEquals(2, looks.size());
        looks.get(1).run();
        assertEquals(State.READY, next.join());
    }

    /** It was not lost, the workers were busy: what nobody waits for is not asked of a database that has enough to do. */
    @Test
    void state_lookBeginsWhenGivenUp_doesNothing() {
        CompletableFuture<State> first = ask();
        timeIsUp();
        looks.get(0).run();
        assertEquals(State.UNAVAILABLE, first.join());
        CompletableFuture<State> next = ask();
        assertEquals(2, looks.size());
        looks.get(0).run();
        assertFalse(next.isDone());
        looks.get(1).run();
        assertEquals(State.READY, next.join());
    }

    /** Given up by who asked first, but somebody has come since: who comes late need not wait for the whole patience. */
    @Test
    void state_lookBeginsWhenGivenUpByTheFirst_isTheLookOfWhoCameLate() {
        CompletableFuture<State> first = ask();
        Runnable itsTime = deadlines.get(0);
        CompletableFuture<State> late = ask();
        itsTime.run();
        assertEquals(State.UNAVAILABLE, first.join());
        looks.get(0).run();
        assertEquals(State.READY, late.getNow(State.UNAVAILABLE));
    }

    /** A database that hangs holds one worker, not one a question. */
    @Test
    void state_lookHangs_isTheOneLookOfAll() {
        CompletableFuture<State> first = ask();
        List<CompletableFuture<State>> later = new ArrayList<>();
        whileItHangs = () -> {
            timeIsUp();
            later.add(ask());
        };
        looks.get(0).run();
        assertEquals(State.UNAVAILABLE, first.join());
        assertEquals(1, looks.size());
        assertEquals(State.READY, later.get(0).join());
    }
}
