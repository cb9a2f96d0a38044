package dev.tidings.delivery;

import java.util.List;

/**
 * A translated page of a stream, shared by everybody who waited for it.
 *
 * <p>Order: by position, consecutive, the first is {@code after + 1}.
 *
 * <p>Threads: immutable.
 *
 * @param after the position before the first entry
 * @param entries the entries; empty only if the page is broken
 * @param broken whether the log has a hole right behind {@code after}
 */
record Page(long after, List<Shown> entries, boolean broken) {

    Page {
        assert broken == entries.isEmpty() : "an empty page is no page";
        assert broken || entries.get(0).position() == after + 1 : "a page begins behind its cursor";
    }

    /** The position of the last entry. */
    long last() {
        return after + entries.size();
    }
}
