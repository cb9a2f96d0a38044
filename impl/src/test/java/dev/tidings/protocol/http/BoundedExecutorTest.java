package dev.tidings.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class BoundedExecutorTest {
    private final Queue<Runnable> hand = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private final List<Runnable> dropped = new ArrayList<>();
    private final BoundedExecutor bounded = new BoundedExecutor(hand::add, 2, dropped::add);

    private void runAll() {
        for (Runnable task = hand.poll(); task != null; task = hand.poll()) {
            task.run();
        }
    }

    @Test
    void execute_more_waitTheirTurnInOrder() {
        for (String name : List.of("a", "b", "c", "d")) {
            bounded.execute(() -> done.add(name));
        }
        assertEquals(2, hand.size());
        hand.remove().run();
        assertEquals(2, hand.size());
        runAll();
        assertEquals(List.of("a", "b", "c", "d"), done);
    }

    @Test
    void execute_taskFails_givesItsPlaceOn() {
        for (int i = 0; i < 3; i++) {
            bounded.execute(() -> {
                throw new IllegalStateException("broken");
            });
        }
        bounded.execute(() -> done.add("last"));
        for (int i = 0; i < 4; i++) {
            try {
                hand.remove().run();
            } catch (IllegalStateException broken) {
                // As a pool would: the task is over.
            }
        }
        assertEquals(List.of("last"), done);
    }

    /** Who waits here must not wait for ever: it is told of each task that will never run. */
    @Test
    void execute_poolTakesNoMore_tellsOfWhatWaits() {
        boolean[] full = {false};
        BoundedExecutor one = new BoundedExecutor(
                task -> {
                    if (full[0]) {
                        throw new RejectedExecutionException("as the test wants");
                    }
                    hand.add(task);
                },
                1,
                dropped::add);
        Runnable second = () -> done.add("second");
        Runnable third = () -> done.add("third");
        one.execute(() -> done.add("first"));
        one.execute(second);
        one.execute(third);
        full[0] = true;
        runAll();
        assertEquals(List.of("first"), done);
        assertEquals(List.of(third, second), dropped);
        assertThrows(RejectedExecutionException.class, () -> one.execute(() -> done.add("fourth")));
        full[0] = false;
        one.execute(() -> done.add("fifth"));
        runAll();
        assertEquals(List.of("first", "fifth"), done);
    }

    /** A pool that cannot start a thread says so with an error, for a moment. */
    @Test
    void execute_poolHasNoThread_losesNoPlace() {
        boolean[] noThread = {true};
        BoundedExecutor one = new BoundedExecutor(
                task -> {
                    if (noThread[0]) {
                        throw new OutOfMemoryError("as the test wants");
                    }
                    hand.add(task);
                },
                1,
                dropped::add);
        assertThrows(OutOfMemoryError.class, () -> one.execute(() -> done.add("lost")));
        noThread[0] = false;
        one.execute(() -> done.add("a"));
        one.execute(() -> done.add("b"));
        noThread[0] = true;
        runAll();
        noThread[0] = false;
        one.execute(() -> done.add("c"));
        runAll();
        assertEquals(List.of("a", "b", "c"), done);
    }
}
