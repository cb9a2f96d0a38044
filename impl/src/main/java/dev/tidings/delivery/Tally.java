package dev.tidings.delivery;

import dev.tidings.spi.Counters.Counter;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Where the engine and the protocols over it count; calls nobody, so it may be used under locks.
 *
 * <p>Threads: any.
 */
public final class Tally {
    private final LongAdder[] counts = new LongAdder[Counter.values().length];
    // As many as there are codes.
    private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();
    private final Counts atOnce = this::add;

    Tally() {
        Arrays.setAll(counts, any -> new LongAdder());
    }

    /** A message was refused with a stable code, or a socket closed with one. */
    public void refused(String code) {
        refusals.computeIfAbsent(code, any -> new LongAdder()).increment();
    }

    /** A signature was verified, well or not. */
    public void verified(long nanos) {
        add(Counter.VERIFICATIONS, 1);
        add(Counter.VERIFICATION_NANOS, nanos);
    }

    /** A text in progress is not shown to whoever joins. */
    public void runningTextCut() {
        add(Counter.RUNNING_TEXTS_CUT, 1);
    }

    void add(Counter counter, long more) {
        if (more != 0) {
            counts[counter.ordinal()].add(more);
        }
    }

    /** Counts at once. */
    Counts atOnce() {
        return atOnce;
    }

    /** A sheet of one thread, for what it counts again and again. */
    Sheet sheet() {
        return new Sheet();
    }

    /**
     * What one thread has counted and not handed in yet: threads that send at the same time do not meet at the adders with
     * every frame.
     */
    final class Sheet implements Counts {
        private static final Counter[] COUNTERS = Counter.values();

        // Confined: the one thread.
        private final long[] counted = new long[COUNTERS.length];

        @Override
        public void add(Counter counter, long more) {
            counted[counter.ordinal()] += more;
        }

        /** Adds it to the counters, and begins anew. */
        void handIn() {
            for (Counter counter : COUNTERS) {
                Tally.this.add(counter, counted[counter.ordinal()]);
                counted[counter.ordinal()] = 0;
            }
        }
    }

    long of(Counter counter) {
        return counts[counter.ordinal()].sum();
    }

    Map<String, Long> refusals() {
        Map<String, Long> sums = new TreeMap<>();
        refusals.forEach((code, count) -> sums.put(code, count.sum()));
        return sums;
    }
}
