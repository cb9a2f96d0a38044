package dev.tidings.protocol.agents;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tidings.AgentActivity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the states of sessions that are told: a state that equals the one told last keeps its number, so that whoever has
 * been shown it isn't shown it again.
 *
 * <p>The session's row alone does not tell two states apart: what the agent does beside it is part of them.
 *
 * <p>It remembers the sessions that were told of lately. One that it has forgotten gets a new number: a notice too many costs
 * less than one too few.
 *
 * <p>Threads: any.
 */
final class ToldStates {
    private static final int MOST = 10_000;

    /**
     * What is told of a session.
     *
     * @param version of its row
     * @param children how many child sessions it has; they are counted where it is read, and its row does not change with them
     */
    record State(long version, int children, @Nullable AgentActivity activity) {}

    private record Told(State state, long number) {}

    private final AtomicLong numbers;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Told> bySession = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Told> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Made once.
     *
     * @param numbers where new numbers come from; they rise
     */
    ToldStates(AtomicLong numbers) {
        this.numbers = numbers;
    }

    /** The number of a state that is about to be told. */
    long number(String sessionId, State state) {
        lock.lock();
        try {
            Told before = bySession.get(sessionId);
            if (before != null && before.state().equals(state)) {
                return before.number();
            }
            long number = numbers.incrementAndGet();
            bySession.put(sessionId, new Told(state, number));
            return number;
        } finally {
            lock.unlock();
        }
    }
}
