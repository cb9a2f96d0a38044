package dev.tidings.runs;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Something that a runner waits for; given at most once.
 *
 * <p>Threads: any. It is given and awaited through the run's {@link Mailbox}, which wakes the runner.
 */
final class Answer<T> {
    private final AtomicReference<@Nullable T> value = new AtomicReference<>();

    /** What was given; null before. */
    @Nullable
    T orNull() {
        return value.get();
    }

    void give(T given) {
        value.compareAndSet(null, given);
    }
}
