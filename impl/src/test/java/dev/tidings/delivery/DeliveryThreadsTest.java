package dev.tidings.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.Head;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.EventLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Laws 1 and 7 with real threads: what the simulator cannot see, such as a write that another thread does not see. */
class DeliveryThreadsTest {
    private static final int ENTRIES = 3_000;
    private static final int SOCKETS = 24;

    private final ExecutorService pool = Executors.newFixedThreadPool(4);

    @Test
    void engine_realThreads_everySocketGetsEverythingInOrder() throws Exception {
        SharedLog log = new SharedLog();
        // A small window, so that many fall behind and read pages.
        Delivery delivery = new Delivery(EngineFixture.limits(20, 1 << 20, 200), log, pool, System::nanoTime);
        StreamKey key = StreamKey.session("s1");
        Channel channel = new Channel(entry -> List.of(Frame.ofText(Long.toString(entry.position()))), key);
        Gate gate = new Gate(true);
        List<CountingSink> sinks = new ArrayList<>();
        ExecutorService writers = Executors.newFixedThreadPool(3);
        try {
            Future<?> appending = writers.submit(() -> append(log, delivery, key));
            Future<?> gating = writers.submit(() -> toggle(gate, appending));
            Future<?> watching = writers.submit(() -> watch(delivery, gating));
            for (int i = 0; i < SOCKETS; i++) {
                CountingSink sink = new CountingSink(i % 2 == 0);
                sinks.add(sink);
                delivery.open(sink).subscribe(channel, gate).start(0, List.of(), Map.of());
            }
            appending.get(60, TimeUnit.SECONDS);
            gating.get(60, TimeUnit.SECONDS);
            watching.get(60, TimeUnit.SECONDS);
            delivery.compareHeads();
            for (CountingSink sink : sinks) {
                assertTrue(sink.all.await(60, TimeUnit.SECONDS), "a socket got only up to " + sink.last);
                assertEquals(null, sink.fault, "a socket got something out of order");
            }
        } finally {
            writers.shutdownNow();
            pool.shutdownNow();
        }
    }

    private static void append(SharedLog log, Delivery delivery, StreamKey key) {
        for (int i = 1; i <= ENTRIES; i++) {
            StoredEntry entry = SimLog.entry(key, i);
            log.entries.add(entry);
            // One hint in ten never comes.
            if (i % 10 != 0) {
                delivery.stored(new EntriesStored(key, List.of(entry)));
            }
        }
    }

    private static void toggle(Gate gate, Future<?> until) {
        while (!until.isDone()) {
            gate.close();
            assertFalse(gate.isOpen());
            gate.open();
        }
    }

    private static void watch(Delivery delivery, Future<?> until) {
        while (!until.isDone()) {
            delivery.compareHeads();
            delivery.tick();
        }
    }

    /** Completes sends on threads of the pool, and notes what is out of order. */
    private final class CountingSink implements Sink {
        private final CountDownLatch all = new CountDownLatch(1);
        private final AtomicBoolean busy = new AtomicBoolean();
        // Volatile, both: written by one send at a time, read by the test.
        private volatile long last;
        private volatile @org.jspecify.annotations.Nullable String fault;
        private final boolean prompt;

        CountingSink(boolean prompt) {
            this.prompt = prompt;
        }

        @Override
        public boolean prompt() {
            return prompt;
        }

        @Override
        public void send(List<Frame> batch, Completion completion) {
            if (!busy.compareAndSet(false, true)) {
                fault = "two sends in flight";
            }
            for (Frame frame : batch) {
                long position = Long.parseLong(frame.text());
                if (position != last + 1) {
                    fault = position + " after " + last;
                }
                last = position;
            }
            boolean done = last == ENTRIES;
            busy.set(false);
            if (last % 2 == 0) {
                completion.succeeded();
            } else {
                pool.execute(completion::succeeded);
            }
            if (done) {
                all.countDown();
            }
        }

        @Override
        public int copies() {
            return 0;
        }

        @Override
        public void ping(Completion completion) {
            completion.succeeded();
        }

        @Override
        public void close(Disconnect reason) {
            fault = "closed: " + reason;
        }

        @Override
        public void abort(Disconnect reason) {
            fault = "aborted: " + reason;
        }
    }

    /** A log that many threads read while one appends. */
    private static final class SharedLog implements EventLog {
        final List<StoredEntry> entries = new CopyOnWriteArrayList<>();

        @Override
        public String epoch() {
            return "epoch";
        }

        @Override
        public Head head(StreamKey stream) {
            return new Head(entries.size(), 0);
        }

        @Override
        public Map<StreamKey, Head> heads(Collection<StreamKey> streams) {
            Map<StreamKey, Head> heads = new HashMap<>();
            streams.forEach(stream -> heads.put(stream, head(stream)));
            return heads;
        }

        @Override
        public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
            List<StoredEntry> now = List.copyOf(entries);
            int to = (int) Math.min(now.size(), afterPosition + maxEntries);
            return new ArrayList<>(now.subList((int) Math.min(afterPosition, to), to));
        }

        @Override
        public long positionAfterSeq(StreamKey session, long seq) {
            return 0;
        }
    }
}
