package dev.tidings.protocol.commands;

import java.util.Locale;
import java.util.Optional;

/**
 * What a message does while a run is active.
 *
 * <p>Threads: immutable. Source: protocols C.
 */
public enum Turns {
    /** It waits its turn. */
    QUEUE,
    /** It is refused. */
    REJECT,
    /** It stops the active run and is next. */
    INTERRUPT;

    /** The way of a word in the configuration. */
    public static Optional<Turns> ofCode(String code) {
        for (Turns turns : values()) {
            if (turns.code().equals(code)) {
                return Optional.of(turns);
            }
        }
        return Optional.empty();
    }

    /** The word in the configuration. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
