package dev.tidings.bench.micro;

import dev.tidings.EntryKind;
import dev.tidings.NewEntry;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.bench.InProcess;
import dev.tidings.spi.EventLog;
import dev.tidings.spi.EventWriter;
import dev.tidings.spi.Transactions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The log of the runnable server, with JTA and Jakarta Persistence: time an entry. Public for JMH. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH fills it
public class LogBench {
    private static final int APPENDED = 100;
    private static final int REPLAYED = 10_000;
    private static final int PAGE = 256;
    private static final Payload PAYLOAD = Payload.of("{\"type\":\"bench\",\"pad\":\"" + "x".repeat(300) + "\"}");

    /** Which database. */
    @Param({"h2", "postgresql"})
    public String database;

    private InProcess server;
    private EventWriter writer;
    private EventLog log;
    private Transactions transactions;
    private StreamKey appended;
    private StreamKey replayed;
    private long next;

    /** Starts the server and fills a stream. */
    @Setup
    public void start() {
        server = InProcess.start(database);
        writer = server.bean(EventWriter.class);
        log = server.bean(EventLog.class);
        transactions = server.bean(Transactions.class);
        appended = StreamKey.session(server.newSession());
        replayed = StreamKey.session(server.newSession());
        for (int i = 0; i < REPLAYED; i += APPENDED) {
            append(replayed);
        }
    }

    private void append(StreamKey to) {
        transactions.run(() -> {
            for (int i = 0; i < APPENDED; i++) {
                String id = Long.toString(++next, 36);
                writer.append(to, new NewEntry(id, EntryKind.EVENT, true, PAYLOAD, null, 1_700_000_000_000L));
            }
        });
    }

    /** A hundred entries in one transaction. */
    @Benchmark
    @OperationsPerInvocation(APPENDED)
    public void append() {
        append(appended);
    }

    /** Ten thousand entries in pages. */
    @Benchmark
    @OperationsPerInvocation(REPLAYED)
    public long replay() {
        long position = 0;
        List<StoredEntry> page = log.read(replayed, position, PAGE, 1 << 20);
        while (!page.isEmpty()) {
            position = page.get(page.size() - 1).position();
            page = log.read(replayed, position, PAGE, 1 << 20);
        }
        return position;
    }

    /** Stops the server. */
    @TearDown
    public void stop() {
        server.close();
    }
}
