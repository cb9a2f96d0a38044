package dev.tidings.jpa;

import dev.tidings.StreamKey;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has staged and not yet numbered, by stream in the order in which heads are taken.
 *
 * <p>It is also the event that calls for the numbering: fired with the first stage, observed when the transaction
 * completes. Confined: the transaction's thread.
 */
final class Staging {

    /** By code points, as the databases compare ids, so that a statement that takes several heads goes the same way. */
    static final Comparator<String> ID_ORDER = Staging::byCodePoints;

    private static final Comparator<StreamKey> KEY_ORDER =
            Comparator.comparing(StreamKey::kind).thenComparing(StreamKey::id, ID_ORDER);

    private final Map<StreamKey, HeadStep> steps = new TreeMap<>(KEY_ORDER);
    private boolean completing;
    private @Nullable RuntimeException failure;

    private static int byCodePoints(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        for (int i = 0; i < shorter; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                // Halves of a pair stand for a code point that is greater than every single char.
                return Character.isSurrogate(a) == Character.isSurrogate(b)
                        ? Character.compare(a, b)
                        : Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b));
            }
        }
        return Integer.compare(one.length(), other.length());
    }

    HeadStep step(StreamKey stream) {
        return steps.computeIfAbsent(stream, HeadStep::new);
    }

    /** Takes what is staged, in key order; nothing of it is staged any more. */
    List<HeadStep> take() {
        List<HeadStep> taken = List.copyOf(steps.values());
        steps.clear();
        return taken;
    }

    /** Whether the transaction completes: what is staged from then on is numbered at once. */
    boolean completing() {
        return completing;
    }

    void complete() {
        completing = true;
    }

    /** Why the numbering failed, for whoever can still tell the caller. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    void failed(RuntimeException cause) {
        failure = cause;
    }
}
