package dev.tidings.bench.micro;

import dev.tidings.StreamKey;
import dev.tidings.delivery.Channel;
import dev.tidings.delivery.Delivery;
import dev.tidings.delivery.DeliveryLimits;
import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Gate;
import dev.tidings.delivery.Sink;
import dev.tidings.event.EntriesStored;
import dev.tidings.protocol.agents.TranslationBench;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** One event from the hint through the window to sockets in memory that take everything at once. Public for JMH. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH fills it
public class FanOutBench {
    private static final StreamKey KEY = StreamKey.session("00000000-0000-0000-0000-000000000000");

    /** How many sockets watch. */
    @Param({"1", "100", "10000"})
    public int sockets;

    private final CountedLog log = new CountedLog();
    private final AtomicLong taken = new AtomicLong();
    private ExecutorService threads;
    private Delivery delivery;
    private long expected;

    /** Opens the sockets. */
    @Setup
    public void open() {
        // One processor is whose who waits.
        threads = Executors.newFixedThreadPool(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
        delivery = new Delivery(DeliveryLimits.DEFAULTS, log, threads, System::nanoTime);
        Gate gate = new Gate(true);
        Channel channel = new Channel(TranslationBench.translator(), KEY);
        for (int i = 0; i < sockets; i++) {
            delivery.open(new Taking()).subscribe(channel, gate).start(0, List.of(), Map.of());
        }
    }

    /** An event, until every socket has it. */
    @Benchmark
    public void event() {
        expected += sockets;
        delivery.stored(new EntriesStored(KEY, List.of(log.append(KEY))));
        while (taken.get() < expected) {
            Thread.onSpinWait();
        }
    }

    /** Ends its threads. */
    @TearDown
    public void close() {
        threads.shutdownNow();
    }

    /** Counts what it takes, as fast as a door. */
    private final class Taking implements Sink {
        @Override
        public boolean prompt() {
            return true;
        }

        @Override
        public void send(List<Frame> batch, Completion completion) {
            taken.addAndGet(batch.size());
            completion.succeeded();
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
        public void close(Disconnect reason) {}

        @Override
        public void abort(Disconnect reason) {}
    }
}
