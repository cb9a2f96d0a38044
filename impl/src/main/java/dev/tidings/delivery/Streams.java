package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.StreamKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The streams of this node: made by the first subscription, dropped some time after the last.
 *
 * <p>Threads: any.
 */
final class Streams {

    /** A subscription's stream, and the index of the first item and the number of the first signal that are for it. */
    record Seat(Stream stream, long nextIndex, long nextSignal) {}

    private final EngineLock lock = new EngineLock(EngineLock.Rank.REGISTRY);
    private final long lingerNanos;
    private final LongSupplier nanoTime;
    private final Function<Channel, Stream> make;
    private final Trouble trouble;

    // The lists never change: a stream more or less is a new list.
    @GuardedBy("lock")
    private final Map<StreamKey, List<Stream>> byKey = new LinkedHashMap<>();

    // Streams without subscriptions, and since when.
    @GuardedBy("lock")
    private final Map<Stream, Long> idleSince = new LinkedHashMap<>();

    // Written under the lock, with the streams; read without it, since protocols ask for every single event.
    private final Map<Shelf, Set<StreamKey>> watched = new ConcurrentHashMap<>();

    /** What a protocol asks for at once: its watched keys of a kind. */
    private record Shelf(Translator translator, StreamKey.Kind kind) {}

    Streams(DeliveryLimits limits, LongSupplier nanoTime, Trouble trouble, Function<Channel, Stream> make) {
        this.lingerNanos = limits.windowLinger().toNanos();
        this.nanoTime = nanoTime;
        this.make = make;
        this.trouble = trouble;
    }

    /** Registers a subscription with the stream of its channel. */
    Seat attach(Channel channel, Subscription subscription) {
        Stream stream;
        Stream.Added added;
        lock.lock();
        try {
            stream = obtainLocked(channel);
            idleSince.remove(stream);
            added = stream.add(subscription);
            shelf(channel).add(channel.key());
        } finally {
            lock.unlock();
        }
        if (added.first()) {
            stream.learnHead();
        }
        return new Seat(stream, added.nextIndex(), added.nextSignal());
    }

    void detach(Stream stream, Subscription subscription) {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            if (stream.remove(subscription)) {
                idleSince.put(stream, now);
                shelf(stream.channel()).remove(stream.channel().key());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The channel as its stream has it, if there is one: who watches the same shares its key. */
    Channel shared(Channel channel) {
        for (Stream stream : of(channel.key())) {
            if (stream.channel().equals(channel)) {
                return stream.channel();
            }
        }
        return channel;
    }

    /** The streams of a key, one a protocol at most. */
    List<Stream> of(StreamKey key) {
        lock.lock();
        try {
            return byKey.getOrDefault(key, List.of());
        } finally {
            lock.unlock();
        }
    }

    List<Stream> all() {
        List<Stream> all = new ArrayList<>();
        lock.lock();
        try {
            byKey.values().forEach(all::addAll);
        } finally {
            lock.unlock();
        }
        return all;
    }

    /** The keys that have a subscription, as they are whenever the set is looked at. */
    Set<StreamKey> watched(Translator translator, StreamKey.Kind kind) {
        return Collections.unmodifiableSet(watched.getOrDefault(new Shelf(translator, kind), Set.of()));
    }

    private Set<StreamKey> shelf(Channel channel) {
        Shelf shelf = new Shelf(channel.translator(), channel.key().kind());
        return watched.computeIfAbsent(shelf, any -> ConcurrentHashMap.newKeySet());
    }

    /** Drops streams that nobody watched for long enough. */
    void tick() {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            Iterator<Map.Entry<Stream, Long>> idle = idleSince.entrySet().iterator();
            while (idle.hasNext()) {
                Map.Entry<Stream, Long> next = idle.next();
                if (now - next.getValue() >= lingerNanos) {
                    idle.remove();
                    dropLocked(next.getKey());
                    next.getKey().drop();
                }
            }
        } finally {
            lock.unlock();
        }
        for (Stream stream : all()) {
            trouble.guarded(stream::tick, "a stream missed a tick");
        }
    }

    /** Memory is short: drops all streams that nobody watches. */
    void dropIdle() {
        lock.lock();
        try {
            for (Stream stream : idleSince.keySet()) {
                dropLocked(stream);
                stream.drop();
            }
            idleSince.clear();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Stream obtainLocked(Channel channel) {
        List<Stream> known = byKey.getOrDefault(channel.key(), List.of());
        for (Stream stream : known) {
            if (stream.channel().equals(channel)) {
                return stream;
            }
        }
        Stream made = make.apply(channel);
        List<Stream> more = new ArrayList<>(known);
        more.add(made);
        byKey.put(channel.key(), List.copyOf(more));
        return made;
    }

    @GuardedBy("lock")
    private void dropLocked(Stream stream) {
        StreamKey key = stream.channel().key();
        List<Stream> rest = new ArrayList<>(byKey.getOrDefault(key, List.of()));
        rest.remove(stream);
        if (rest.isEmpty()) {
            byKey.remove(key);
        } else {
            byKey.put(key, List.copyOf(rest));
        }
    }
}
