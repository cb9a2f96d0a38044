package dev.tidings.runs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The prompts of queued turns, so that the log need not be asked; the oldest are forgotten beyond a bound.
 *
 * <p>Threads: safe.
 */
final class Prompts {

    private static final int MOST_CHARS = 1 << 20;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, String> prompts = new LinkedHashMap<>();

    @GuardedBy("lock")
    private long chars;

    void put(String runId, String prompt) {
        lock.lock();
        try {
            prompts.put(runId, prompt);
            chars += prompt.length();
            Iterator<String> oldest = prompts.values().iterator();
            while (chars > MOST_CHARS && oldest.hasNext()) {
                chars -= oldest.next().length();
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The prompt of a run, once; null if it is not known. */
    @Nullable
    String takeOrNull(String runId) {
        lock.lock();
        try {
            String prompt = prompts.remove(runId);
            if (prompt != null) {
                chars -= prompt.length();
            }
            return prompt;
        } finally {
            lock.unlock();
        }
    }
}
