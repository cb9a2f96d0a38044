package dev.tidings.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers that wait for one socket, in order.
 *
 * <p>Threads: none of its own; guarded by the lock of the outbox.
 */
final class Answers {
    // Confined, both of them: under the outbox's lock. Null while nothing waits, which is nearly always.
    private @Nullable Deque<Answer> waiting;
    private int bytes;

    /**
     * An answer.
     *
     * @param to the subscription with which it waits while that one's gate is closed, if it has one
     * @param gates what must be open for it to be sent as it is
     * @param otherwise what is sent in its place if they are not
     */
    record Answer(Frame frame, @Nullable Subscription to, List<Gate> gates, Frame otherwise) {
        private boolean withdrawn() {
            return to != null && !to.gateOpen();
        }

        private Frame now() {
            for (Gate gate : gates) {
                if (!gate.isOpen()) {
                    return otherwise;
                }
            }
            return frame;
        }

        /** The bytes that it holds. */
        int bytes() {
            return frame == otherwise ? frame.size() : frame.size() + otherwise.size();
        }
    }

    boolean isEmpty() {
        return waiting == null;
    }

    int size() {
        return waiting == null ? 0 : waiting.size();
    }

    /** The bytes that wait. */
    int bytes() {
        return bytes;
    }

    void add(Answer answer) {
        Deque<Answer> all = waiting;
        if (all == null) {
            all = new ArrayDeque<>(1);
            waiting = all;
        }
        all.addLast(answer);
        bytes += answer.bytes();
    }

    void clear() {
        waiting = null;
        bytes = 0;
    }

    /**
     * Takes answers as far as the batch has room. One that is withdrawn (law 6) waits with its subscription from now on, and
     * so do those behind it that are of the same; gives these subscriptions, which have more to send.
     */
    List<Subscription> take(Batch batch) {
        List<Subscription> more = new ArrayList<>();
        Deque<Answer> all = waiting;
        while (all != null && !all.isEmpty()) {
            Answer answer = all.getFirst();
            Subscription to = answer.to();
            boolean withdrawn = answer.withdrawn();
            if (!withdrawn && batch.offerOwn(answer.now()) != Batch.Offer.TAKEN) {
                return more;
            }
            all.removeFirst();
            bytes -= answer.bytes();
            if (withdrawn && to != null) {
                to.withdrawn(answer.frame());
                more.add(to);
            }
        }
        waiting = null;
        return more;
    }
}
