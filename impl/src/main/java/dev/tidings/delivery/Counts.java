package dev.tidings.delivery;

import dev.tidings.spi.Counters.Counter;

/**
 * Where something is counted.
 *
 * <p>Threads: as whoever implements it says.
 */
interface Counts {
    /** Counts so many more; takes no lock. */
    void add(Counter counter, long more);
}
