package dev.tidings.protocol.agents;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that transcripts may take while they are built, in all: reserved as they grow, given back when they are done.
 *
 * <p>Threads: any.
 */
final class ReadBudget {
    private final long maxBytes;
    private final AtomicLong taken = new AtomicLong();

    ReadBudget(long maxBytes) {
        this.maxBytes = maxBytes;
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
            if (taken.addAndGet(more) > maxBytes) {
                taken.addAndGet(-more);
                throw ActionRefusal.busy();
            }
            bytes += more;
        }

        @Override
        public void close() {
            taken.addAndGet(-bytes);
            bytes = 0;
        }
    }

    Share share() {
        return new Share();
    }

    long taken() {
        return taken.get();
    }
}
