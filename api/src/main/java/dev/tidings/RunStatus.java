package dev.tidings;

import java.util.Locale;

/**
 * Where a run stands; the word on the wire is {@link #code()}.
 *
 * <p>Threads: immutable. Source: protocols A7.
 */
public enum RunStatus {
    /** Waits for its turn. */
    QUEUED,
    /** Taken by a node. */
    CLAIMED,
    /** Works. */
    RUNNING,
    /** Waits for something named in {@code wait}. */
    WAITING,
    /** Ended well. */
    SUCCEEDED,
    /** Ended by an error. */
    FAILED,
    /** Ended by a stop. */
    CANCELED;

    /** Whether the run has ended. */
    public boolean terminal() {
        return this == SUCCEEDED || this == FAILED || this == CANCELED;
    }

    /** The word on the wire and in storage. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The status of that word. */
    public static RunStatus ofCode(String code) {
        return valueOf(code.toUpperCase(Locale.ROOT));
    }
}
