package dev.tidings.protocol.agents;

import dev.tidings.EntryKind;
import dev.tidings.Payload;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Translator;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Stored entries made frames of the Agents protocol, and an event made JSON alone. In this package, since what it measures is
 * nobody else's. Public for JMH.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH fills it
public class TranslationBench {

    /** Bytes of the text within the event. */
    @Param({"60", "2000"})
    public int text;

    private StoredEntry entry;

    /** The protocol's translator. */
    public static Translator translator() {
        return AgentsTranslator.INSTANCE;
    }

    /** Makes the entry. */
    @Setup
    public void store() {
        entry = new StoredEntry(
                StreamKey.session("00000000-0000-0000-0000-000000000000"),
                1,
                1,
                "e1",
                EntryKind.EVENT,
                Payload.of("{\"type\":\"bench\",\"pad\":\"" + "x".repeat(text) + "\"}"),
                null,
                1_700_000_000_000L);
    }

    /** The event as the protocol shows it, in JSON. */
    @Benchmark
    public byte[] encode() {
        return AgentsJson.sessionEvent(entry);
    }

    /** The frame around it too. */
    @Benchmark
    public List<Frame> translate() {
        return AgentsTranslator.INSTANCE.frames(entry);
    }
}
