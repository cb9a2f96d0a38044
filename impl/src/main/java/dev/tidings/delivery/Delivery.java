package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.Counters;
import dev.tidings.spi.Counters.Counter;
import dev.tidings.spi.EventLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The engine's door: outboxes of sockets on one side, what committed on the other.
 *
 * <p>Threads: any; no method blocks or calls foreign code on the caller's thread, but for {@link #compareHeads}.
 */
public final class Delivery {
    private final EngineLock lock = new EngineLock(EngineLock.Rank.REGISTRY);
    private final Node node;
    private final Engine engine;
    private final Streams streams;
    private final PageReader pages;
    private final HeadReader heads;
    private final Trouble trouble;
    private final Tally tally;

    @GuardedBy("lock")
    private final Set<Outbox> outboxes = new LinkedHashSet<>();

    @GuardedBy("lock")
    private boolean draining;

    /**
     * An engine that does everything on one executor.
     *
     * @param executor runs the engine's tasks; may run any number at once
     * @param nanoTime a clock that never goes back
     */
    public Delivery(DeliveryLimits limits, EventLog log, Executor executor, LongSupplier nanoTime) {
        this(limits, log, executor, executor, nanoTime);
    }

    /**
     * An engine.
     *
     * @param executor runs what never waits; may run any number at once
     * @param reads runs what reads the log, {@code tidings.replay.max-reads} at once: what is shown live does not wait
     *     behind a slow database (law 5)
     * @param nanoTime a clock that never goes back
     */
    public Delivery(DeliveryLimits limits, EventLog log, Executor executor, Executor reads, LongSupplier nanoTime) {
        this(limits, log, executor, reads, nanoTime, Runtime.getRuntime().availableProcessors());
    }

    /** @param processors how many tasks can make headway at once; not the machine's where its runs are to be repeated elsewhere */
    Delivery(
            DeliveryLimits limits,
            EventLog log,
            Executor executor,
            Executor reads,
            LongSupplier nanoTime,
            int processors) {
        this(Node.of(limits, executor, reads, nanoTime, processors), limits, log);
    }

    private Delivery(Node node, DeliveryLimits limits, EventLog log) {
        this.node = node;
        LongSupplier nanoTime = node.nanoTime();
        Watch watch = node.relief().watch();
        trouble = watch.trouble();
        tally = watch.tally();
        pages = new PageReader(limits, log, node.lanes(), nanoTime, watch);
        heads = new HeadReader(limits, log, node.lanes(), nanoTime, trouble);
        streams = new Streams(
                limits, nanoTime, trouble, channel -> new Stream(channel, limits, node.tasks(), pages, heads, watch));
        engine = new Engine(limits, node.tasks(), nanoTime, streams, pages, watch, this::forget);
        node.relief().add(new Relief.Part(streams, pages, this::all));
        node.engines().add(this);
    }

    /** What all engines of a node share: one bound on all bytes, one count, one line for those who read. */
    private record Node(
            Tasks tasks, ReadLanes lanes, Relief relief, LongSupplier nanoTime, Collection<Delivery> engines) {

        static Node of(
                DeliveryLimits limits, Executor executor, Executor reads, LongSupplier nanoTime, int processors) {
            Tally tally = new Tally();
            Trouble trouble = new Trouble(tally);
            Tasks tasks = new Tasks(executor, trouble, processors);
            return new Node(
                    tasks,
                    new ReadLanes(limits.replayMaxReads(), new Tasks(reads, trouble, processors), trouble),
                    new Relief(new Budget(limits.maxBytes()), tasks, tally, trouble),
                    nanoTime,
                    new CopyOnWriteArrayList<>());
        }
    }

    /**
     * Another engine of the same node, over another log: under the same bound on all bytes and on reads, and counted
     * together with this one. It is ticked, drained and has its heads compared by itself.
     *
     * @param limits its own; those of the node are the first engine's
     */
    public Delivery beside(DeliveryLimits limits, EventLog log) {
        return new Delivery(node, limits, log);
    }

    /** Counts bytes that a protocol keeps by itself among those of the node; fewer than none when they go. */
    public void keeps(long more) {
        engine.budget().add(more);
    }

    /** An outbox for a new socket. */
    public Outbox open(Sink sink) {
        Outbox outbox = new Outbox(engine, sink);
        boolean late;
        lock.lock();
        try {
            outboxes.add(outbox);
            late = draining;
        } finally {
            lock.unlock();
        }
        tally.add(Counter.SOCKETS, 1);
        if (late) {
            outbox.stop();
        }
        return outbox;
    }

    /** A hint that entries were committed; hints of one stream may come late, swapped, twice or never (law 13). */
    public void stored(EntriesStored hint) {
        streams.of(hint.stream()).forEach(stream -> stream.hinted(hint.entries()));
    }

    /** Shows something to the subscribers of a channel; dropped if there are none. */
    public void publish(Channel channel, Broadcast broadcast) {
        for (Stream stream : streams.of(channel.key())) {
            if (stream.channel().equals(channel)) {
                stream.published(broadcast);
            }
        }
    }

