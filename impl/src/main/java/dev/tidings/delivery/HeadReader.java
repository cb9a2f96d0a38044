package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.Head;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far the log reaches, asked in one query for all streams that want to know at the same time.
 *
 * <p>Threads: any.
 */
final class HeadReader {
    private static final Logger LOG = System.getLogger("dev.tidings.delivery");

    private final EngineLock lock = new EngineLock(EngineLock.Rank.LEAF);
    private final DeliveryLimits limits;
    private final EventLog log;
    private final ReadLanes lanes;
    private final LongSupplier nanoTime;
    private final Trouble trouble;

    @GuardedBy("lock")
    private Set<Stream> wanting = new LinkedHashSet<>();

    @GuardedBy("lock")
    private Set<Stream> retries = new LinkedHashSet<>();

    @GuardedBy("lock")
    private long retryAt;

    HeadReader(DeliveryLimits limits, EventLog log, ReadLanes lanes, LongSupplier nanoTime, Trouble trouble) {
        this.limits = limits;
        this.log = log;
        this.lanes = lanes;
        this.nanoTime = nanoTime;
        this.trouble = trouble;
    }

    /** Tells a stream its head as soon as it can be read. */
    void want(Stream stream) {
        ask(List.of(stream));
    }

    /** Tries failed reads again whose time has come. */
    void tick() {
        long now = nanoTime.getAsLong();
        Set<Stream> due;
        lock.lock();
        try {
            if (retries.isEmpty() || retryAt - now > 0) {
                return;
            }
            due = retries;
            retries = new LinkedHashSet<>();
        } finally {
            lock.unlock();
        }
        ask(due);
    }

    /**
     * Compares heads at once, on this thread; if the log cannot be read, the next time will do.
     *
     * @param inLine runs what tells the streams, behind what was published before the log was read
     */
    void compare(Collection<Stream> streams, Consumer<Runnable> inLine) {
        Map<StreamKey, Head> heads = readOrNull(streams);
        if (heads == null) {
            LOG.log(Level.WARNING, "the heads cannot be compared now");
        } else {
            inLine.accept(() -> {
                for (Stream stream : streams) {
                    trouble.guarded(() -> stream.headSeen(position(heads, stream)), "a stream did not take its head");
                }
            });
        }
    }

    private void ask(Collection<Stream> streams) {
        boolean submit;
        lock.lock();
        try {
            submit = wanting.isEmpty();
            wanting.addAll(streams);
        } finally {
            lock.unlock();
        }
        if (submit) {
            lanes.submit(this::readWanted);
        }
    }

    private void readWanted() {
        Set<Stream> streams;
        lock.lock();
        try {
            streams = wanting;
            wanting = new LinkedHashSet<>();
        } finally {
            lock.unlock();
        }
        streams.removeIf(stream -> !stream.watched());
        Map<StreamKey, Head> heads = readOrNull(streams);
        if (heads != null) {
            // Whoever did not take it is asked for again: without its head a stream shows no signal.
            streams.removeIf(stream -> trouble.guarded(
                    () -> stream.headLearnt(position(heads, stream)), "a stream did not take its head"));
        } else {
            LOG.log(Level.WARNING, "the heads of {0} streams cannot be read now", streams.size());
        }
        if (streams.isEmpty()) {
            return;
        }
        for (Stream stream : streams) {
            trouble.guarded(stream::headFailed, "a stream was not told of a failed read");
        }
        long later = nanoTime.getAsLong() + limits.readRetry().toNanos();
        lock.lock();
        try {
            retries.addAll(streams);
            retryAt = later;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Map<StreamKey, Head> readOrNull(Collection<Stream> streams) {
        assert EngineLock.noneHeld() : "the log is read under a lock";
        if (streams.isEmpty()) {
            return Map.of();
        }
        Set<StreamKey> keys = new LinkedHashSet<>();
        streams.forEach(stream -> keys.add(stream.channel().key()));
        try {
            return log.heads(new ArrayList<>(keys));
        } catch (RuntimeException noDatabase) {
            return null;
        } catch (Error fault) {
            trouble.survived(fault, "heads could not be read");
            return null;
        }
    }

    private static long position(Map<StreamKey, Head> heads, Stream stream) {
        return heads.getOrDefault(stream.channel().key(), Head.EMPTY).position();
    }
}
