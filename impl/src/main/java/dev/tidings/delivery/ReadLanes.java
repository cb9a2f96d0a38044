package dev.tidings.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The reads of the log, so many at once in the node and no more; the others wait in line without a thread.
 *
 * <p>Threads: any.
 */
final class ReadLanes {
    private final EngineLock lock = new EngineLock(EngineLock.Rank.LEAF);
    private final int lanes;
    private final Tasks tasks;
    private final Trouble trouble;

    @GuardedBy("lock")
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    // Tasks handed to the executor that have not begun.
    @GuardedBy("lock")
    private int starting;

    @GuardedBy("lock")
    private int reading;

    ReadLanes(int lanes, Tasks tasks, Trouble trouble) {
        this.lanes = lanes;
        this.tasks = tasks;
        this.trouble = trouble;
    }

    /** Runs a read as soon as a lane is free. */
    void submit(Runnable read) {
        lock.lock();
        try {
            waiting.addLast(read);
        } finally {
            lock.unlock();
        }
        tick();
    }

    /** Starts what waits for a free lane, also after the executor had refused it. */
    void tick() {
        while (start()) {
            if (!tasks.run(this::readOne)) {
                refused();
                return;
            }
        }
    }

    private void readOne() {
        Runnable read = begin();
        if (read != null) {
            // A read that fails in a way of its own must not keep its lane.
            trouble.guarded(read, "a read of the log failed");
            end();
        }
        tick();
    }

    private boolean start() {
        lock.lock();
        try {
            boolean free = starting < waiting.size() && starting + reading < lanes;
            if (free) {
                starting++;
            }
            return free;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Runnable begin() {
        lock.lock();
        try {
            starting--;
            Runnable read = waiting.pollFirst();
            if (read != null) {
                reading++;
            }
            assert starting >= 0 && reading <= lanes : "reads are bounded";
            return read;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            reading--;
            assert reading >= 0;
        } finally {
            lock.unlock();
        }
    }

    private void refused() {
        lock.lock();
        try {
            starting--;
        } finally {
            lock.unlock();
        }
    }
}
