package dev.tidings.protocol.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidings.delivery.Disconnect;
import dev.tidings.delivery.Frame;
import dev.tidings.delivery.Sink;
import dev.tidings.protocol.admission.Admission;
import dev.tidings.protocol.admission.AdmissionLimits;
import dev.tidings.spi.Counters.Counter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a message of garbage costs, in CPU time: everything from the container's callback to the answer in the sink's hands,
 * on one thread. Not a part of the build, since it judges no time; docs/stress.md says how to run it.
 *
 * <p>{@code -Dtidings.measure.messages} says how many of each kind.
 */
class GarbageFloodMeter {
    private static final int MESSAGES = Integer.getInteger("tidings.measure.messages", 200_000);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final AgentsWorld world = new AgentsWorld().furnished();
    private final Random random = new Random(4711);
    private final byte[] valid = world.new Peer(true).signed(AgentsWorld.OWNER, AgentsWorld.SESSION_KEY);

    /** Takes everything at once and counts it. */
    private static final class CountingSink implements Sink {
        // Confined, all of them: the thread that measures.
        int frames;
        int closes;

        @Nullable
        Disconnect reason;

        @Override
        public void send(List<Frame> batch, Completion completion) {
            frames += batch.size();
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
        public void close(Disconnect why) {
            reason = why;
            closes++;
        }

        @Override
        public void abort(Disconnect why) {
            close(why);
        }
    }

    private byte[] noise(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] truncated() {
        return Arrays.copyOf(valid, 1 + random.nextInt(valid.length - 1));
    }

    private byte[] flipped() {
        byte[] bytes = valid.clone();
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        return bytes;
    }

    /** A list of lists of lists. */
    private byte[] deep(int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) 0x81);
        bytes[size - 1] = 0;
        return bytes;
    }

    /** Well-formed and of the wrong shape: a list of so many small numbers. */
    private byte[] list(int size) {
        byte[] bytes = new byte[3 + size];
        bytes[0] = (byte) 0x99;
        bytes[1] = (byte) (size >> 8);
        bytes[2] = (byte) size;
        for (int i = 0; i < size; i++) {
            bytes[3 + i] = (byte) random.nextInt(24);
        }
        return bytes;
    }

    private interface Kind {
        byte[] next();
    }

    /** A flood at full speed, as it is configured by default: behind the first 200 a message is not even read. */
    @Test
    void flood_defaults_eachKind() {
        each("as configured by default", AdmissionLimits.DEFAULTS);
    }

    /** As if no socket ever sent too fast: every message is read. */
    @Test
    void flood_everyMessageIsRead_eachKind() {
        each("with every message read", new AdmissionLimits(1_000_000, 1_000_000, 1_000_000_000, 1_000_000_000));
    }

    private void each(String how, AdmissionLimits limits) {
        System.out.printf(Locale.ROOT, "garbage %s, %d messages of each kind%n", how, MESSAGES);
        measure("64 random bytes", () -> noise(64), limits, MESSAGES);
        measure("1 KiB of random bytes", () -> noise(1 << 10), limits, MESSAGES);
        measure("a Subscribe cut short", this::truncated, limits, MESSAGES);
        measure("a list of 100 numbers", () -> list(100), limits, MESSAGES);
        measure("a list of 60,000 numbers", () -> list(60_000), limits, MESSAGES / 20);
        measure("lists 1,000 deep", () -> deep(1_000), limits, MESSAGES);
        measure("256 KiB of random bytes", () -> noise(256 << 10), limits, MESSAGES / 20);
        measure("256 KiB and a byte", () -> noise((256 << 10) + 1), limits, MESSAGES / 20);
    }

    private void measure(String what, Kind kind, AdmissionLimits limits, int count) {
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            messages.add(kind.next());
        }
        Collections.shuffle(messages, random);
        run(messages, limits, count / 2);
        long verifications = world.delivery.counters().value(Counter.VERIFICATIONS);
        double micros = run(messages, limits, count) / 1_000.0 / count;
        assertEquals(verifications, world.delivery.counters().value(Counter.VERIFICATIONS), "law 4: " + what);
        System.out.printf(Locale.ROOT, "  %-26s %7.2f µs%n", what, micros);
    }

    /** The CPU time of so many messages, with the sockets that they took. */
    private long run(List<byte[]> messages, AdmissionLimits limits, int count) {
        Admission admission = new Admission(limits, System::nanoTime);
        CountingSink sink = new CountingSink();
        AgentsSocket socket = null;
        int on = 0;
        int sockets = 0;
        long before = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < count; i++) {
            if (socket == null || sink.closes == sockets) {
                if (socket != null) {
                    socket.closed();
                }
                socket = AgentsSocket.open(
                        world.shared, Dialect.PLAIN, world.delivery.open(sink), admission.enter(null));
                sockets++;
                on = 0;
            }
            socket.received(new AgentsMessage.OfBytes(messages.get(i & 63)));
            on++;
            // What waits is sent in a few batches, as it is when a thread brings message after message.
            if (on % 16 == 0 || messages.get(i & 63).length > 256 << 10) {
                world.hand.runAll();
            }
        }
        world.hand.runAll();
        long nanos = THREADS.getCurrentThreadCpuTime() - before;
        assertTrue(sink.frames > 0, "answered");
        if (socket != null) {
            socket.closed();
        }
        world.hand.runAll();
        return nanos;
    }

    /** What is measured is what happens: each message is answered, and none costs a verification. */
    @Test
    void flood_oneOfEach_isAnsweredOnce() {
        CountingSink sink = new CountingSink();
        Admission admission = new Admission(AdmissionLimits.DEFAULTS, System::nanoTime);
        AgentsSocket socket =
                AgentsSocket.open(world.shared, Dialect.PLAIN, world.delivery.open(sink), admission.enter(null));
        for (byte[] message : List.of(noise(64), truncated(), list(100), deep(1_000))) {
            socket.received(new AgentsMessage.OfBytes(message));
        }
        world.hand.runAll();
        assertEquals(5, sink.frames, "with the hello");
        assertNull(sink.reason);
        socket.received(new AgentsMessage.OfBytes(flipped()));
        world.hand.runAll();
        assertEquals(6, sink.frames);
        socket.closed();
    }
}
