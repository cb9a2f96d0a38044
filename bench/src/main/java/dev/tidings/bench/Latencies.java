package dev.tidings.bench;

/**
 * Times, in microseconds, kept in buckets that are at most 1.6 % wide.
 *
 * <p>Threads: confined to the one that reads sockets; asked when it rests.
 */
final class Latencies {
    private static final int EXACT_BITS = 6;
    private static final int EXACT = 1 << EXACT_BITS;

    // Confined, both of them: the reader.
    private final long[] buckets = new long[EXACT * (64 - EXACT_BITS + 1)];
    private long count;

    void add(long micros) {
        buckets[bucket(Math.max(0, micros))]++;
        count++;
    }

    void clear() {
        java.util.Arrays.fill(buckets, 0);
        count = 0;
    }

    /** The time that so much of all did not exceed, in milliseconds; NaN if there is none. */
    double quantile(double share) {
        if (count == 0) {
            return Double.NaN;
        }
        long rank = (long) Math.ceil(share * count);
        long seen = 0;
        for (int i = 0; i < buckets.length; i++) {
            seen += buckets[i];
            if (seen >= rank) {
                return upper(i) / 1000.0;
            }
        }
        throw new AssertionError("counted more than there is");
    }

    private static int bucket(long micros) {
        int shift = Math.max(0, 64 - EXACT_BITS - Long.numberOfLeadingZeros(micros));
        return shift * EXACT + (int) (micros >>> shift);
    }

    private static double upper(int bucket) {
        int shift = bucket / EXACT;
        return Math.scalb((double) (bucket % EXACT), shift);
    }
}
