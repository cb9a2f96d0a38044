package dev.tidings.delivery;

import java.util.ArrayList;
import java.util.List;

/**
 * Subscriptions, in no order. One more or less takes constant time and hardly any memory, since each knows its place; a hash
 * table of as many would take more than they do themselves.
 *
 * <p>Threads: none of its own; guarded by the lock of whoever has it, and so are the places in the subscriptions.
 */
final class Roll {

    /** Whose rolls there are; a subscription is in one of each at most. */
    enum Of {
        /** Who watches a stream. */
        STREAM,
        /** Who is behind a gate. */
        GATE
    }

    private final Of of;
    private final ArrayList<Subscription> all = new ArrayList<>(0);

    Roll(Of of) {
        this.of = of;
    }

    void add(Subscription subscription) {
        all.add(subscription);
        subscription.place(of, all.size() - 1);
    }

    /** False if it is not in it. */
    boolean remove(Subscription subscription) {
        int place = subscription.place(of);
        if (place >= all.size() || all.get(place) != subscription) {
            return false;
        }
        Subscription last = all.remove(all.size() - 1);
        if (last != subscription) {
            all.set(place, last);
            last.place(of, place);
        }
        return true;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    int size() {
        return all.size();
    }

    /** All of them, as they are now. */
    List<Subscription> copy() {
        return List.copyOf(all);
    }
}
