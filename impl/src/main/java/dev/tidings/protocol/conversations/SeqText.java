package dev.tidings.protocol.conversations;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads numbers of events out of requests. Threads: pure. */
final class SeqText {
    private static final int MOST_DIGITS = 16;
    private static final long MOST = (1L << 53) - 1;

    private SeqText() {}

    /** A whole number from 0 to 2^53−1, or none if there is no text; empty if the text is not such a number. */
    static Optional<OptionalLong> read(@Nullable String text) {
        if (text == null) {
            return Optional.of(OptionalLong.empty());
        }
        if (text.isEmpty() || text.length() > MOST_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        long number = Long.parseLong(text);
        return number <= MOST ? Optional.of(OptionalLong.of(number)) : Optional.empty();
    }
}
