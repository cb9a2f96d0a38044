package dev.tidings.protocol.agents;

import dev.tidings.protocol.http.HeldBytes;

/**
 * The memory that transcripts may take while they are built, in all: reserved as they grow, given back when they are done.
 *
 * <p>Threads: any.
 */
final class ReadBudget {
    private final HeldBytes budget;

    ReadBudget(long maxBytes) {
        budget = new HeldBytes(maxBytes);
    }

    /** What one reading has reserved; closing it gives everything back. Confined: the thread that reads. */
    final class Share implements AutoCloseable {
        private long bytes;

        private Share() {}

        /**
         * Reserves more.
         *
         * @throws ActionRefusal if there is no more to be had
         */
        void grow(long more) {
            if (!budget.take(more)) {
                throw ActionRefusal.busy();
            }
            bytes += more;
        }

        @Override
        public void close() {
            budget.give(bytes);
            bytes = 0;
        }
    }

    Share share() {
        return new Share();
    }

    long taken() {
        return budget.taken();
    }
}