    /**
     * The keys of a kind that have a subscription in this protocol: a view that follows what happens, made and asked in
     * constant time.
     */
    public Set<StreamKey> watched(Translator translator, StreamKey.Kind kind) {
        return streams.watched(translator, kind);
    }

    /** The channels of a key that have a subscription: the same key may be shown in several ways. */
    public List<Channel> channels(StreamKey key) {
        return streams.of(key).stream()
                .filter(Stream::watched)
                .map(Stream::channel)
                .toList();
    }

    /** The views of the subscriptions to a channel. */
    public Set<String> views(Channel channel) {
        for (Stream stream : streams.of(channel.key())) {
            if (stream.channel().equals(channel)) {
                return stream.views();
            }
        }
        return Set.of();
    }

    /** Compares the heads of all streams that have subscribers with the log; call it every heads.interval. Blocks. */
    public void compareHeads() {
        compareHeads(Runnable::run);
    }

    /**
     * The same, where what is published takes its time to come here: else the entries of a message that were found by the
     * comparison would overtake its last pieces.
     *
     * @param inLine runs what it is given behind everything that had committed or was published when it is called
     */
    public void compareHeads(Consumer<Runnable> inLine) {
        List<Stream> durable = new ArrayList<>(streams.all());
        durable.removeIf(stream -> !stream.durable() || !stream.watched());
        heads.compare(durable, inLine);
    }

    /** Pings, watchdogs and windows without subscribers; call it about once a second. */
    public void tick() {
        trouble.guarded(streams::tick, "streams missed a tick");
        trouble.guarded(pages::tick, "page reads missed a tick");
        trouble.guarded(heads::tick, "head reads missed a tick");
        trouble.guarded(node.lanes()::tick, "reads missed a tick");
        for (Outbox outbox : all()) {
            trouble.guarded(outbox::tick, "a socket missed a tick");
        }
        node.relief().tick();
    }

    /**
     * Begins to stop: whoever connects from now on is told to go away.
     *
     * @param random decides the order
     * @return for each socket that is open, what tells it to go away; meant to be run one after the other over a while,
     *     so that not all peers come back in the same second
     */
    public List<Runnable> drain(Random random) {
        List<Outbox> open;
        lock.lock();
        try {
            draining = true;
            open = new ArrayList<>(outboxes);
        } finally {
            lock.unlock();
        }
        Collections.shuffle(open, random);
        List<Runnable> stops = new ArrayList<>();
        open.forEach(outbox -> stops.add(() -> trouble.guarded(outbox::stop, "a socket could not be told to go")));
        return stops;
    }

    /** Where the protocols over the engine count their part. */
    public Tally tally() {
        return tally;
    }

    /** What was counted by all engines of the node. */
    public Counters counters() {
        return new Counters() {
            @Override
            public long value(Counter counter) {
                return switch (counter) {
                    case STREAMS ->
                        node.engines().stream()
                                .mapToLong(each -> each.streams.all().size())
                                .sum();
                    case BYTES -> engine.budget().used();
                    case LAG_ENTRIES -> lag(Stream.Lag::entries);
                    case LAG_BYTES -> lag(Stream.Lag::bytes);
                    default -> tally.of(counter);
                };
            }

            @Override
            public Map<String, Long> refusals() {
                return tally.refusals();
            }
        };
    }

    private long lag(ToLongFunction<Stream.Lag> what) {
        long sum = 0;
        for (Delivery each : node.engines()) {
            for (Outbox outbox : each.all()) {
                sum += what.applyAsLong(outbox.lag());
            }
        }
        return sum;
    }

    private List<Outbox> all() {
        lock.lock();
        try {
            return List.copyOf(outboxes);
        } finally {
            lock.unlock();
        }
    }

    private void forget(Outbox outbox) {
        boolean known;
        lock.lock();
        try {
            known = outboxes.remove(outbox);
        } finally {
            lock.unlock();
        }
        if (known) {
            tally.add(Counter.SOCKETS, -1);
        }
    }

    /** The bytes of all streams and sockets, counted anew, for tests; pages come on top. */
    long recount() {
        long sum = 0;
        Set<Frame> large = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Stream stream : streams.all()) {
            sum += stream.bytes();
        }
        for (Outbox outbox : all()) {
            sum += outbox.bytes();
            outbox.collectLarge(large);
        }
        for (Frame frame : large) {
            sum += frame.size();
        }
        return sum;
    }

    /** The state, for people. */
    @Override
    public String toString() {
        return all() + " " + streams.all();
    }

    /** How many sockets there are, for tests. */
    int sockets() {
        return all().size();
    }

    /** How many streams there are, for tests. */
    int streams() {
        return streams.all().size();
    }

    /** Whether a channel's stream waits for the log to tell its head, for tests. */
    boolean learning(Channel channel) {
        return streams.of(channel.key()).stream()
                .anyMatch(stream -> stream.channel().equals(channel) && stream.learning());
    }

    /** How many page reads are under way or wait, for tests. */
    int pageReads() {
        return pages.open();
    }
}
