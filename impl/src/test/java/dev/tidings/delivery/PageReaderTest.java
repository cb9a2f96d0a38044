package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidings.StreamKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Laws 4 and 5: pages are read once for many, a few at once, and never in a busy loop. */
class PageReaderTest {
    private final EngineFixture engine = new EngineFixture();

    /** A reconnect storm: many sockets with one cursor. */
    @Test
    void request_manyWantTheSamePage_readAndTranslatedOnce() {
        engine.append(8);
        EngineFixture.Socket[] sockets = new EngineFixture.Socket[50];
        for (int i = 0; i < sockets.length; i++) {
            sockets[i] = engine.socket();
            sockets[i].watch(0);
        }
        engine.settle();
        for (EngineFixture.Socket socket : sockets) {
            assertEquals("e1 e2 e3 e4 e5 e6 e7 e8", socket.text());
        }
        assertEquals(1, engine.log.headReads);
        // Whoever asks when the page has just come gets it too.
        assertEquals(1, engine.log.reads);
        assertEquals(8, engine.translated);
    }

    @Test
    void request_logFails_triedAgainAfterAWhileOnly() {
        engine.append(2);
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        engine.settle();
        engine.log.failing = true;
        subscription.start(0, List.of(), Map.of());
        engine.settle();
        assertEquals(1, engine.log.reads);
        engine.pass(Duration.ofMillis(499));
        assertEquals(1, engine.log.reads);
        engine.pass(Duration.ofMillis(1));
        assertEquals(2, engine.log.reads);
        engine.log.failing = false;
        engine.pass(Duration.ofMillis(500));
        assertEquals("e1 e2", socket.text());
        assertEquals(0, engine.delivery.pageReads());
    }

    /** A read that ran out of memory must not keep its place: everybody at that position would wait for ever. */
    @Test
    void request_logRunsOutOfMemory_triedAgain() {
        engine.append(2);
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        engine.settle();
        engine.log.outOfMemory = true;
        subscription.start(0, List.of(), Map.of());
        engine.settle();
        engine.log.outOfMemory = false;
        engine.pass(Duration.ofMillis(500));
        assertEquals("e1 e2", socket.text());
        assertEquals(0, engine.delivery.pageReads());
    }

    @Test
    void request_waiterIsGone_notTriedAgain() {
        engine.append(2);
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        engine.settle();
        engine.log.failing = true;
        subscription.start(0, List.of(), Map.of());
        engine.settle();
        socket.outbox.closed();
        engine.pass(Duration.ofSeconds(1));
        assertEquals(1, engine.log.reads);
        assertEquals(0, engine.delivery.pageReads());
    }

    /** The log says that it reaches further than it can show, as a replica that lags does. */
    @Test
    void request_pageEmpty_triedAgainAfterAWhileOnly() {
        EngineFixture.Socket socket = engine.watching(0);
        List<dev.tidings.StoredEntry> future =
                List.of(SimLog.entry(EngineFixture.KEY, 2), SimLog.entry(EngineFixture.KEY, 3));
        engine.hint(future);
        engine.settle();
        assertEquals(1, engine.log.reads);
        engine.append(3);
        engine.pass(Duration.ofMillis(500));
        assertEquals("e1 e2 e3", socket.text());
    }

    @Test
    void request_manyStreams_onlySoManyAtOnce() {
        EngineFixture busy = new EngineFixture();
        EngineFixture.Socket socket = busy.socket();
        for (int i = 0; i < 10; i++) {
            StreamKey key = StreamKey.run("r" + i);
            busy.log.append(key, 3);
            socket.outbox
                    .subscribe(new Channel(busy.translator, key), busy.gate)
                    .start(0, List.of(), Map.of());
        }
        // The log itself checks how many reads it sees at once.
        busy.settle();
        assertEquals(30, socket.got.size());
        assertEquals(10, busy.log.reads);
    }

    /** Law 5: the others wait in line without a thread. */
    @Test
    void readLanes_moreReadsThanLanes_onlySoManyHaveATask() {
        Deque<Runnable> tasks = new ArrayDeque<>();
        Trouble trouble = new Trouble(new Tally());
        ReadLanes lanes = new ReadLanes(2, new Tasks(tasks::add, trouble, 1), trouble);
        List<Integer> beside = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            lanes.submit(() -> {
                lanes.tick();
                beside.add(tasks.size());
            });
        }
        assertEquals(2, tasks.size());
        tasks.remove().run();
        assertEquals(2, tasks.size());
        tasks.remove().run();
        tasks.remove().run();
        tasks.remove().run();
        assertEquals(1, tasks.size());
        assertEquals(List.of(1, 1, 1, 1), beside, "while one is read, one may begin beside it");
    }

    @Test
    void readLanes_executorRefuses_goesOnAtTheNextTick() {
        boolean[] full = {true};
        Trouble trouble = new Trouble(new Tally());
        Tasks tasks = new Tasks(
                task -> {
                    if (full[0]) {
                        throw new java.util.concurrent.RejectedExecutionException();
                    }
                    task.run();
                },
                trouble,
                1);
        ReadLanes lanes = new ReadLanes(1, tasks, trouble);
        int[] ran = {0};
        lanes.submit(() -> ran[0]++);
        assertEquals(0, ran[0]);
        full[0] = false;
        lanes.tick();
        assertEquals(1, ran[0]);
    }
}
