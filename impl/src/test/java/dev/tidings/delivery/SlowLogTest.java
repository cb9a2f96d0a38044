package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.event.EntriesStored;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Law 5: what is shown live does not wait for reads of the log. */
class SlowLogTest {
    private final SimExecutor executor = new SimExecutor(new Random(1), false);
    private final SimLog log = new SimLog(4, () -> {});
    private final Deque<Runnable> reads = new ArrayDeque<>();
    private final Delivery delivery =
            new Delivery(EngineFixture.limits(100, 10_000, 1_000), log, executor, reads::addLast, () -> 1_000_000_000L);
    private final EngineFixture shared = new EngineFixture();

    @Test
    void store_noReadEnds_watcherGetsWhatIsStored() {
        log.append(EngineFixture.KEY, 2);
        EngineFixture.Socket watcher = watch(2);
        readAll();
        EngineFixture.Socket late = watch(0);
        delivery.stored(new EntriesStored(EngineFixture.KEY, log.append(EngineFixture.KEY, 1)));
        executor.runAll();
        assertEquals(1, reads.size(), "the page of the one that is behind");
        assertEquals(List.of("e3"), watcher.got);
        assertEquals(List.of(), late.got);
        readAll();
        assertEquals(List.of("e1", "e2", "e3"), late.got);
    }

    private EngineFixture.Socket watch(long after) {
        EngineFixture.Socket socket = shared.socket();
        delivery.open(socket).subscribe(shared.channel, shared.gate).start(after, List.of(), Map.of());
        executor.runAll();
        return socket;
    }

    private void readAll() {
        while (!reads.isEmpty()) {
            reads.removeFirst().run();
            executor.runAll();
        }
    }
}
