package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.StoredEntry;
import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors leave no stream and no socket stuck: what failed is dropped or done again, and the loop goes on. */
class SurvivalTest {
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

    /** The next time that a method is about to take a lock it fails instead. */
    private static void failOnceIn(String method) {
        boolean[] failed = {false};
        EngineLock.meanwhile(() -> {
            boolean inside = StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getMethodName().equals(method)));
            if (inside && !failed[0]) {
                failed[0] = true;
                throw new MadeUp.OutOfMemory();
            }
        });
    }

    /** Nothing new has come by then: whoever was not woken is woken all the same. */
    @Test
    void wake_failsOnce_wokenByTheNextTick() {
        EngineFixture.Socket socket = engine.watching(0);
        failOnceIn("wake");
        engine.store(1);
        engine.settle();
        assertEquals("", socket.text());
        engine.pass(Duration.ofSeconds(1));
        assertEquals("e1", socket.text());
    }

    /** Without its head a stream would show no signal, ever. */
    @Test
    void headLearnt_failsOnce_headIsReadAgain() {
        EngineFixture.Socket socket = engine.socket();
        socket.watch(0);
        failOnceIn("headLearnt");
        engine.settle();
        assertEquals(1, engine.log.headReads);
        engine.signal("before", null, false);
        engine.pass(Duration.ofMillis(600));
        assertEquals(2, engine.log.headReads);
        engine.signal("after", null, false);
        engine.settle();
        assertEquals("before after", socket.text());
    }

    /** A translator that fails once at a position, or whenever it is shown it. */
    private final class Failing implements Translator {
        private final long position;
        private final boolean always;
        private final Error error;
        private boolean failed;

        Failing(long position, boolean always, Error error) {
            this.position = position;
            this.always = always;
            this.error = error;
        }

        @Override
        public List<Frame> frames(StoredEntry entry) {
            if (entry.position() == position && (always || !failed)) {
                failed = true;
                throw error;
            }
            return List.of(Frame.ofText("e" + entry.position()));
        }
    }

    private EngineFixture.Socket watching(Translator translator) {
        EngineFixture.Socket socket = engine.socket();
        socket.outbox
                .subscribe(new Channel(translator, EngineFixture.KEY), engine.gate)
                .start(0, List.of(), Map.of());
        engine.settle();
        return socket;
    }

    /** Memory is short for a moment: the entry is read and shown again (law 1). */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7})
    void translator_outOfMemoryOnce_nothingIsMissing(int position) {
        EngineFixture.Socket socket = watching(new Failing(position, false, new MadeUp.OutOfMemory()));
        for (int i = 0; i < 7; i++) {
            engine.store(1);
            engine.settle();
        }
        engine.pass(Duration.ofSeconds(1));
        engine.pass(Duration.ofSeconds(1));
        assertEquals("e1 e2 e3 e4 e5 e6 e7", socket.text());
        assertTrue(engine.value(Counter.FAULTS) > 0);
    }

    /** The same in a page, for one who is behind. */
    @Test
    void translator_outOfMemoryInAPage_pageIsReadAgain() {
        engine.append(5);
        EngineFixture.Socket socket = watching(new Failing(4, false, new MadeUp.OutOfMemory()));
        engine.pass(Duration.ofMillis(500));
        assertEquals("e1 e2 e3 e4 e5", socket.text());
    }

    /** An event that this code cannot show, ever: passed over like one that makes it throw an exception. */
    @Test
    void translator_linkageErrorAlways_eventIsPassedOver() {
        EngineFixture.Socket socket = watching(new Failing(2, true, new MadeUp.Linkage()));
        engine.store(4);
        engine.settle();
        assertEquals("e1 e3 e4", socket.text());
    }

    @Test
    void translator_linkageErrorInAPage_eventIsPassedOver() {
        engine.append(4);
        EngineFixture.Socket socket = watching(new Failing(2, true, new MadeUp.Linkage()));
        engine.settle();
        assertEquals("e1 e3 e4", socket.text());
    }

    /** An error of no known kind is a fault of the moment: no busy loop, and everything in the end. */
    @Test
    void translator_unknownErrorOnce_nothingIsMissing() {
        EngineFixture.Socket socket = watching(new Failing(2, false, new MadeUp.Broken()));
        engine.store(4);
        engine.settle();
        int reads = engine.log.reads;
        engine.pass(Duration.ofMillis(600));
        engine.pass(Duration.ofMillis(600));
        assertEquals("e1 e2 e3 e4", socket.text());
        assertTrue(reads <= 2, reads + " reads before any time passed");
    }

    private static final class BrokenSink implements Sink {
        final List<String> calls = new ArrayList<>();

        @Override
        public void send(List<Frame> batch, Completion completion) {
            calls.add("send");
            throw new MadeUp.Broken();
        }

        @Override
        public int copies() {
            return 0;
        }

        @Override
        public boolean prompt() {
            return false;
        }

        @Override
        public void ping(Completion completion) {
            calls.add("ping");
            throw new MadeUp.Broken();
        }

        @Override
        public void close(Disconnect reason) {
            calls.add("close");
            throw new MadeUp.Broken();
        }

        @Override
        public void abort(Disconnect reason) {
            calls.add("abort");
            throw new MadeUp.Broken();
        }
    }

    @Test
    void sink_throwsAnErrorOnSend_socketIsFreedOthersGoOn() {
        BrokenSink broken = new BrokenSink();
        Outbox outbox = engine.delivery.open(broken);
        outbox.subscribe(engine.channel, engine.gate).start(0, List.of(), Map.of());
        EngineFixture.Socket socket = engine.watching(0);
        engine.store(2);
        engine.settle();
        assertEquals(List.of("send", "abort"), broken.calls);
        assertEquals(1, engine.delivery.sockets());
        assertEquals("e1 e2", socket.text());
        engine.store(1);
        engine.settle();
        assertEquals("e1 e2 e3", socket.text());
        assertEquals(1, engine.gate.size());
    }

    @Test
    void sink_throwsAnErrorOnPingAndClose_socketIsFreed() {
        BrokenSink pinged = new BrokenSink();
        engine.delivery.open(pinged);
        engine.pass(Duration.ofSeconds(15));
        assertEquals(List.of("ping", "abort"), pinged.calls);
        BrokenSink closed = new BrokenSink();
        engine.delivery.open(closed).disconnect(Disconnect.UNBOUND);
        engine.settle();
        engine.pass(Duration.ofSeconds(21));
        assertEquals(List.of("close", "abort"), closed.calls);
        assertEquals(0, engine.delivery.sockets());
    }

    /** An executor that cannot start a thread says so with an error; the next tick does what was left. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void executor_refusesForAWhile_everythingComesAfterATick(boolean withAnError) {
        SimExecutor tasks = new SimExecutor(new Random(2), false);
        boolean[] full = {false};
        Executor executor = task -> {
            if (full[0] && withAnError) {
                throw new MadeUp.OutOfMemory();
            } else if (full[0]) {
                throw new RejectedExecutionException();
            }
            tasks.execute(task);
        };
        SimLog entries = new SimLog(4, () -> {});
        long[] now = {1};
        Delivery delivery = new Delivery(EngineFixture.limits(100, 1_000, 1_000), entries, executor, () -> now[0]);
        List<String> got = new ArrayList<>();
        Outbox outbox = delivery.open(new Taking(got));
        outbox.subscribe(engine.channel, engine.gate).start(0, List.of(), Map.of());
        tasks.runAll();
        full[0] = true;
        delivery.stored(new dev.tidings.event.EntriesStored(EngineFixture.KEY, entries.append(EngineFixture.KEY, 3)));
        outbox.answer(Frame.ofText("a"));
        tasks.runAll();
        assertEquals(List.of(), got);
        full[0] = false;
        delivery.tick();
        tasks.runAll();
        delivery.tick();
        tasks.runAll();
        assertEquals(List.of("a", "e1", "e2", "e3"), got);
    }

    /** Takes everything at once. */
    private record Taking(List<String> got) implements Sink {
        @Override
        public void send(List<Frame> batch, Completion completion) {
            batch.forEach(frame -> got.add(frame.text()));
            completion.succeeded();
        }

        @Override
        public int copies() {
            return 0;
        }

        @Override
        public boolean prompt() {
            return false;
        }

        @Override
        public void ping(Completion completion) {
            completion.succeeded();
        }

        @Override
        public void close(Disconnect reason) {
            got.add("close " + reason);
        }

        @Override
        public void abort(Disconnect reason) {
            got.add("abort " + reason);
        }
    }

    /** The log answers with an error: heads are asked for again, pages too. */
    @Test
    void log_outOfMemoryForAWhile_signalsAndEntriesComeLater() {
        engine.append(2);
        engine.log.outOfMemory = true;
        EngineFixture.Socket socket = engine.watching(0);
        engine.pass(Duration.ofSeconds(1));
        assertEquals("", socket.text());
        engine.log.outOfMemory = false;
        engine.pass(Duration.ofSeconds(1));
        engine.signal("s", null, false);
        engine.settle();
        assertEquals("e1 e2 s", socket.text());
    }

    /** An error that is none of the machine's: a driver that misses a class. The page is asked for again. */
    @Test
    void log_linkageErrorForAWhile_pageIsReadAgain() {
        engine.append(2);
        EngineFixture.Socket socket = engine.socket();
        Subscription subscription = socket.outbox.subscribe(engine.channel, engine.gate);
        engine.settle();
        engine.log.broken = true;
        subscription.start(0, List.of(), Map.of());
        engine.settle();
        assertEquals("", socket.text());
        engine.log.broken = false;
        engine.pass(Duration.ofSeconds(1));
        assertEquals("e1 e2", socket.text());
        assertEquals(0, engine.delivery.pageReads());
    }

    /** A bug in one stream's listener of any kind keeps no other stream from its tick. */
    @Test
    void lanes_readThrows_laneIsFreeAgain() {
        Trouble trouble = new Trouble(new Tally());
        ReadLanes lanes = new ReadLanes(1, new Tasks(Runnable::run, trouble, 1), trouble);
        int[] ran = {0};
        lanes.submit(() -> {
            throw new MadeUp.Broken();
        });
        lanes.submit(() -> ran[0]++);
        assertEquals(1, ran[0]);
    }
}
