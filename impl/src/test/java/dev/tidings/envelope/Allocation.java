package dev.tidings.envelope;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What a piece of work allocates on its thread: an upper bound of the heap that it keeps alive. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    static long during(Runnable work) {
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        work.run();
        return THREADS.getThreadAllocatedBytes(thread) - before;
    }

    static long bound(byte[] message) {
        return bound(message, 1);
    }

    /** What verifying a signature allocates, once or twice, and a small multiple of the message. */
    static long bound(byte[] message, int signatures) {
        return 8L * message.length + signatures * 16L * 1024;
    }
}
