package dev.tidings.runs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Ids and times for runs, both rising, so that runs by (createdAt, id) are in the order in which they were asked for.
 *
 * <p>Shape: version 7 UUIDs, milliseconds and a counter before the random part.
 *
 * <p>Threads: safe.
 */
final class RunIds {

    private static final int COUNTER_LIMIT = 1 << 12;

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private long lastMillis;

    @GuardedBy("lock")
    private int counter;

    RunIds(InstantSource clock) {
        this.clock = clock;
    }

    /** An id and when it was made; never before the last one. */
    record Stamp(String id, long millis) {}

    Stamp next() {
        long now = clock.millis();
        long tail = random.nextLong();
        lock.lock();
        try {
            if (now > lastMillis) {
                lastMillis = now;
                counter = 0;
            } else if (++counter == COUNTER_LIMIT) {
                lastMillis++;
                counter = 0;
            }
            long high = lastMillis << 16 | 0x7000 | counter;
            long low = tail >>> 2 | 0x8000_0000_0000_0000L;
            return new Stamp(new UUID(high, low).toString(), lastMillis);
        } finally {
            lock.unlock();
        }
    }
}
