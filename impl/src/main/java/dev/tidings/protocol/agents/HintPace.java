package dev.tidings.protocol.agents;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Lets something through at most once an interval for each id: the first at once, and one more when the interval is over
 * if something came meanwhile.
 *
 * <p>Threads: any. What is let through runs on the caller's thread or the timer's, under no lock.
 */
final class HintPace {
    private static final System.Logger LOG = System.getLogger(HintPace.class.getName());

    private final AgentsTimer timer;
    private final Duration interval;
    private final Consumer<String> through;
    private final ReentrantLock lock = new ReentrantLock();

    /** The ids whose interval runs, and whether something came in it. */
    @GuardedBy("lock")
    private final Map<String, Boolean> running = new HashMap<>();

    HintPace(AgentsTimer timer, Duration interval, Consumer<String> through) {
        this.timer = timer;
        this.interval = interval;
        this.through = through;
    }

    void came(String id) {
        lock.lock();
        try {
            if (running.replace(id, Boolean.TRUE) != null) {
                return;
            }
            running.put(id, Boolean.FALSE);
        } finally {
            lock.unlock();
        }
        letThrough(id);
    }

    private void letThrough(String id) {
        try {
            timer.after(interval, () -> over(id));
        } catch (RuntimeException | Error noTimer) {
            // Nobody would end the interval: better one hint too many than none ever again.
            LOG.log(System.Logger.Level.WARNING, "[agents/ws] no timer for hints; they come unpaced for a moment");
            lock.lock();
            try {
                running.remove(id);
            } finally {
                lock.unlock();
            }
        }
        through.accept(id);
    }

    private void over(String id) {
        lock.lock();
        try {
            if (!Boolean.TRUE.equals(running.remove(id))) {
                return;
            }
            running.put(id, Boolean.FALSE);
        } finally {
            lock.unlock();
        }
        letThrough(id);
    }
}
