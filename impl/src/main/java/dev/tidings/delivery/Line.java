package dev.tidings.delivery;

import org.jspecify.annotations.Nullable;

/**
 * Subscriptions of one socket in line. Each knows who is behind it, and is in one line at most: nothing else is touched, and
 * standing in line takes no memory.
 *
 * <p>Threads: none of its own; guarded by the lock of the outbox.
 */
final class Line {
    // Confined, both of them: under the outbox's lock. Null together.
    private @Nullable Subscription first;
    private @Nullable Subscription last;

    boolean isEmpty() {
        return first == null;
    }

    @Nullable
    Subscription firstOrNull() {
        return first;
    }

    void addLast(Subscription subscription) {
        Subscription before = last;
        if (before == null) {
            first = subscription;
        } else {
            before.inFrontOf(subscription);
        }
        last = subscription;
    }

    /** Takes the first out, if there is one. */
    void removeFirst() {
        Subscription gone = first;
        if (gone != null) {
            remove(gone);
        }
    }

    /** Takes one out, if it is in line. */
    void remove(Subscription subscription) {
        Subscription before = null;
        for (Subscription next = first; next != null; next = next.behindOrNull()) {
            if (next == subscription) {
                closeUp(before, subscription.behindOrNull());
                subscription.inFrontOf(null);
                return;
            }
            before = next;
        }
    }

    private void closeUp(@Nullable Subscription before, @Nullable Subscription behind) {
        if (before == null) {
            first = behind;
        } else {
            before.inFrontOf(behind);
        }
        if (behind == null) {
            last = before;
        }
    }

    int size() {
        int size = 0;
        for (Subscription next = first; next != null; next = next.behindOrNull()) {
            size++;
        }
        return size;
    }
}
