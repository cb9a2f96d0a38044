package dev.tidings;

import java.util.Optional;

/**
 * What a stored entry is.
 *
 * <p>Threads: immutable. Source: protocols, "One session, three faces".
 */
public enum EntryKind {
    /** A session event as the Agents protocol shows it: a message, a tool call, a tool result, an error, anything else. */
    EVENT("event"),
    /** A piece of an assistant's text; its message follows as an {@link #EVENT}. */
    TEXT_DELTA("text_delta"),
    /** A run began. */
    RUN_STARTED("run_started"),
    /** A run ended; numbered only if it failed, and then shown as an error event too. */
    RUN_FINISHED("run_finished"),
    /** A tool's approval was asked, decided or expired. */
    APPROVAL("approval"),
    /** An entry of a run's journal, in the stream of its run tree; numbered per run. */
    JOURNAL("journal");

    private final String code;

    EntryKind(String code) {
        this.code = code;
    }

    /** The stable text that is stored. */
    public String code() {
        return code;
    }

    /** The kind with that code. */
    public static Optional<EntryKind> ofCode(String code) {
        for (EntryKind kind : values()) {
            if (kind.code.equals(code)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
