package dev.tidings.delivery;

import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.Counters.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine over fakes: a log in memory, a clock that is moved by hand, an executor that runs when told to.
 *
 * <p>Threads: one.
 */
final class EngineFixture {
    static final int PROCESSORS = 2;
    static final StreamKey KEY = StreamKey.session("s1");

    final SimExecutor executor = new SimExecutor(new Random(1), false);
    final SimLog log = new SimLog(4, () -> {});
    final Gate gate = new Gate(true);
    final Translator translator = entry -> shown(entry);
    final Channel channel = new Channel(translator, KEY);
    final Delivery delivery;
    int translated;
    long now = 1_000_000_000L;

    EngineFixture() {
        this(limits(100, 10_000, 1_000));
    }

    EngineFixture(DeliveryLimits limits) {
        delivery = new Delivery(limits, log, executor, executor, () -> now, PROCESSORS);
    }

    /** Limits with a window of so many frames, outboxes and batches of so many bytes; pages of 10 entries. */
    static DeliveryLimits limits(int windowFrames, int outboxBytes, int batchBytes) {
        return limits(windowFrames, outboxBytes, batchBytes, 256L << 20);
    }

    /** The same, with a bound for the node. */
    static DeliveryLimits limits(int windowFrames, int outboxBytes, int batchBytes, long maxBytes) {
        return limits(windowFrames, outboxBytes, batchBytes, maxBytes, 1 << 20);
    }

    /** The same, with a window of so many bytes. */
    static DeliveryLimits limits(int windowFrames, int outboxBytes, int batchBytes, long maxBytes, int windowBytes) {
        return new DeliveryLimits(
                outboxBytes,
                batchBytes,
                windowFrames,
                windowBytes,
                Duration.ofSeconds(30),
                2,
                10,
                1 << 20,
                Duration.ofMillis(500),
                Duration.ofSeconds(20),
                Duration.ofSeconds(15),
                Duration.ofSeconds(45),
                maxBytes);
    }

    private List<Frame> shown(StoredEntry entry) {
        translated++;
        return List.of(Frame.ofText("e" + entry.position()));
    }

    /** Commits entries without a hint. */
    List<StoredEntry> append(int count) {
        return log.append(KEY, count);
    }

    /** Commits entries and hints at them. */
    void store(int count) {
        hint(append(count));
    }

    void hint(List<StoredEntry> entries) {
        delivery.stored(new EntriesStored(KEY, entries));
    }

    void settle() {
        executor.runAll();
    }

    void pass(Duration time) {
        now += time.toNanos();
        delivery.tick();
        settle();
    }

    void signal(String text, @Nullable String partial, boolean last) {
        delivery.publish(channel, new Broadcast.Signal(Frame.ofText(text), partial, last, null));
    }

    /** A piece of text that begins at an offset; its frame, and that of joined pieces, is {@code [offset:text]}. */
    void text(String partial, int offset, String added) {
        delivery.publish(
                channel,
                new Broadcast.Signal(
                        piece(offset, added),
                        partial,
                        false,
                        null,
                        new Broadcast.Text(offset, added, (from, joined) -> piece(from, joined))));
    }

    static Frame piece(long offset, String added) {
        return Frame.ofText("[" + offset + ":" + added + "]");
    }

    long value(Counter counter) {
        return delivery.counters().value(counter);
    }

    void snapshot(String key, long version) {
        delivery.publish(channel, new Broadcast.Snapshot(key, version, Frame.ofText(key + "v" + version), null));
    }

    Socket socket() {
        return socket(0);
    }

    /** A socket of a container that copies each message so often. */
    Socket socket(int copies) {
        return new Socket(delivery, copies, false);
    }

    /** A socket whose sends hold nobody up. */
    Socket promptSocket() {
        return new Socket(delivery, 0, true);
    }

    /** A subscription that has started, on a socket that completes at once, with everything done. */
    Socket watching(long after) {
        Socket socket = socket();
        socket.watch(after);
        settle();
        return socket;
    }

    /** A socket that completes at once, or when it is told to. */
    final class Socket implements Sink {
        final List<String> got = new ArrayList<>();
        final List<String> calls = new ArrayList<>();
        final Outbox outbox;
        boolean stalled;
        boolean vanished;
        Runnable whileSending = () -> {};
        Consumer<Disconnect> onClose = reason -> {};
        int largestBatch;

        @Nullable
        Completion pending;

        private final int copies;
        private final boolean prompt;

        Socket(Delivery opens) {
            this(opens, 0, false);
        }

        private Socket(Delivery opens, int copies, boolean prompt) {
            this.copies = copies;
            this.prompt = prompt;
            outbox = opens.open(this);
        }

        Subscription watch(long after) {
            Subscription subscription = outbox.subscribe(channel, gate);
            subscription.start(after, List.of(), Map.of());
            return subscription;
        }

        @Override
        public int copies() {
            assert EngineLock.noneHeld() : "law 8: a sink is asked under a lock";
            return copies;
        }

        @Override
        public boolean prompt() {
            assert EngineLock.noneHeld() : "law 8: a sink is asked under a lock";
            return prompt;
        }

        @Override
        public void send(List<Frame> batch, Completion completion) {
            calls.add("send");
            batch.forEach(frame -> got.add(frame.text()));
            largestBatch =
                    Math.max(largestBatch, batch.stream().mapToInt(Frame::size).sum());
            whileSending.run();
            complete(completion);
        }

        @Override
        public void ping(Completion completion) {
            calls.add("ping");
            complete(completion);
        }

        @Override
        public void close(Disconnect reason) {
            onClose.accept(reason);
            calls.add("close " + reason);
        }

        @Override
        public void abort(Disconnect reason) {
            calls.add("abort " + reason);
        }

        private void complete(Completion completion) {
            if (vanished) {
                return;
            }
            if (pending != null) {
                throw new AssertionError("law 7: two in flight");
            }
            if (stalled) {
                pending = completion;
            } else {
                completion.succeeded();
            }
        }

        /** Lets the send in flight succeed and those after it. */
        void flow() {
            stalled = false;
            Completion due = pending;
            pending = null;
            if (due != null) {
                due.succeeded();
            }
        }

        /** Lets the send in flight succeed and no other. */
        void advance() {
            Completion due = pending;
            pending = null;
            if (due != null) {
                due.succeeded();
            }
        }

        /** Lets the send in flight fail. */
        void fail() {
            Completion due = pending;
            pending = null;
            if (due != null) {
                due.failed();
            }
        }

        String text() {
            return String.join(" ", got);
        }
    }
}
