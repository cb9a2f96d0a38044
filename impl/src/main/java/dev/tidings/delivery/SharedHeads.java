package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.Head;
import dev.tidings.StoredEntry;
import dev.tidings.StreamKey;
import dev.tidings.spi.EventLog;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A log that is asked once for the heads of all streams that somebody asks for at the same time: a storm of subscribers costs
 * a few reads, not one each.
 *
 * <p>A head is never older than the question: whoever comes while a read is under way waits for the next one, which begins
 * when that one has ended, or beside it when it hangs: one read that never ends holds those who asked in it and nobody else
 * (law 5). Not for use within a transaction, whose own entries another thread's read would not see.
 *
 * <p>Threads: any; {@link #head} blocks as the log does, on the caller's thread or while another caller reads for it.
 */
public final class SharedHeads implements EventLog {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final EventLog log;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();

    // Those who wait for the read that comes next, and the one that is under way.
    @GuardedBy("lock")
    private @Nullable Round gathering;

    @GuardedBy("lock")
    private @Nullable Round reading;

    /** One read. The streams are confined: under the lock until the read begins, then to whoever reads. */
    private static final class Round {
        final Set<StreamKey> streams = new LinkedHashSet<>();
        final CompletableFuture<Map<StreamKey, Head>> answer = new CompletableFuture<>();

        void awaitEnd(Duration patience) {
            try {
                answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException failedOrHangs) {
                // That is for those who asked in it.
            }
        }
    }

    /** Shares the heads of a log; everything else is asked as it comes. */
    public SharedHeads(EventLog log) {
        this(log, PATIENCE);
    }

    /** @param patience how long a read is put off for the one before it */
    SharedHeads(EventLog log, Duration patience) {
        this.log = log;
        this.patience = patience;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException if another caller's read failed
     */
    @Override
    public Head head(StreamKey stream) {
        Round round;
        Round before;
        boolean mine;
        lock.lock();
        try {
            mine = gathering == null;
            round = gathering == null ? new Round() : gathering;
            before = reading;
            round.streams.add(stream);
            gathering = round;
        } finally {
            lock.unlock();
        }
        Map<StreamKey, Head> heads = mine ? read(round, before) : answer(round);
        return heads.getOrDefault(stream, Head.EMPTY);
    }

    private static Map<StreamKey, Head> answer(Round round) {
        try {
            return round.answer.join();
        } catch (CompletionException failed) {
            throw new IllegalStateException("the heads could not be read", failed.getCause());
        }
    }

    private Map<StreamKey, Head> read(Round round, @Nullable Round before) {
        boolean answered = false;
        try {
            if (before != null) {
                before.awaitEnd(patience);
            }
            begin(round);
            Map<StreamKey, Head> heads = log.heads(List.copyOf(round.streams));
            answered = round.answer.complete(heads);
            return heads;
        } finally {
            end(round);
            if (!answered) {
                // Whatever was thrown, errors included: nobody waits for ever.
                round.answer.completeExceptionally(new IllegalStateException("a read failed"));
            }
        }
    }

    /** Whoever comes from now on waits for the next read. */
    private void begin(Round round) {
        lock.lock();
        try {
            gathering = null;
            reading = round;
        } finally {
            lock.unlock();
        }
    }

    private void end(Round round) {
        lock.lock();
        try {
            if (gathering == round) {
                gathering = null;
            }
            if (reading == round) {
                reading = null;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String epoch() {
        return log.epoch();
    }

    @Override
    public Map<StreamKey, Head> heads(Collection<StreamKey> streams) {
        return log.heads(streams);
    }

    @Override
    public List<StoredEntry> read(StreamKey stream, long afterPosition, int maxEntries, int maxBytes) {
        return log.read(stream, afterPosition, maxEntries, maxBytes);
    }

    @Override
    public long positionAfterSeq(StreamKey session, long seq) {
        return log.positionAfterSeq(session, seq);
    }
}
