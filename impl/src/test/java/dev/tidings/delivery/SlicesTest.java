package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many sockets that are woken at once: few tasks, each socket in one go, and nobody waits for anybody else. */
class SlicesTest {
    private final EngineFixture engine = new EngineFixture();

    // Kept here, since the logging system forgets loggers that nobody holds.
    private final Logger log = Logger.getLogger("dev.tidings.delivery");

    @BeforeEach
    void silenceLog() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void restore() {
        log.setLevel(null);
        EngineLock.meanwhile(() -> {});
    }

    private List<EngineFixture.Socket> watching(int count, boolean prompt) {
        List<EngineFixture.Socket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EngineFixture.Socket socket = prompt ? engine.promptSocket() : engine.socket();
            socket.watch(0);
            sockets.add(socket);
        }
        engine.settle();
        return sockets;
    }

    /** Stores an entry and lets the stream wake everybody, and no more; gives how many tasks that made. */
    private int tasksOfAnEntry() {
        engine.store(1);
        assertEquals(1, engine.executor.size(), "the pump of the stream");
        engine.executor.runOne();
        return engine.executor.size();
    }

    @Test
    void wake_manyPromptSockets_noMoreTasksThanProcessors() {
        List<EngineFixture.Socket> sockets = watching(2 * Slices.MOST + 1, true);
        int helpers = Math.min(3, Math.min(8, Runtime.getRuntime().availableProcessors())) - 1;
        assertEquals(helpers, tasksOfAnEntry());
        engine.settle();
        sockets.forEach(socket -> assertEquals("e1", socket.text()));
    }

    @Test
    void wake_onePromptSocket_sentByWhoWakesIt() {
        List<EngineFixture.Socket> sockets = watching(1, true);
        assertEquals(0, tasksOfAnEntry());
        assertEquals("e1", sockets.get(0).text());
    }

    /** Law 5: a send that may hold its thread holds up nobody else's. */
    @Test
    void wake_socketsWhoseSendsMayWait_aTaskForEach() {
        List<EngineFixture.Socket> slow = watching(3, false);
        List<EngineFixture.Socket> prompt = watching(3, true);
        assertEquals(3, tasksOfAnEntry());
        engine.settle();
        slow.forEach(socket -> assertEquals("e1", socket.text()));
        prompt.forEach(socket -> assertEquals("e1", socket.text()));
    }

    /** Law 5: who has much to be sent has one batch, then the others have theirs. */
    @Test
    void slice_socketWithManyBatches_othersGoBeforeItsSecond() {
        EngineFixture small = new EngineFixture(EngineFixture.limits(100, 10_000, 8));
        List<String> order = new ArrayList<>();
        List<EngineFixture.Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            EngineFixture.Socket socket = small.promptSocket();
            int number = i;
            socket.whileSending = () -> order.add("s" + number);
            socket.watch(0);
            sockets.add(socket);
        }
        small.settle();
        small.store(12);
        small.settle();
        assertEquals(List.of("s0", "s1", "s2"), order.subList(0, 3));
        assertTrue(order.size() > 3, "several batches each");
        sockets.forEach(socket -> assertEquals("e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12", socket.text()));
    }

    /** Law 7: a send that is in flight when its slice goes on is followed by the next one when it ends. */
    @Test
    void slice_sendStaysInFlight_othersGetTheirsAndItGoesOnLater() {
        List<EngineFixture.Socket> sockets = watching(3, true);
        sockets.get(0).stalled = true;
        engine.store(1);
        engine.settle();
        engine.store(1);
        engine.settle();
        assertEquals("e1", sockets.get(0).text());
        assertEquals("e1 e2", sockets.get(1).text());
        assertEquals("e1 e2", sockets.get(2).text());
        sockets.get(0).flow();
        engine.settle();
        assertEquals("e1 e2", sockets.get(0).text());
    }

    /** One bad sink costs its own socket alone. */
    @Test
    void slice_aSinkThrows_othersGetTheirs() {
        List<EngineFixture.Socket> sockets = watching(3, true);
        sockets.get(1).whileSending = () -> {
            throw new MadeUp.OutOfMemory();
        };
        engine.store(1);
        engine.settle();
        assertEquals("e1", sockets.get(0).text());
        assertEquals("e1", sockets.get(2).text());
        assertTrue(
                sockets.get(1).calls.contains("abort SLOW"),
                sockets.get(1).calls.toString());
    }

    /** A socket that cannot be woken keeps nobody else of its slice from being sent to, and is woken again. */
    @Test
    void slice_aSocketCannotBeWoken_othersGetTheirsAndItAtTheNextTick() {
        List<EngineFixture.Socket> sockets = watching(3, true);
        boolean[] due = {true};
        // The lock that is taken behind the first send is that of the first socket; the next one is of the second.
        sockets.get(0).whileSending = () -> {
            int[] locks = {2};
            EngineLock.meanwhile(() -> {
                if (due[0] && --locks[0] == 0) {
                    due[0] = false;
                    throw new MadeUp.OutOfMemory();
                }
            });
        };
        engine.store(1);
        engine.settle();
        assertEquals(
                List.of("e1", "", "e1"),
                sockets.stream().map(EngineFixture.Socket::text).toList());
        assertTrue(engine.value(Counter.FAULTS) > 0);
        engine.pass(Duration.ofSeconds(1));
        assertEquals("e1", sockets.get(1).text());
    }

    /** Nothing that was promised is forgotten: the tick sees to it. */
    @Test
    void slice_executorRefusesIt_sentAfterTheNextTick() {
        List<EngineFixture.Socket> sockets = watching(3, true);
        engine.store(1);
        engine.executor.refuseAll = true;
        engine.executor.runOne();
        engine.executor.refuseAll = false;
        assertEquals(0, engine.executor.size());
        engine.pass(Duration.ofSeconds(1));
        sockets.forEach(socket -> assertEquals("e1", socket.text()));
    }
}
