package dev.tidings.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.event.Signal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Law 4: what waits is bounded in bytes; a partial of which something was lost is a prefix, never a hole. */
class DispatcherSignalsTest {
    private static final int ROOM = 10_000;

    private final List<Runnable> tasks = new ArrayList<>();
    private final List<Object> shown = new ArrayList<>();
    private final Dispatcher dispatcher = new Dispatcher(tasks::add, shown::add, ROOM);

    @Test
    void enqueue_deltasBeyondTheBound_onlyAPrefixIsCarried() {
        List<Signal> deltas = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            deltas.add(Signal.Partial.text("s", "p", String.valueOf(i % 10).repeat(1000)));
            dispatcher.enqueue(List.of(deltas.get(i)));
        }
        runAll();
        assertEquals(deltas.subList(0, 4), shown, "2,256 bytes each");
    }

    @Test
    void enqueue_cutPartialGoesOnWithRoom_staysCutUntilItsEnd() {
        Signal large = Signal.Partial.text("s", "p", "x".repeat(ROOM));
        Signal done = Signal.Partial.done("s", "p");
        Signal again = Signal.Partial.text("s", "p", "anew");
        Signal other = Signal.Partial.text("s", "q", "other");
        for (Signal signal : List.of(large, Signal.Partial.text("s", "p", "small"), other, done, again)) {
            dispatcher.enqueue(List.of(signal));
        }
        runAll();
        assertEquals(List.of(other, done, again), shown);
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            tasks.remove(0).run();
        }
    }
}
