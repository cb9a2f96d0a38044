package dev.tidings.runs;

import org.jspecify.annotations.Nullable;

/**
 * Makes text that can be stored out of deltas that were cut anywhere, in the middle of a surrogate pair too.
 *
 * <p>Half a pair at the end of a delta waits for the other half; half a pair that stays alone becomes U+FFFD, since no
 * UTF-8 text can hold it. What is shown is repaired before it is shown, so that it equals what is stored (law 12).
 */
final class WholeText {

    private static final char REPLACEMENT = '\uFFFD';

    // Confined: the writer of one run.
    private @Nullable Character waiting;

    /** What can be shown of the text so far, beyond what was given before. */
    String next(String delta) {
        String text = waiting == null ? delta : waiting + delta;
        waiting = null;
        if (!text.isEmpty() && Character.isHighSurrogate(text.charAt(text.length() - 1))) {
            waiting = text.charAt(text.length() - 1);
            text = text.substring(0, text.length() - 1);
        }
        return repaired(text);
    }

    /** What is left when no more text comes. */
    String rest() {
        String rest = waiting == null ? "" : String.valueOf(REPLACEMENT);
        waiting = null;
        return rest;
    }

    /** The text, with U+FFFD in place of each lone surrogate. */
    static String repaired(String text) {
        int lone = firstLone(text, 0);
        if (lone < 0) {
            return text;
        }
        StringBuilder repaired = new StringBuilder(text);
        while (lone >= 0) {
            repaired.setCharAt(lone, REPLACEMENT);
            lone = firstLone(text, lone + 1);
        }
        return repaired.toString();
    }

    static @Nullable String repairedOrNull(@Nullable String text) {
        return text == null ? null : repaired(text);
    }

    private static int firstLone(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else {
                return i;
            }
        }
        return -1;
    }
}
