package dev.tidings.spi;

import java.util.Map;

/**
 * What Tidings counts. There is a bean of this type; who exports metrics injects it and reads it as often as wanted.
 *
 * <p>Tidings calls nobody when it counts, so no exporter slows a send down.
 *
 * <p>Threads: any. A value is exact once nothing happens; values read one after the other may be of different moments.
 */
public interface Counters {

    /** A count: one that only grows since the start, or, where it says "now", one of this moment. */
    enum Counter {
        /** Sockets that are open, now. */
        SOCKETS,
        /** Subscriptions of those sockets, now. */
        SUBSCRIPTIONS,
        /** Streams with a window, now. */
        STREAMS,
        /** Bytes that {@code tidings.delivery.max-bytes} bounds, now. */
        BYTES,
        /** Entries that subscriptions have yet to take, all together, now. */
        LAG_ENTRIES,
        /** Bytes in windows that subscriptions have yet to take, all together, now. */
        LAG_BYTES,
        /** Messages that sockets took. */
        FRAMES_SENT,
        /** Bytes of those messages. */
        BYTES_SENT,
        /** Text pieces that were joined with others, since the socket lagged. */
        FRAMES_MERGED,
        /** Signals that a subscription did not get, since its socket lagged. */
        SIGNALS_DROPPED,
        /** Texts in progress that whoever joins is not shown, since there was no room for them. */
        RUNNING_TEXTS_CUT,
        /** Entries that were sent from a window. */
        ENTRIES_FROM_WINDOW,
        /** Entries that were sent from a page of the log. */
        ENTRIES_FROM_LOG,
        /** Pages that were read. */
        PAGE_READS,
        /** Pages that somebody got without a read of their own. */
        PAGES_SHARED,
        /** Sends that ended well. */
        SENDS,
        /** How long those took, in nanoseconds. */
        SEND_NANOS,
        /** Signatures that were verified, whatever the outcome. */
        VERIFICATIONS,
        /** How long those took, in nanoseconds. */
        VERIFICATION_NANOS,
        /** How often the bound on all bytes was reached. */
        PRESSURES,
        /** Faults that were survived: what failed was dropped or tried again, and the server's log names it. */
        FAULTS
    }

    /** A count. */
    long value(Counter counter);

    /** How often each code was given out: refusals, and closings under the number of their close code. */
    Map<String, Long> refusals();
}
