package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.StreamKey;
import dev.tidings.event.EntriesStored;
import dev.tidings.spi.EventLog;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The engine's door: outboxes of sockets on one side, what committed on the other.
 *
 * <p>Threads: any; no method blocks or calls foreign code on the caller's thread, but for {@link #compareHeads}.
 */
public final class Delivery {
    private final EngineLock lock = new EngineLock(EngineLock.Rank.REGISTRY);
    private final Engine engine;
    private final Streams streams;
    private final ReadLanes lanes;
    private final PageReader pages;
    private final HeadReader heads;

    @GuardedBy("lock")
    private final Set<Outbox> outboxes = new LinkedHashSet<>();

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
        Tasks tasks = new Tasks(executor);
        lanes = new ReadLanes(limits.replayMaxReads(), new Tasks(reads));
        pages = new PageReader(limits, log, lanes, nanoTime);
        heads = new HeadReader(limits, log, lanes, nanoTime);
        streams = new Streams(limits, nanoTime, channel -> new Stream(channel, limits, tasks, pages, heads));
        engine = new Engine(limits, tasks, nanoTime, streams, pages, this::forget);
    }

    /** An outbox for a new socket. */
    public Outbox open(Sink sink) {
        Outbox outbox = new Outbox(engine, sink);
        lock.lock();
        try {
            outboxes.add(outbox);
        } finally {
            lock.unlock();
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
        List<Stream> durable = new ArrayList<>(streams.all());
        durable.removeIf(stream -> !stream.durable() || !stream.watched());
        heads.compare(durable);
    }

    /** Pings, watchdogs and windows without subscribers; call it about once a second. */
    public void tick() {
        streams.tick();
        pages.tick();
        heads.tick();
        lanes.tick();
        all().forEach(Outbox::tick);
    }

    /** Disconnects every socket. */
    public void disconnectAll(Disconnect reason) {
        all().forEach(outbox -> outbox.disconnect(reason));
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
        lock.lock();
        try {
            outboxes.remove(outbox);
        } finally {
            lock.unlock();
        }
    }

    /** How many sockets there are, for tests. */
    int sockets() {
        return all().size();
    }

    /** How many streams there are, for tests. */
    int streams() {
        return streams.all().size();
    }

    /** How many page reads are under way or wait, for tests. */
    int pageReads() {
        return pages.open();
    }
}
