package dev.tidings.delivery;

import org.jspecify.annotations.Nullable;

/**
 * Sockets that are woken together. Those whose sends hold nobody up are drained by one task for up to {@value #MOST} of them:
 * to hand a task over costs as much as to send a small batch. The others have a task each (law 5).
 *
 * <p>Threads: confined to whoever wakes.
 */
final class Slices {
    static final int MOST = 32;

    private final Tasks tasks;
    private final Trouble trouble;
    // Confined: whoever wakes.
    private @Nullable Slice open;

    Slices(Tasks tasks, Trouble trouble) {
        this.tasks = tasks;
        this.trouble = trouble;
    }

    /** Makes sure that there is a place: whoever is promised a drain gets it even if there is no memory left. */
    void reserve() {
        if (open == null) {
            open = new Slice(trouble);
        }
    }

    /** Sees to the drain that an outbox was promised; there is a place for it. */
    void add(Outbox outbox) {
        Slice slice = open;
        if (slice != null && slice.add(outbox)) {
            handOver();
        }
    }

    /** Nobody more is woken now. */
    void handOver() {
        Slice slice = open;
        open = null;
        if (slice != null && !slice.isEmpty() && !tasks.run(slice)) {
            slice.refused();
        }
    }

    /** Some outboxes that were promised a drain each. */
    private static final class Slice implements Runnable {
        private final Trouble trouble;
        // Confined, both of them: whoever wakes, and from the hand-over on the task.
        private final @Nullable Outbox[] outboxes = new Outbox[MOST];
        private int size;

        Slice(Trouble trouble) {
            this.trouble = trouble;
        }

        boolean isEmpty() {
            return size == 0;
        }

        /** True if no more go in. */
        boolean add(Outbox outbox) {
            outboxes[size++] = outbox;
            return size == MOST;
        }

        @Override
        public void run() {
            for (int i = 0; i < size; i++) {
                Outbox next = outboxes[i];
                try {
                    if (next != null) {
                        next.drainBriefly();
                    }
                } catch (RuntimeException | Error unexpected) {
                    // One by one: the others were promised a drain, too.
                    trouble.survived(unexpected, "a socket of a slice could not be given up");
                }
            }
        }

        void refused() {
            for (int i = 0; i < size; i++) {
                Outbox next = outboxes[i];
                try {
                    if (next != null) {
                        next.drainRefused();
                    }
                } catch (RuntimeException | Error unexpected) {
                    trouble.survived(unexpected, "a socket of a slice could not be told");
                }
            }
        }
    }
}
