package dev.tidings.protocol.agents;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Work in lanes: one after the other within a lane, side by side across lanes.
 *
 * <p>A piece of work that is submitted while one of the same name waits in its lane takes that one's place. All lanes
 * together hold so many pieces and no more; a slow database therefore costs work, not memory.
 *
 * <p>Threads: any; the work runs on the executor, under no lock.
 */
final class Lanes {
    private static final System.Logger LOG = System.getLogger(Lanes.class.getName());

    private final Executor executor;
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();

    /** The work that waits, by lane; a lane is here from its first piece until it has run dry. */
    @GuardedBy("lock")
    private final Map<String, Map<String, Runnable>> lanes = new HashMap<>();

    @GuardedBy("lock")
    private int pieces;

    Lanes(Executor executor, int most) {
        this.executor = executor;
        this.most = most;
    }

    /** Puts work at the end of a lane; false if it was dropped because too much waits. */
    boolean submit(String lane, String name, Runnable work) {
        lock.lock();
        try {
            Map<String, Runnable> waiting = lanes.get(lane);
            if (waiting != null && waiting.containsKey(name)) {
                waiting.put(name, work);
                return true;
            }
            if (pieces == most) {
                return false;
            }
            pieces++;
            if (waiting != null) {
                waiting.put(name, work);
                return true;
            }
            Map<String, Runnable> fresh = new LinkedHashMap<>();
            fresh.put(name, work);
            lanes.put(lane, fresh);
        } finally {
            lock.unlock();
        }
        start(lane);
        return true;
    }

    private void start(String lane) {
        try {
            executor.execute(() -> runNext(lane));
        } catch (RuntimeException | Error noThread) {
            // The server stops, or the pool has no thread for the moment: what waits is lost, the lane is not.
            lock.lock();
            try {
                Map<String, Runnable> lost = lanes.remove(lane);
                pieces -= lost == null ? 0 : lost.size();
            } finally {
                lock.unlock();
            }
        }
    }

    private void runNext(String lane) {
        Runnable work = next(lane);
        if (work == null) {
            return;
        }
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "[agents/ws] a notice to accounts failed");
        } finally {
            start(lane);
        }
    }

    private @Nullable Runnable next(String lane) {
        lock.lock();
        try {
            Map<String, Runnable> waiting = lanes.getOrDefault(lane, Map.of());
            Iterator<Runnable> pieceByPiece = waiting.values().iterator();
            if (!pieceByPiece.hasNext()) {
                lanes.remove(lane);
                return null;
            }
            Runnable work = pieceByPiece.next();
            pieceByPiece.remove();
            pieces--;
            return work;
        } finally {
            lock.unlock();
        }
    }
}
