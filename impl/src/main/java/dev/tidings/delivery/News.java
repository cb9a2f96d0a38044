package dev.tidings.delivery;

import dev.tidings.StoredEntry;
import java.util.List;

/**
 * What a stream's pump has yet to digest.
 *
 * <p>Threads: immutable.
 */
sealed interface News {

    /** Entries were committed, perhaps others before them. */
    record Hint(List<StoredEntry> entries) implements News {}

    /** The log reaches at least so far. */
    record HeadSeen(long position) implements News {}

    /** The log reaches at least so far, as it said itself when it was asked. */
    record HeadLearnt(long position) implements News {}

    /** A page of what was missing. */
    record Filled(Page page) implements News {}

    /** What is missing cannot be read now; it is tried again. */
    record ReadFailed() implements News {}

    /** Something is shown. */
    record Cast(Broadcast broadcast) implements News {}
}
