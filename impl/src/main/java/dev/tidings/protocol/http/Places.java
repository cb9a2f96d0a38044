package dev.tidings.protocol.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Places of which each holder may have only a share, so that one of them cannot keep the others out (law 5).
 *
 * <p>Threads: any.
 */
public final class Places {
    /** One holder may have the most divided by so much, and one in any case. */
    private static final int SHARES = 4;

    private final int most;
    private final int share;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private int taken;

    // Nobody is in it who has none.
    @GuardedBy("lock")
    private final Map<String, Integer> held = new HashMap<>();

    Places(int most) {
        this.most = most;
        this.share = Math.max(1, most / SHARES);
    }

    /** Takes one; false, and none taken, if there is none or the holder has enough. */
    public boolean take(String holder) {
        return take(holder, share);
    }

    /** The same for the only holder that there can be: nobody else could be kept out. */
    public boolean takeAlone(String holder) {
        return take(holder, most);
    }

    private boolean take(String holder, int enough) {
        lock.lock();
        try {
            int mine = held.getOrDefault(holder, 0);
            boolean free = taken < most && mine < enough;
            if (free) {
                taken++;
                held.put(holder, mine + 1);
            }
            return free;
        } finally {
            lock.unlock();
        }
    }

    /** Gives one back that the holder took. */
    public void give(String holder) {
        lock.lock();
        try {
            int left = held.getOrDefault(holder, 0) - 1;
            assert left >= 0;
            taken--;
            if (left > 0) {
                held.put(holder, left);
            } else {
                held.remove(holder);
            }
        } finally {
            lock.unlock();
        }
    }
}
